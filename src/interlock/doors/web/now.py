"""The first line of a unit's page: who is waited for, since when, and what can be done about it.

Taken from what the kernel explains, which has tried everything that it names.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from interlock.doors.web.moves import path_of
from interlock.doors.web.parts import Line
from interlock.kernel.rules import USER
from interlock.kernel.why import Call, Why
from interlock.store.gates import GateRow

WORKING_MAX: Final = 3
Look = Literal["", "main", "bad"]
OFFERED: Final[tuple[tuple[str, str, Look], ...]] = (
    ("fix_hop", "Fix it…", "main"),
    ("modify_plan", "Modify…", ""),
    ("complete_early", "Complete it…", ""),
    ("reset_mission", "Begin anew…", ""),
    ("abandon_recovery", "Give it up…", "bad"),
    ("cancel", "Cancel it…", "bad"),
    ("fail_plan", "End it…", "bad"),
)
"""What people do about a unit as a whole, where it is legal: what lets it go on comes first."""


class Button(NamedTuple):
    """Something that can be done, and where."""

    label: str
    path: str
    look: Look = ""


class Now(NamedTuple):
    """What is to be done now; ``look`` repeats it as a colour."""

    look: Literal["", "go", "done", "bad"]
    head: str
    since: int | None
    text: str
    buttons: tuple[Button, ...]


class Facts(NamedTuple):
    """What the line is made from."""

    unit: str
    why: Why
    is_success: bool
    lines: Sequence[Line]
    gates: Sequence[GateRow]
    since: int
    may_work: bool


def what_now(facts: Facts) -> Now:
    """Say what a unit waits for."""
    waiting = [gate for gate in facts.gates if gate.is_open]
    if waiting:
        return _asked(facts, waiting)
    if facts.why.is_ended:
        return _ended(facts)
    silent = [line for line in facts.lines if line.is_silent and not line.is_ended]
    if silent:
        return _silent(facts, silent)
    held = [line for line in facts.lines if line.holder and not line.is_ended]
    if held:
        names = ", ".join(f"“{line.title}”" for line in held[:WORKING_MAX])
        more = f" and {len(held) - WORKING_MAX} more" if len(held) > WORKING_MAX else ""
        who = "Somebody is" if len(held) == 1 else f"{len(held)} are"
        text = f"{names}{more}. Nothing is asked of you."
        return Now("go", f"{who} at work", facts.since, text, tuple(_buttons(facts)))
    return _idle(facts)


def _asked(facts: Facts, waiting: Sequence[GateRow]) -> Now:
    first = waiting[0]
    more = f" {len(waiting) - 1} more wait after it." if len(waiting) > 1 else ""
    text = f"{first.title or 'A decision is asked for'}.{more}"
    review = Button("Review", f"/gates/{first.id}", "main")
    return Now("", "Waiting for you", first.opened_at, text, (review, *_buttons(facts)))


def _ended(facts: Facts) -> Now:
    look: Literal["done", "bad"] = "done" if facts.is_success else "bad"
    head = "It is done" if facts.is_success else f"It has ended: {facts.why.status}"
    text = "Nothing moves it any more." if not facts.why.calls else ""
    return Now(look, head, facts.since, text, tuple(_buttons(facts)))


def _silent(facts: Facts, silent: Sequence[Line]) -> Now:
    first = silent[0]
    text = (
        f"{first.holder or 'Its agent'} has said nothing about “{first.title}” for too long. "
        "Another agent may take it up; you may take it over."
    )
    see = Button("Look at it", f"/units/{facts.unit}/parts/{first.id.rpartition('.')[2]}", "main")
    return Now("bad", "Nobody is heard from", facts.since, text, (see, *_buttons(facts)))


def _idle(facts: Facts) -> Now:
    """Say what would move it: in the words of its workflow, else the first call that would."""
    if facts.why.waits:
        first = facts.why.waits[0]
        is_ours = USER in first.who
        look: Literal["", "go"] = "" if is_ours else "go"
        head = "Waiting for a person" if is_ours else "Ready for an agent"
        return Now(look, head, facts.since, first.what, tuple(_buttons(facts)))
    calls = [call for call in facts.why.calls if not call.is_giving_up]
    ours = [call for call in calls if set(call.actors) - {USER}]
    if ours:
        text = f"It goes on when an agent calls {_named(ours[0])}."
        return Now("go", "Ready for an agent", facts.since, text, tuple(_buttons(facts)))
    if calls:
        text = f"It goes on when a person calls {_named(calls[0])}."
        return Now("", "Waiting for a person", facts.since, text, tuple(_buttons(facts)))
    fact = facts.why.facts[0].what if facts.why.facts else "Nothing is legal here"
    return Now("bad", "Nothing can move it now", facts.since, f"{fact}.", ())


def _named(call: Call) -> str:
    return (call.command or call.event).split(" ")[0]


def _buttons(facts: Facts) -> Iterator[Button]:
    """Yield what this person may do about the unit as a whole."""
    if not facts.may_work:
        return
    legal: dict[str, Call] = {}
    for call in facts.why.calls:
        if USER in call.actors:
            legal.setdefault(_named(call), call)
    for command, label, look in OFFERED:
        path = _form(facts, legal[command]) if command in legal else ""
        if path:
            yield Button(label, path, look)


def _form(facts: Facts, call: Call) -> str:
    """Return where the form for a call is; a change of a plan begins with the choice of one."""
    if _named(call) == "modify_plan":
        return f"/units/{facts.unit}/modify"
    return path_of(facts.unit, call, "", is_held=False)
