"""The audit as lines: all of it, in order, as it was hashed, and no other tenant's."""

import json

import pytest

from interlock.service import export
from interlock.service.export import audit_lines
from interlock.store.chain import genesis, linked
from tests.stage import AWAY, EVE, HOME, Stage, staged


@staged
async def test_every_entry_of_every_unit_is_a_line_as_it_was_hashed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PAGE", 2)
    plans = sorted([await stage.plan(3), await stage.plan(1)])
    theirs = await stage.plan(1, EVE)
    lines = [json.loads(line) async for line in audit_lines(stage.engine, HOME)]

    assert list(dict.fromkeys(line["unit"] for line in lines)) == plans
    for plan in plans:
        head = genesis(HOME, plan)
        own = [line for line in lines if line["unit"] == plan]
        assert [line["sequence"] for line in own] == list(range(1, len(own) + 1))
        for line in own:
            head = linked(head, line["body"])
            assert line["hash"] == head
        assert (await stage.whole(plan)).row.head == head
        alone = [json.loads(line) async for line in audit_lines(stage.engine, HOME, plan)]
        assert alone == own
    other = [json.loads(line)["unit"] async for line in audit_lines(stage.engine, AWAY)]
    assert set(other) == {theirs}
    assert [line async for line in audit_lines(stage.engine, HOME, theirs)] == []
