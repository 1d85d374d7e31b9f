"""The past: what the audit says at any entry, on both databases."""

import pytest

from interlock.kernel.snapshot import Snapshot
from interlock.service.past import NoSuchMoment, past
from interlock.service.read import read_unit
from tests.stage import HOME, Stage, staged


def _facts(snapshot: Snapshot) -> list[tuple[str, dict[str, object]]]:
    parts = [(part.status, dict(part.fields)) for part in snapshot.parts]
    return [(snapshot.unit.status, dict(snapshot.unit.fields)), *parts]


@staged
async def test_every_moment_is_made_from_the_audit(stage: Stage) -> None:
    unit = await stage.plan(2)
    seen = {}
    for _ in range(2):
        step, lease = await stage.claim(unit)
        read = await read_unit(stage.engine, HOME, unit)
        seen[read.whole.row.version] = _facts(read.snapshot)
        await stage.call("submit_step_result", step_id=step, lease=lease, result={},
                         result_summary="done")  # fmt: skip
    read = await read_unit(stage.engine, HOME, unit)
    last = read.whole.row.version

    assert _facts(await past(stage.engine, HOME, read, last)) == _facts(read.snapshot)
    for version, key in seen.items():
        assert _facts(await past(stage.engine, HOME, read, version)) == key
    for wrong in (0, last + 1):
        with pytest.raises(NoSuchMoment):
            await past(stage.engine, HOME, read, wrong)
