"""Random walks over workflows, for property tests: numbers choose which of the checker's events.

Parts have names here, as in a store, so that the same walk can be recorded and replayed. A walk
yields everything it tried, refused or accepted; an accepted event leads on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Final

from hypothesis import strategies as st

from interlock.kernel.check.effects import event_of
from interlock.kernel.check.explore import explore
from interlock.kernel.check.scope import Scope, Variant
from interlock.kernel.check.variants import applies, variants
from interlock.kernel.check.walk import Walk
from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import Record, fold, records
from interlock.kernel.seen import Event, Part, PartId, Seen, Unit
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import BUILT_IN
from tests.kernel.tiny import scope as tiny_scope

LENGTH: Final = 60
NUMBERS: Final = st.lists(st.integers(0, 9_999), min_size=LENGTH, max_size=LENGTH)
"""What a walk is drawn from; small numbers are simple walks, so a failure shrinks."""

ENDINGS: Final = 40
"""Of so many events that would end the unit, only one may: most walks should be long."""

NAMES: Final = ("plan", "mission", "ticket")
POINTERS: Final = frozenset({"inputs", "output", "outputs", "ready", "uses", "makes", "current"})
"""Arguments and fields that point at parts; in a scope they do so by place."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One event that was tried: what it saw, and what came of it."""

    flow: Workflow
    before: Snapshot
    event: Event
    seen: Seen
    decision: Decision | None = None
    refusal: Refusal | None = None
    log: tuple[Record, ...] = ()
    after: Snapshot | None = None


@cache
def scope_of(name: str) -> Scope:
    """Return a small scope of a built-in workflow, or of our tiny one."""
    return tiny_scope(items=3) if name == "cases" else BUILT_IN[name].scope(2)


@cache
def explored(name: str, bound: int) -> Walk:
    """Explore a built-in workflow, once for all tests."""
    return explore(BUILT_IN[name].scope(bound))


@cache
def small_missions() -> Walk:
    """Explore missions of one hop with one tool step, decided about by people; once for all."""
    scope = BUILT_IN["mission"].scope(1)
    return explore(
        replace(scope, starts=scope.starts[:1], most={**scope.most, "tool_step": 1}, is_wide=False)
    )


@cache
def variants_of(name: str) -> tuple[Variant, ...]:
    """Return what the checker would try."""
    return variants(scope_of(name))


def start_of(name: str, number: int) -> Snapshot:
    """Return where a walk starts: at a start of the scope, or deep inside a long workflow."""
    starts = scope_of(name).starts
    if name != "ticket":
        return named(starts[number % len(starts)])
    states = explored(name, 1).graph.states
    ended = scope_of(name).flow.table.terminal
    # Not the first states only: numbers drawn by a property test are mostly small.
    places = range(number * 7, number * 7 + len(states))
    found = next(
        states[n % len(states)] for n in places if states[n % len(states)][0].status not in ended
    )
    return named(Snapshot(*found))


