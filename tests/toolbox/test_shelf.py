"""Tools are loaded when somebody asks for them; servers are asked then, and not again and again."""

import asyncio
import sys
from pathlib import Path

import pytest

from interlock.servers import Server
from interlock.toolbox.around import Around
from interlock.toolbox.catalog import ToolsNotLoaded
from interlock.toolbox.shelf import Shelf
from tests.porter import stand_in_for

PROGRAM = str(Path(__file__).parent / "mcp_server.py")


def test_the_tools_of_a_real_server_are_there_when_they_are_asked_for() -> None:
    shelf = Shelf(Around(servers=(Server("sums", tuple(stand_in_for([PROGRAM]))),)))

    async def twice() -> tuple[set[str], set[str]]:
        return set(await shelf.describe()), set(await shelf.describe())

    first, second = asyncio.run(twice())
    assert {"literal", "template", "sums.add"} <= first
    assert first == second


def test_a_server_that_is_away_takes_nothing_with_it_and_is_left_alone(tmp_path: Path) -> None:
    count = tmp_path / "count"
    program = f"open({str(count)!r}, 'a').write('x')"
    shelf = Shelf(Around(servers=(Server("gone", (sys.executable, "-c", program)),)))

    async def thrice() -> set[str]:
        for _ in range(2):
            await shelf.describe()
        return set(await shelf.describe())

    assert "literal" in asyncio.run(thrice())
    assert count.read_text(encoding="utf-8") == "x"


def test_a_module_that_cannot_be_loaded_is_told_to_who_asks() -> None:
    shelf = Shelf(Around(modules=("no_such_module",)))

    with pytest.raises(ToolsNotLoaded):
        asyncio.run(shelf.describe())
