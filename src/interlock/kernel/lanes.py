"""The lanes of a board: to do, in progress, needs you, done. Which one a unit stands in.

Said once, for every workflow: from the word that a status has for its lane, from its kind, and
from whether somebody is asked for something. Reading units and drawing the board is not done here.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from interlock.kernel.machine import Machine, Status
from interlock.kernel.workflow import Workflow

Lane = Literal["todo", "doing", "needs_you", "done"]
Tone = Literal["active", "gate", "trouble", "success", "terminal"]

LANES: Final[tuple[Lane, ...]] = ("todo", "doing", "needs_you", "done")
SHOWN: Final = "board_column"
"""Where a status says its lane that is grouped otherwise."""

WORDS: Final[Mapping[str, Lane]] = {
    "to do": "todo",
    "in progress": "doing",
    "needs you": "needs_you",
    "done": "done",
}
"""How a status says its lane, by ``board_column`` or by its group."""


class Standing(NamedTuple):
    """Where the units of one status stand, and how it is shown."""

    # While nobody is asked, and while somebody is.
    calm: Lane
    asked: Lane
    tone: Tone


UNKNOWN: Final = Standing("doing", "needs_you", "active")
"""Where a unit stands whose workflow is not known here any more, and which has not ended."""


def standings(flow: Workflow) -> dict[str, Standing]:
    """Return where the units of each status stand."""
    machine = flow.unit
    return {
        status.name: Standing(
            lane(machine, status, is_asked=False),
            lane(machine, status, is_asked=True),
            tone(status),
        )
        for status in machine.statuses
    }


def lane(machine: Machine, status: Status, *, is_asked: bool) -> Lane:
    """Return the lane of a unit in a status.

    ``is_asked`` says that a gate of it or of one of its parts is open, or that it is held until
    somebody repairs it. What is still to do asks for nobody yet, even where a person begins it.
    """
    if status.kind == "terminal":
        return "done"
    if is_to_do(status):
        return "todo"
    said = _said(status)
    if is_asked or said == "needs_you" or status.kind == "gate" or status.is_trouble:
        return "needs_you"
    return "todo" if said is None and status.name == machine.initial else "doing"


def is_to_do(status: Status) -> bool:
    """Say whether the workflow itself says of a status that it is still to do."""
    return _said(status) == "todo"


def tone(status: Status) -> Tone:
    """Return how a status is shown: trouble is also what is no gate and yet needs somebody."""
    if status.kind == "terminal":
        return "success" if status.is_success else "terminal"
    is_stuck = status.kind == "active" and _said(status) == "needs_you"
    if status.is_trouble or is_stuck:
        return "trouble"
    return "gate" if status.kind == "gate" else "active"


def _said(status: Status) -> Lane | None:
    """Return the lane that the workflow itself names, if it names one."""
    return WORDS.get(status.shown.get(SHOWN) or status.group)