def named(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot that speaks of places with names instead."""
    ids = tuple(f"{part.kind}-{place}" for place, part in enumerate(snapshot.parts))
    fields = _named(snapshot.unit.fields, ids)
    parts = tuple(
        replace(
            part,
            parent=ids[part.parent] if isinstance(part.parent, int) else part.parent,
            needs=tuple(ids[need] for need in part.needs if isinstance(need, int)),
            fields=_named(part.fields, ids),
        )
        for part in snapshot.parts
    )
    return Snapshot(replace(snapshot.unit, fields=fields), parts, ids)


def everything(
    walk: Walk, stride: int = 1
) -> Iterator[tuple[Snapshot, Event, Variant, int | None]]:
    """Yield, for every state of an exploration, every event about a thing of the right kind.

    With a ``stride`` only for one of so many states.
    """
    flow = walk.graph.scope.flow
    for state in walk.graph.states[::stride]:
        snapshot = Snapshot(*state)
        for variant in walk.graph.variants:
            is_units = variant.kind == flow.unit.name
            for place in (None,) if is_units else snapshot.of_kind(variant.kind):
                hung = _hung(snapshot, variant, place)
                if hung is not None and (place is None or applies(variant, snapshot.parts[place])):
                    yield hung, event_of(variant, snapshot.parts, place), variant, place


def wander(name: str, numbers: Sequence[int]) -> Iterator[Tried]:
    """Walk through a workflow, one accepted event for each number."""
    flow = scope_of(name).flow
    first, *rest = numbers
    now = start_of(name, first)
    ids, made = now.ids, count(len(now.parts))
    for number in rest:
        chosen: Tried | None = None
        for tried in _tries(flow, variants_of(name), now, number, ids):
            if tried.decision is None:
                yield tried
                continue
            chosen = tried
            if tried.decision.status not in flow.table.terminal or not number % ENDINGS:
                break
        if chosen is None or chosen.decision is None:
            return
        log = records(flow, chosen.before, chosen.decision, lambda k, _: f"{k}-{next(made)}")
        now = fold(flow, chosen.before, log).with_conditions({})
        yield replace(chosen, log=log, after=now)


def _tries(
    flow: Workflow, tried: tuple[Variant, ...], now: Snapshot, number: int, ids: tuple[str, ...]
) -> Iterator[Tried]:
    """Try variants from the chosen one on: that one always, others where the tables admit them."""
    found = [
        (variant, place)
        for variant in tried
        for place in ((None,) if variant.kind == flow.unit.name else now.of_kind(variant.kind))
    ]
    cut = number % len(found) if found else 0
    for turn, (variant, place) in enumerate(found[cut:] + found[:cut]):
        part = None if place is None else now.parts[place]
        rule = flow.table.rules[variant.event]
        if turn and not rule.admits(now.unit.status, part.status if part else ""):
            continue
        if part is not None and not applies(variant, part):
            continue
        snapshot = _hung(now, variant, place)
        if snapshot is not None:
            yield _try(flow, snapshot, _event(variant, now, place, ids))


def _try(flow: Workflow, snapshot: Snapshot, event: Event) -> Tried:
    seen = look(flow, snapshot, event)
    try:
        return Tried(flow, snapshot, event, seen, decide(flow, seen, event))
    except Refusal as refusal:
        return Tried(flow, snapshot, event, seen, refusal=refusal)


def _event(variant: Variant, now: Snapshot, place: int | None, ids: tuple[str, ...]) -> Event:
    event = event_of(variant, now.parts, place)
    part: PartId | None = None if place is None else now.name(place)
    return event._replace(part=part, args=_named(event.args, ids))


def _hung(now: Snapshot, variant: Variant, place: int | None) -> Snapshot | None:
    """Hang the variant's branches on its part; None where a target is not there."""
    if place is None or not variant.turns:
        return now
    last = place + max(turn.ahead for turn in variant.turns)
    if last >= len(now.parts):
        return None
    hung = tuple(
        Condition(turn.expression, turn.action, turn.params,
                  now.name(place + turn.ahead) if turn.ahead else None)
        for turn in variant.turns
    )  # fmt: skip
    return now.with_conditions({now.name(place): hung})


def _named(args: Mapping[str, object], ids: tuple[str, ...]) -> dict[str, object]:
    """Replace places by names, wherever an argument or a field points at parts."""
    return {key: _name(value, ids, points=key in POINTERS) for key, value in args.items()}


def _name(value: object, ids: tuple[str, ...], *, points: bool) -> object:
    if isinstance(value, Mapping):
        return _named(value, ids)
    if isinstance(value, tuple):
        return tuple(_name(one, ids, points=points) for one in value)
    return ids[value] if points and type(value) is int else value


def plain(value: object) -> object:
    """Return anything deep as values that can be compared: units, parts, slices, decisions."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(plain, value))
    if isinstance(value, Snapshot):
        return (plain(value.unit), plain(value.parts), value.ids)
    if isinstance(value, Unit | Part):
        return tuple(plain(getattr(value, name)) for name in value.__slots__)
    if isinstance(value, Seen):
        names = ("unit", "tally", "part", "conditions", "waits", "parent", "current", "children",
                 "dependents", "gate")  # fmt: skip
        return tuple(plain(getattr(value, name)) for name in names)
    return value
