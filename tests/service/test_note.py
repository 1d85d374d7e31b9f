"""A note moves nothing, but it has its place in the chain."""

import json
from pathlib import Path

from interlock.kernel.snapshot import Snapshot
from interlock.service.note import noted, receipt
from interlock.service.read import read_unit
from interlock.service.verify import verify
from interlock.store.script import Change, Load, Loaded, Script
from tests.service.desk import HOME, ME, Desk, at_desk


def test_a_note_is_an_entry_that_changes_no_status_and_can_be_verified(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[dict[str, object], Snapshot, Snapshot, object]:
        unit = await desk.plan(())
        running = desk.engine.running(unit)
        before = await read_unit(desk.engine, HOME, unit)

        def script() -> Script:
            loaded = yield Load(unit, is_fresh=True)
            assert isinstance(loaded, Loaded)
            row, entry = noted(running, loaded.unit, "said", ME.actor(), 7, {"word": "yes"})
            reply = json.dumps(receipt(row))
            return Change(HOME, loaded.unit.version, row, (entry,), 7, reply=reply)

        committed = await desk.store.run(HOME, script)
        after = await read_unit(desk.engine, HOME, unit)
        row = after.whole.row
        told = {"unit": unit, "sequence": row.version, "hash": row.head}
        assert json.loads(committed.reply) == told
        verdict = await verify(desk.engine, HOME)
        return (await desk.audit(unit))[-1], before.snapshot, after.snapshot, verdict.findings

    entry, before, after, findings = at_desk(tmp_path, story)

    assert (entry["event"], entry["change"], entry["word"]) == ("said", "note", "yes")
    assert (entry["kind"], entry["sequence"], entry["at"]) == ("plan", 3, 7)
    assert (before.unit.status, before.unit.fields) == (after.unit.status, after.unit.fields)
    assert findings == []
