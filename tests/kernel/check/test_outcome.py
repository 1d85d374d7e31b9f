"""What a decision makes of a state without names is what its records make of one with names."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from interlock.kernel.check.outcome import after
from interlock.kernel.check.space import Parts, Space, State
from interlock.kernel.check.walk import Walk
from interlock.kernel.decide import decide
from interlock.kernel.entries import Cause, Decision, Drop, Entry, Move, New, Write
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import apply
from interlock.kernel.seen import Event, PartId, Unit
from interlock.kernel.snapshot import Conditions, Snapshot
from interlock.kernel.workflow import Workflow
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.check.apart import by_place, plain_state, within
from tests.kernel.tiny import CASES, case
from tests.kernel.wander import everything, explored, small_missions
from tests.workflows.story import ME

CAUSE = Cause("event", "probe")


# -- the property, over every accepted event of every reachable state ------------------------------


@pytest.mark.parametrize("name", ["plan", "mission", "ticket"])
def test_every_decision_in_every_state_leads_where_its_records_lead(
    request: pytest.FixtureRequest, name: str
) -> None:
    walk = small_missions() if name == "mission" else explored(name, 2 if name == "plan" else 1)
    space = Space(walk.graph.scope.flow)
    count = 0
    # Daily a part of what is not a plan; all of it in `make proofs-long`.
    stride = 1 if name == "plan" or request.config.getoption("--long") else 3
    for snapshot, decision, place, ahead in decided(walk, stride):
        unit, parts = within(space, snapshot)
        count += 1

        assert plain_state(
            space.state(*after(space, unit, parts, place or 0, decision, ahead))
        ) == plain_state(folded(space, snapshot, decision))
    assert count > walk.graph.accepted // (2 * stride)


def decided(
    walk: Walk, stride: int
) -> Iterator[tuple[Snapshot, Decision, int | None, tuple[int, ...]]]:
    """Yield every accepted event of every state, with what its branches point at."""
    flow = walk.graph.scope.flow
    for snapshot, event, variant, place in everything(walk, stride):
        try:
            decision = decide(flow, look(flow, snapshot, event), event)
        except Refusal:
            continue
        yield snapshot, decision, place, tuple(turn.ahead for turn in variant.turns)


def folded(space: Space, snapshot: Snapshot, decision: Decision) -> State:
    """Name the parts, fold the decision's records, and speak of places again."""
    names = tuple(f"n{place}" for place in range(len(snapshot.parts)))
    unit = dict(snapshot.unit.fields)
    if isinstance(unit.get("current"), int):
        unit["current"] = f"n{unit['current']}"
    given = Snapshot(Unit(snapshot.unit.status, unit), tuple(
        replace(part, parent=_name(part.parent), needs=_names(part.needs))
        for part in snapshot.parts
    ), names, _named(snapshot.conditions))  # fmt: skip
    made = iter(range(len(names), 10_000))
    event = decision.event._replace(part=_name(decision.event.part))
    told = decision._replace(event=event, entries=tuple(map(_entry, decision.entries)))
    then = apply(space.flow, given, told, lambda *_: f"n{next(made)}")
    return space.state(*within(space, by_place(then)))


def _entry(entry: Entry) -> Entry:
    """Return an entry that names parts where it speaks of them by place."""
    if isinstance(entry, New):
        return entry._replace(uses=_names(entry.uses), feeds=_names(entry.feeds))
    if isinstance(entry, Write) and entry.field == "current" and isinstance(entry.value, int):
        return entry._replace(value=f"n{entry.value}")
    return entry


def _name(part: PartId | None) -> str | None:
    return None if part is None else f"n{part}"


def _names(parts: tuple[PartId, ...]) -> tuple[PartId, ...]:
    return tuple(f"n{part}" for part in parts)


def _named(conditions: Conditions) -> Conditions:
    return {
        f"n{part}": tuple(replace(row, target=_name(row.target)) for row in rows)
        for part, rows in conditions.items()
    }


# -- one entry at a time ---------------------------------------------------------------------------


def then(
    flow: Workflow, snapshot: Snapshot, *entries: Entry, place: int | None = 0
) -> tuple[Unit, Parts]:
    """Return unit and parts after a decision made of these entries."""
    space = Space(flow)
    unit, parts = within(space, by_place(snapshot))
    decision = Decision(Event("probe", ME, place), 0, unit, None, {}, entries, {})
    return after(space, unit, parts, place or 0, decision, (3, 2))


def statuses(flow: Workflow, snapshot: Snapshot, *entries: Entry, place: int | None = 0) -> str:
    """Return the statuses after a decision made of these entries."""
    unit, parts = then(flow, snapshot, *entries, place=place)
    return f"{unit.status}: {' '.join(part.status for part in parts)}"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (Move("unit", "case", "ask", "busy", "asked", CAUSE), "asked: held waiting waiting done"),
        (Move("part", "item", "do", "held", "done", CAUSE), "busy: done waiting waiting done"),
        (Move("all", "item", "void", "waiting", "void", CAUSE), "busy: held void void done"),
        (Move("range", "item", "void", "waiting", "void", CAUSE, "", 2, 0),
         "busy: held void void done"),
        (Move("range", "item", "void", "waiting", "void", CAUSE, "", 1, 1),
         "busy: held void waiting done"),
        (Drop("part", "item"), "busy: waiting waiting done"),
        (Drop("all", "item", sources=("waiting",)), "busy: held done"),
        (New("item", "void", CASES.parts[0].defaults()), "busy: held waiting waiting done void"),
        (New("item", "void", CASES.parts[0].defaults(), "part"),
         "busy: held void waiting waiting done"),
    ],
)  # fmt: skip
def test_every_kind_of_entry_is_carried_out(entry: Entry, told: str) -> None:
    assert statuses(CASES, case("busy: held waiting waiting done"), entry) == told


