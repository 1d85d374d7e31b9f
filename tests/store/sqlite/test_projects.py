"""Projects on a SQLite file: a change and its act are one commit."""

import asyncio
from pathlib import Path

import pytest

from interlock.store.errors import StoreError
from tests.stage import HOME, opened
from tests.store.test_projects import CHANGED, MADE, SHOP


def test_a_change_whose_act_cannot_be_kept_is_not_made(tmp_path: Path) -> None:
    async def run() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            projects = stage.engine.store.projects
            await projects.add(HOME, SHOP, MADE)
            after = SHOP._replace(name="Market", version=2)
            with pytest.raises(StoreError):
                await projects.change(HOME, after, 1, CHANGED._replace(id=MADE.id))

            assert await projects.find(HOME, SHOP.id) == SHOP

    asyncio.run(run())
