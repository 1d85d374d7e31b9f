"""A recording: what our engine wrote, change by change, and how many rows SQLite counted."""

from pathlib import Path

import uvloop

from interlock.clock import SystemClock
from tools.bench.ours import Agent
from tools.bench.recording import CountingStore, record


def test_a_recording_has_two_changes_a_step(tmp_path: Path) -> None:
    recording = uvloop.run(record(tmp_path, 3))

    assert (recording.steps, len(recording.changes)) == (3, 6)
    assert len(recording.made.made) == 3
    assert [len(change.artifacts) for change in recording.changes] == [0, 1] * 3
    assert recording.changes[-1].unit.unit.status == "completed"


def test_rows_are_counted_by_sqlite(tmp_path: Path) -> None:
    async def story() -> None:
        store = CountingStore(tmp_path / "counted.db", SystemClock())
        agent = Agent(store)
        await agent.begin()
        unit = await agent.make(3)
        await agent.play(unit, 1)
        before = await store.rows_written()
        await agent.play(unit, 1)
        after = await store.rows_written()
        await store.close()

        # Unit, part, entry and reply twice, and content and artifact once.
        assert after - before == 10
        assert store.changes is None

    uvloop.run(story())