def test_dependents_are_those_that_need_the_part() -> None:
    move = Move("dependents", "item", "take", "waiting", "held", CAUSE)

    assert statuses(CASES, case("busy: held waiting< waiting"), move) == "busy: held held waiting"


def test_writes_reach_the_unit_the_part_or_all() -> None:
    unit, parts = then(
        CASES, case("busy: held waiting"),
        Write("unit", "case", "most", 3), Write("part", "item", "lapsed", value=True),
        Write("all", "item", "fence", 1),
    )  # fmt: skip

    assert unit.fields["most"] == 3
    assert [(p.fields["lapsed"], p.fields["fence"]) for p in parts] == [(True, 1), (False, 1)]


def test_nothing_written_about_the_unit_leaves_it_the_same_object() -> None:
    space = Space(CASES)
    unit, parts = within(space, by_place(case("busy: held")))
    decision = Decision(Event("probe", ME, 0), 0, unit, None, {}, (), {})

    assert after(space, unit, parts, 0, decision, ()) == (unit, parts)


def test_several_new_parts_stand_in_order_and_need_each_other() -> None:
    blank = CASES.parts[0].defaults()
    _, parts = then(
        CASES, case("busy: held waiting"),
        New("item", "waiting", blank, "part"),
        New("item", "done", blank, "part", needs=(0,), uses=(1,), feeds=(1,)),
    )  # fmt: skip

    assert [(part.status, part.needs) for part in parts] == [
        ("held", ()),
        ("waiting", ()),
        ("done", (1, 3)),
        ("waiting", (2,)),
    ]


def test_what_pointed_at_a_dropped_part_no_longer_does() -> None:
    snapshot = shelf("used: opened(loose) shut(loose)", "b")
    placed = replace(by_place(snapshot), unit=replace(snapshot.unit, fields={"current": 2}))
    space = Space(SHELVES)
    unit, parts = within(space, placed)
    drops = (Drop("part", "box"), Drop("children", "item"))
    decision = Decision(Event("probe", ME, 0), 0, unit, None, {}, drops, {})
    unit, parts = after(space, unit, parts, 0, decision, ())

    assert unit.fields["current"] == 0
    assert [(part.kind, part.parent) for part in parts] == [("box", None), ("item", 0)]


@pytest.mark.parametrize(
    ("place", "current", "told"),
    [
        (0, None, "used: opened shut loose"),
        (1, None, "used: opened shut loose"),
        (None, 3, "used: opened loose packed shut"),
        (None, None, "used: opened loose packed shut loose"),
    ],
    ids=["under the part", "beside it", "under the current one", "under nobody"],
)
def test_children_are_the_family_of_the_part_or_else_of_the_current_one(
    place: int | None, current: int | None, told: str
) -> None:
    snapshot = by_place(shelf("used: opened(loose packed) shut(loose)"))
    given = replace(snapshot, unit=replace(snapshot.unit, fields={"current": current}))

    space = Space(SHELVES)
    unit, parts = within(space, given)
    drop = (Drop("children", "item"),)
    decision = Decision(Event("probe", ME, place), 0, unit, None, {}, drop, {})
    _, left = after(space, unit, parts, place or 0, decision, ())

    assert f"used: {' '.join(part.status for part in left)}" == told


@pytest.mark.parametrize(("role", "above"), [("part", 1), ("parent", 0), ("current", 2)])
def test_a_new_part_stands_under_whom_it_says(role: str, above: int) -> None:
    snapshot = by_place(shelf("used: opened(loose) shut()"))
    given = replace(snapshot, unit=replace(snapshot.unit, fields={"current": 2}))
    space = Space(SHELVES)
    unit, parts = within(space, given)
    new = (New("item", "loose", {}, parent=role),)
    decision = Decision(Event("probe", ME, 1), 0, unit, None, {}, new, {})
    _, grown = after(space, unit, parts, 1, decision, ())

    assert grown[-1].parent == above


def test_a_move_of_the_parent_or_the_current_part_is_theirs() -> None:
    snapshot = by_place(shelf("used: opened(loose) shut()"))
    given = replace(snapshot, unit=replace(snapshot.unit, fields={"current": 2}))
    space = Space(SHELVES)
    unit, parts = within(space, given)
    moves = (
        Move("parent", "box", "pack", "opened", "packed", CAUSE),
        Move("current", "box", "open", "shut", "opened", CAUSE),
    )
    decision = Decision(Event("probe", ME, 1), 0, unit, None, {}, moves, {})
    _, moved = after(space, unit, parts, 1, decision, ())

    assert [part.status for part in moved] == ["packed", "loose", "opened"]


def test_what_was_dropped_is_not_moved_any_more() -> None:
    entries = (Drop("part", "item"), Move("part", "item", "do", "held", "done", CAUSE))

    assert statuses(CASES, case("busy: held waiting"), *entries) == "busy: waiting"


def test_what_stood_above_a_dropped_part_cannot_be_asked_for_any_more() -> None:
    drop, move = Drop("part", "item"), Move("parent", "box", "pack", "opened", "packed", CAUSE)

    with pytest.raises(KeyError):
        then(SHELVES, shelf("used: opened(loose)"), drop, move, place=1)


def test_a_role_that_nobody_has_is_a_mistake() -> None:
    move = Move("current", "box", "pack", "opened", "packed", CAUSE)

    with pytest.raises(TypeError):
        then(SHELVES, shelf("used: opened(loose)"), move, place=1)
