"""The way of a ticket: its ten groups of phases, what is done of it, where it stands, what comes.

Made from the inventory and the attempts: what a phase is called or where it belongs is said there.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from interlock.doors.web.chips import shortened
from interlock.doors.web.ticket.book import Attempt
from interlock.workflows.ticket.phases import BLOCKED, BY_NAME, GROUPS, PHASES

State = Literal["done", "now", "trouble", "to come"]
ERRORS: Final = "errors"


class Stop(NamedTuple):
    """A phase on the way, with the times that the ticket was there."""

    label: str
    state: State
    attempts: tuple[Attempt, ...]


class Group(NamedTuple):
    """A group of phases."""

    name: str
    label: str
    state: State
    stops: tuple[Stop, ...]

    @property
    def link(self) -> Attempt | None:
        """The attempt that stands for it: the last one."""
        times = [one for stop in self.stops for one in stop.attempts]
        return max(times, key=lambda one: one.number, default=None)


def track(attempts: Sequence[Attempt], labels: Mapping[str, str]) -> tuple[Group, ...]:
    """Return the groups in their order; ``labels`` says phases that are told otherwise now."""
    current = attempts[-1]
    at = [phase.name for phase in PHASES].index(_place(attempts))
    found = []
    for name, label in GROUPS.items():
        stops = tuple(
            Stop(
                labels.get(phase.name, shortened(phase.label)),
                _state(phase.name, place, at, current),
                tuple(one for one in attempts if one.phase == phase.name),
            )
            for place, phase in enumerate(PHASES)
            if phase.group == name
        )
        found.append(Group(name, label, _summed(name, stops), stops))
    return tuple(found)


def _place(attempts: Sequence[Attempt]) -> str:
    """Return the phase up to which the way is gone; being blocked or given up is none of it."""
    aside = (BLOCKED, "CANCELED")
    return [one.phase for one in attempts if one.phase not in aside][-1]


def _state(name: str, place: int, at: int, current: Attempt) -> State:
    if name == current.phase:
        return "trouble" if name == BLOCKED else "now"
    if place == at and current.phase == BLOCKED:
        return "trouble"
    return "done" if place < at and BY_NAME[name].group != "done" else "to come"


def _summed(name: str, stops: Sequence[Stop]) -> State:
    """Return the state of a group: errors that were mended are none any more."""
    states = [stop.state for stop in stops]
    for state in ("trouble", "now"):
        if state in states:
            return "trouble" if state == "trouble" else "now"
    if name == ERRORS:
        return "to come"
    return "done" if all(state == "done" for state in states) else "to come"
