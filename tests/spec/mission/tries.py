"""Every try there is: each command at each place, about whatever its shape can name there.

The list is made from the rows of the commands and the rules of the workflow, so that what is
added to them is tried, and fails until the table says what it does.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.workflows.mission.workflow import WORKFLOW
from tests.spec.mission.places import Brought, Told, hops_at, told

MAKES: Final = "propose_mission"
"""What makes a mission is about none that is there."""

ASKS: Final = "get_next_work"
"""What asks for work is never refused: there is none, or there is."""

TELLS: Final = "append_log"
"""What a worker tells while it works changes no unit."""

STEPPED: Final = ("designed", "running", "idle", "executing held", "completed", "superseded",
                  "failed", "cancelled", "given up")  # fmt: skip
"""The places whose hop in question has tool steps."""

NEW_GOAL: Final = {"edit_mission": ("mission_id",), "revise_hop": ("hop_id", "lease")}
"""Commands that write something anew, and what else they must be told."""


class Try(NamedTuple):
    """A command about something at a place. ``more`` is said besides, and told in its name."""

    command: str
    place: str
    target: str
    more: str = ""

    @property
    def row(self) -> str:
        """The row of the table that it belongs to."""
        return f"{self.command} {self.more}".rstrip()

    @property
    def column(self) -> str:
        """The column of the table that it belongs to."""
        return f"{self.place}/{self.target}"


def _is_tried(row: AnyCommand) -> bool:
    if row.is_read or row.name in (MAKES, ASKS, TELLS):
        return False
    return row.toolset == "mission" or (
        row.toolset == "work" and "part_id" in row.takes.model_fields
    )


TRIED: Final = tuple(row for row in COMMANDS.values() if _is_tried(row))


def tries(place: str) -> Iterator[Try]:
    """Yield all tries of a place."""
    hops = tuple(hops_at(place))
    step = ("step",) if place in STEPPED else ()
    for row in TRIED:
        named = row.takes.model_fields
        targets = (
            hops if "hop_id" in named
            else (*hops, *step) if "part_id" in named
            else ("mission", *hops) if "id" in named
            else ("asset",) if "asset_id" in named
            else ("mission",)
        )  # fmt: skip
        for target in targets:
            yield Try(row.name, place, target)
            if "cascade" in named:
                yield Try(row.name, place, target, "cascade")


def arguments(one: Try, it: Brought, *, is_person: bool) -> Told:
    """Return what a try is told; a person says what was shown, whoever relays means what is now."""
    hop = it.hops.get(one.target, "")
    known = told(it, hop) | {"outputs": {"rows": [1]}, "answer": {}}
    known["id"] = hop or it.mission
    known["part_id"] = hop or it.step
    takes = COMMANDS[one.command].takes.model_fields
    names = [field.alias or name for name, field in takes.items()]
    if one.command in NEW_GOAL:
        names, known["goal"] = [*NEW_GOAL[one.command], "goal"], "Something else."
    found = {name: known[name] for name in names if known.get(name) not in (None, "")}
    if one.command == "submit_tool_result":
        found.pop("failure", None)
    if not is_person:
        found.pop("content_digest", None)
    return found | ({one.more: True} if one.more else {})


def said_by_system(place: str) -> Iterator[Try]:
    """Yield every event about a mission or a hop, as if the system had said it."""
    for rule in WORKFLOW.rules:
        if rule.kind == "mission":
            yield Try(rule.event, place, "mission")
        elif rule.kind == "hop":
            yield from (Try(rule.event, place, hop) for hop in hops_at(place))
