"""The rows of the commands as tools, a toolset at a time: a list that is the same every time."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from mcp_types import Tool, ToolAnnotations

from interlock.commands.all import COMMANDS
from interlock.commands.row import EVERY, PEOPLE, AnyCommand
from interlock.doors.mcp.schema import OUTPUT, Schema, input_schema

DEFAULT: Final = "research"
ALL: Final = "all"
ALSO: Final = {
    "mission": frozenset({
        "get_next_work", "heartbeat_work", "release_work", "list_gates", "get_gate", "decide_gate",
    }),
    "ticket": frozenset({
        "get_next_work", "submit_work", "heartbeat_work", "release_work", "fail_work",
        "get_work_context", "list_work", "cancel", "list_gates", "get_gate", "decide_gate",
        "get_content",
    }),
}  # fmt: skip
"""What a toolset offers of others, because its work is taken and decided about with it."""


@dataclass(frozen=True, slots=True)
class Toolset:
    """The tools that one connection is offered, in their order, and what each takes."""

    name: str
    tools: tuple[Tool, ...]
    takes: dict[str, Schema]


def offered() -> list[AnyCommand]:
    """Return the rows that are tools: what only people do is none."""
    return [row for row in COMMANDS.values() if row.toolset != PEOPLE]


def toolsets() -> tuple[str, ...]:
    """Return the names of all toolsets; the first is the one that nobody has to ask for."""
    found = dict.fromkeys(row.toolset for row in offered() if row.toolset != EVERY)
    return (DEFAULT, *(name for name in found if name != DEFAULT), ALL)


@cache
def toolset(name: str) -> Toolset:
    """Return a toolset; raises KeyError where there is none of that name."""
    if name not in toolsets():
        raise KeyError(name)
    also = ALSO.get(name, frozenset())
    rows = [
        row for row in offered() if name == ALL or row.toolset in (name, EVERY) or row.name in also
    ]
    tools = tuple(tool(row) for row in rows)
    return Toolset(name, tools, {one.name: one.input_schema for one in tools})


def tool(row: AnyCommand) -> Tool:
    """Return a command as a tool."""
    return Tool(
        name=row.name,
        description=row.doc,
        input_schema=input_schema(row.takes),
        output_schema=OUTPUT,
        annotations=ToolAnnotations(
            read_only_hint=row.is_read and not row.marks,
            destructive_hint=not (row.is_read or row.adds_only),
            # A call is safe to repeat only where it carries a request id, which no hint can say.
            idempotent_hint=row.is_read,
            open_world_hint=row.reaches_out,
        ),
    )
