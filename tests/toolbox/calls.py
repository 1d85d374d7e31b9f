"""Call a tool in this process, as a child does it: arguments and result fit its schemas."""

import asyncio
import inspect
from collections.abc import Mapping
from typing import cast

from interlock.outside.schema import read_schema
from interlock.toolbox.around import Around
from interlock.toolbox.tool import Tool, ToolFailure

NOTHING = Around()


def call(tool: Tool, around: Around = NOTHING, /, **arguments: object) -> Mapping[str, object]:
    """Return what a tool returns for arguments that fit."""
    assert read_schema(tool.parameters).wrong(arguments) == []
    found = tool.run(arguments, around)
    if inspect.isawaitable(found):
        found = asyncio.run(_wait(found))
    assert read_schema(tool.result).wrong(found) == []
    return cast("Mapping[str, object]", found)


async def _wait(found: object) -> object:
    return await found  # type: ignore[misc]  # it was asked


def fails(tool: Tool, around: Around = NOTHING, /, **arguments: object) -> ToolFailure:
    """Return how a tool fails."""
    try:
        found = call(tool, around, **arguments)
    except ToolFailure as failure:
        return failure
    raise AssertionError(f"it did not fail: {found!r}")


def fits(tool: Tool, **arguments: object) -> bool:
    """Say whether arguments fit what a tool takes."""
    return not read_schema(tool.parameters).wrong(arguments)
