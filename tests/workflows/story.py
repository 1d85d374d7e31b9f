"""Stories as tables: given how things stand, when an event comes, then how they stand afterwards.

A standing is written as ``"executing: completed in_progress* pending"``: the unit, then its parts
of one kind in order. Marks on a part: ``*`` held by session "me" with fence 1, ``!`` held by "me"
and lapsed, ``~`` claimed once and held by nobody, ``<`` needs the part before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from interlock.kernel.decide import decide
from interlock.kernel.entries import Move
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.replay import apply
from interlock.kernel.rules import AGENT, SYSTEM, USER
from interlock.kernel.seen import Actor, Event, Part, PartId, SliceError
from interlock.kernel.snapshot import Condition, Snapshot, begin, new_part
from interlock.kernel.workflow import Workflow

ME = Actor(AGENT, "me", "me")
OTHER = Actor(AGENT, "other", "other")
PERSON = Actor(USER, "ann", "ann")
CLOCK = Actor(SYSTEM, "clock", "clock")
MARKS: Mapping[str, dict[str, object]] = {
    "*": {"holder": "me", "fence": 1},
    "!": {"holder": "me", "fence": 1, "lapsed": True},
    "~": {"fence": 1},
    "<": {},
}


@dataclass(frozen=True, slots=True)
class Story:
    """One story. ``then`` is a standing; ``refused`` a code; ``moves`` the signals in order."""

    name: str
    given: str
    event: str
    by: Actor = ME
    part: int | None = None
    args: Mapping[str, object] = field(default_factory=dict)
    fields: Mapping[str, object] = field(default_factory=dict)
    own: Mapping[str, object] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    then: str = ""
    moves: str = ""
    refused: str = ""
    leaves: Mapping[str, object] = field(default_factory=dict)
    # What the unit's fields are afterwards, whoever the event is about.
    sets: Mapping[str, object] = field(default_factory=dict)


def standing(flow: Workflow, kind: str, words: str, fields: Mapping[str, object]) -> Snapshot:
    """Read a standing into a snapshot with parts named 1, 2, ..."""
    status, _, rest = words.partition(":")
    first = begin(flow, unit=fields)
    parts: list[Part] = []
    for place, word in enumerate(rest.split()):
        name = word.rstrip("".join(MARKS))
        marks: dict[str, object] = {}
        for mark in word[len(name) :]:
            marks |= MARKS[mark]
        needs = (str(place),) if "<" in word else ()
        parts.append(replace(new_part(flow, kind, marks, needs=needs), status=name))
    ids = tuple(str(place + 1) for place in range(len(parts)))
    return Snapshot(replace(first.unit, status=status), tuple(parts), ids)


def told(flow: Workflow, kind: str, story: Story) -> str:
    """Return what is wrong with how a workflow plays a story, or the empty string."""
    snapshot = standing(flow, kind, story.given, story.fields)
    part = None if story.part is None else str(story.part)
    if part is not None and story.own:
        snapshot = _with_own(snapshot, part, story.own)
    if part is not None and story.conditions:
        hung: dict[PartId, tuple[Condition, ...]] = {part: story.conditions}
        snapshot = snapshot.with_conditions(hung)
    event = Event(story.event, story.by, part, story.args)
    try:
        decision = decide(flow, look(flow, snapshot, event), event)
    except Refusal as refusal:
        return "" if refusal.code == story.refused else f"{story.name}: refused {refusal.code}"
    except (BrokenTable, SliceError) as broken:
        return f"{story.name}: {broken}"
    if story.refused:
        return f"{story.name}: accepted, not refused {story.refused}"
    after = apply(flow, snapshot, decision, lambda _, number: str(number + 1))
    signals = " ".join(f"{e.who}.{e.signal}" for e in decision.entries if isinstance(e, Move))
    words = f"{after.unit.status}: {' '.join(p.status for p in after.parts)}"
    if story.then and words != story.then:
        return f"{story.name}: ends {words!r}, not {story.then!r}"
    if story.moves and signals != story.moves:
        return f"{story.name}: moves {signals!r}, not {story.moves!r}"
    return _left(story, after, part)


def _with_own(snapshot: Snapshot, part: str, own: Mapping[str, object]) -> Snapshot:
    place = snapshot.place(part)
    parts = list(snapshot.parts)
    parts[place] = replace(parts[place], fields={**parts[place].fields, **own})
    return replace(snapshot, parts=tuple(parts))


def _left(story: Story, after: Snapshot, part: str | None) -> str:
    for name, value in story.leaves.items():
        owner = after.unit.fields if part is None else after.part(part).fields
        if owner[name] != value:
            return f"{story.name}: leaves {name} {owner[name]!r}, not {value!r}"
    for name, value in story.sets.items():
        if after.unit.fields[name] != value:
            return f"{story.name}: sets {name} {after.unit.fields[name]!r}, not {value!r}"
    return ""
