"""How a status looks: a shape and a word, taken from the machine's own table."""

import re
from typing import Final, Literal, NamedTuple

from interlock.kernel.machine import Machine, Status

Look = Literal["active", "gate", "done", "bad", "idle"]
PASSED_OVER: Final = ("skipped", "superseded", "removed")
"""Ends that are neither good nor bad."""

COUNT: Final = "?/?"
UNFILLED: Final = re.compile(r" \((?:reason|[^()]*\?/\?)\)$")


class Chip(NamedTuple):
    """A status as it is shown."""

    look: Look
    label: str


def chip(machine: Machine, status: str, count: tuple[int, int] | None = None) -> Chip:
    """Return how a status of a machine looks; one that it does not have is shown by its name.

    A label that has room for how many are done of how many is filled with ``count``.
    """
    try:
        row = machine.status(status)
    except KeyError:
        return Chip("idle", status)
    label = row.label if count is None else row.label.replace(COUNT, f"{count[0]}/{count[1]}")
    return Chip(_look(machine, row), shortened(label) or _label(status))


def shortened(label: str) -> str:
    """Return a label without what only the unit itself can fill in: a reason, a count."""
    return UNFILLED.sub("", label)


def _label(status: str) -> str:
    words = status.replace("_", " ").lower()
    return words[:1].upper() + words[1:]


def _look(machine: Machine, row: Status) -> Look:
    if row.is_trouble or row.name == "stalled":
        return "bad"
    if row.kind == "gate":
        return "gate"
    if row.kind == "terminal":
        return "done" if row.is_success else "idle" if row.name.lower() in PASSED_OVER else "bad"
    return "idle" if row.name == machine.initial else "active"
