"""The log of calls on a SQLite file wakes nobody; what everyone sees is in ``test_records``."""

import asyncio
from pathlib import Path

import apsw

from interlock.store.port import CallRow
from interlock.store.statements import statements
from tests.service.desk import HOME, Desk, at_desk

ROW = CallRow(HOME, 5, "c1", "get_next", "agent", "ada", "s1", "stdio", "{}", "{}", 7, 0)


def test_a_call_that_was_logged_wakes_nobody_who_waits_for_changes(tmp_path: Path) -> None:
    async def story(desk: Desk) -> tuple[bool, bool]:
        woken = asyncio.Event()

        async def wait() -> None:
            async for _ in desk.store.watch(HOME):
                woken.set()

        waiting = asyncio.create_task(wait())
        await woken.wait()
        woken.clear()
        await desk.store.add_calls(HOME, (ROW,))
        await asyncio.sleep(0)
        by_call = woken.is_set()
        await desk.plan(())
        async with asyncio.timeout(60):
            await woken.wait()
        waiting.cancel()
        return by_call, woken.is_set()

    assert at_desk(tmp_path, story) == (False, True)


def test_the_newest_of_a_session_and_what_is_open_are_found_by_an_index(tmp_path: Path) -> None:
    async def story(_: Desk) -> None:
        return

    at_desk(tmp_path, story)
    file = apsw.Connection(str(tmp_path / "interlock.db"))
    found = {}
    for name in ("newest_skill", "load_unit_skill", "list_open_units", "prune_calls"):
        one = statements("sqlite")[name]
        rows = file.execute(f"EXPLAIN QUERY PLAN {one.sql}", dict.fromkeys(one.parameters))
        found[name] = " ".join(str(row[3]) for row in rows)
    file.close()

    assert "skills_by_session" in found["newest_skill"]
    assert "skills_by_unit" in found["load_unit_skill"]
    assert "units_by_open" in found["list_open_units"]
    assert "calls_by_at" in found["prune_calls"]
    assert not any("TEMP B-TREE" in one for one in found.values())
