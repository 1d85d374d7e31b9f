"""Everything old goes in small portions, is counted, and is kept for ever where nothing is set."""

from dataclasses import replace

import pytest

from interlock.service import retention as module
from interlock.service.meter import Meter
from interlock.service.retention import Keeping, prune
from tests.stage import ADA, DAY_MS, PAT, Stage, staged

FOR_EVER = Keeping(0, 0, 0, 0, 0)


@staged
async def test_all_goes_in_portions_and_is_counted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 2)
    for number in range(5):
        unit = await stage.plan(1, ADA, request_id=f"r{number}")
        await stage.call("fail_plan", PAT, plan_id=unit, reason="enough")
    await stage.sql(f"UPDATE replies SET at = at - {40 * DAY_MS}")  # noqa: S608 (our own)
    meter = Meter()
    engine = replace(stage.engine, meter=meter)

    assert await prune(engine, FOR_EVER) == {}
    assert (await prune(engine, Keeping(), is_dry=True))["replies"] == 5
    assert meter.pruned == {}
    gone = await prune(engine, Keeping())
    assert (gone["replies"], sum(gone.values())) == (5, 5)
    assert meter.pruned["replies"] == 5
    assert (await prune(engine, Keeping()))["replies"] == 0


def test_what_is_kept_for_ever_is_not_asked_for() -> None:
    assert FOR_EVER.days() == {}
    assert "contents" not in Keeping().days()
    assert Keeping(artifacts=9).days()["contents"] == 9
