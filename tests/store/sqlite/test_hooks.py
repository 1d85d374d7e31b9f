"""Hooks on a SQLite file: a new one stands where the feed ends."""

import asyncio
from pathlib import Path

from tests.stage import HOME, opened
from tests.store.test_hooks import ACT, ROW


def test_a_new_hook_stands_at_the_end_of_the_feed(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            await stage.plan(2)
            rows = await stage.engine.store.feed(HOME, "", 99)
            await stage.engine.store.hooks.add(HOME, ROW, "s", ACT)
            found = await stage.engine.store.hooks.find(HOME, ROW.id)
            assert found is not None
            assert found.position == rows[-1].position

    asyncio.run(main())
