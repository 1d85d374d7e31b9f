"""Logs on a SQLite file: whoever watches the tenant is told that there is more to read."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from interlock.store.logs import Line
from tests.stage import HOME, opened


def test_who_watches_a_tenant_hears_of_new_lines(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            plan = await stage.plan(1)
            async with aclosing(stage.engine.store.watch(HOME)) as watch:
                heard = asyncio.ensure_future(anext(watch))
                await asyncio.sleep(0)
                await stage.engine.store.logs.append(HOME, plan, 1, "", (Line(1, "out", "x"),), 9)
                await asyncio.wait_for(heard, 10)

    asyncio.run(run())
