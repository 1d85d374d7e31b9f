"""The log is enough: decisions become records, and records fold back into the snapshot."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from interlock.kernel.entries import Cause, Decision, Drop, Entry, Move, New, Write
from interlock.kernel.look import look
from interlock.kernel.replay import Folding, Record, apply, begun, fold, records
from interlock.kernel.seen import Event, Part, PartId, Unit
from interlock.kernel.snapshot import Condition, Snapshot
from interlock.kernel.tally import tally
from interlock.kernel.workflow import Field
from tests.kernel.boxes import SHELVES, shelf, words
from tests.kernel.boxes import send as send_to_shelf
from tests.kernel.tiny import CASES, YES, case, send
from tests.kernel.wander import NAMES, NUMBERS, plain, start_of, wander
from tests.workflows.story import ME

RUNS = 25
WALKED = pytest.mark.parametrize("name", ["cases", *NAMES])
CAUSE = Cause("event", "probe")


# -- properties, over random walks of every workflow -----------------------------------------------


@WALKED
@settings(max_examples=RUNS)
@given(numbers=NUMBERS)
def test_replaying_the_records_from_nothing_gives_the_snapshot(
    name: str, numbers: list[int]
) -> None:
    now = start_of(name, numbers[0])
    log: tuple[Record, ...] = ()
    for tried in wander(name, numbers):
        log = log or begun(tried.flow, now, ME)
        log += tried.log
        now = tried.after or now

    if log:
        assert plain(fold(tried.flow, None, log).key()) == plain(now.key())


@WALKED
@settings(max_examples=RUNS)
@given(numbers=NUMBERS)
def test_a_decision_tells_how_things_stand_after_folding_it(name: str, numbers: list[int]) -> None:
    for tried in wander(name, numbers):
        if tried.decision is None or tried.after is None:
            continue
        told, after, part = tried.decision, tried.after, tried.event.part
        counted = {kind: counts for kind, counts in told.tally.items() if counts}

        assert plain(told.unit) == plain(after.unit)
        assert counted == tally(after.parts)
        if part is not None and part in after.ids:
            assert plain(told.part) == plain(after.part(part))


@WALKED
@settings(max_examples=RUNS // 2)
@given(numbers=NUMBERS)
def test_a_record_of_many_lists_as_many_as_the_decision_counted(
    name: str, numbers: list[int]
) -> None:
    for tried in wander(name, numbers):
        if tried.decision is not None:
            for entry, record in zip(tried.decision.entries, tried.log, strict=True):
                if isinstance(entry, Move) and entry.who != "unit":
                    assert len(record.ids) == entry.size


# -- one record at a time --------------------------------------------------------------------------


def decided(snapshot: Snapshot, *entries: Entry, part: PartId | None = None) -> Decision:
    """Return a decision with these entries, made at 7."""
    return Decision(Event("probe", ME, part), 7, snapshot.unit, None, {}, entries, {})


def after(snapshot: Snapshot, *entries: Entry, part: str | None = "1") -> str:
    """Fold entries of a decision and say how a case stands then."""
    decision = decided(snapshot, *entries, part=part)
    then = apply(CASES, snapshot, decision, lambda kind, number: f"{kind}{number}")
    return f"{then.unit.status}: " + " ".join(
        f"{name}={row.status}" for name, row in zip(then.ids, then.parts, strict=True)
    )


def test_a_unit_that_was_just_made_is_a_beginning_and_its_first_parts() -> None:
    start = case("open: waiting waiting<")
    log = begun(CASES, start, ME, at=5)

    assert [(r.change, r.ids, r.after, r.needs, r.at) for r in log] == [
        ("begin", (), None, (), 5),
        ("new", ("1",), None, (), 5),
        ("new", ("2",), "1", ("1",), 5),
    ]
    assert fold(CASES, None, log).key() == start.key()


def test_a_beginning_tells_who_made_what_under_which_parent() -> None:
    start = shelf("made: shut(loose)")
    first, box, item = begun(SHELVES, start, ME)

    assert first == Record(
        "begin", "begin", ME, 0, "shelf", is_unit=True, target="made",
        fields=tuple(start.unit.fields.items()),
    )  # fmt: skip
    assert box == Record(
        "new", "begin", ME, 0, "box", ids=("a",), target="shut",
        fields=tuple(start.parts[0].fields.items()),
    )  # fmt: skip
    assert (item.kind, item.event, item.actor, item.parent) == ("item", "begin", ME, "a")
    assert fold(SHELVES, None, (first, box, item)).key() == start.key()


def test_parts_are_put_in_another_order_where_they_stood() -> None:
    start = shelf("used: opened(loose packed) shut()")
    order = Record("arrange", "sort", ME, 0, "item", ids=("b", "a2", "a"))

    assert words(fold(SHELVES, start, (order,))) == ("used: b shut, a1 loose, a2 packed, a opened")
    with pytest.raises(KeyError, match="z"):
        fold(SHELVES, start, (replace(order, ids=("a", "z")),))
    with pytest.raises(ValueError, match="name the parts"):
        fold(SHELVES, replace(start, ids=()), (replace(order, ids=(1, 0)),))


def test_a_record_names_ids_actor_time_signal_cause_and_reason() -> None:
    snapshot = case("busy: held* waiting")
    decision = send(snapshot, "drop", by=(ann := ME._replace(kind="user")))
    log = records(CASES, snapshot, decision._replace(at=9))

    assert log[0] == Record(
        "move", "drop", ann, 9, "case", is_unit=True, signal="drop", source="busy",
        target="dropped", cause=Cause("event", "drop"),
    )  # fmt: skip
    assert [(r.ids, r.source, r.cause.name, r.reason) for r in log[1:]] == [
        (("1",), "held", "a dropped case voids its items", "case dropped"),
        (("2",), "waiting", "a dropped case voids its items", "case dropped"),
    ]


SAID = Record("", "probe", ME, 7, "box")


@pytest.mark.parametrize(
    ("entry", "record"),
    [
        (Write("part", "item", "note", 1),
         replace(SAID, change="write", kind="item", ids=("a1",), field="note", value=1)),
        (Write("parent", "box", "size", 2),
         replace(SAID, change="write", ids=("a",), field="size", value=2)),
        (Drop("current", "box", "gone"), replace(SAID, change="drop", ids=("b",), reason="gone")),
        (Write("unit", "shelf", "current", None),
         replace(SAID, change="write", kind="shelf", is_unit=True, field="current")),
    ],
)  # fmt: skip
def test_what_is_written_or_dropped_is_recorded_by_name(entry: Entry, record: Record) -> None:
    start = shelf("used: opened(loose) shut()", "b")

    assert records(SHELVES, start, decided(start, entry, part="a1")) == (record,)


def test_a_role_that_nobody_has_names_nobody() -> None:
    start = shelf("used: opened()")
    lost = Move("current", "box", "lose", "opened", "lost", CAUSE)
    decision = decided(start, lost, part="a")

    assert [record.ids for record in records(SHELVES, start, decision)] == [()]


@pytest.mark.parametrize(
    ("entry", "then"),
    [
        (Move("unit", "case", "ask", "busy", "asked", CAUSE), "asked: 1=held 2=waiting 3=waiting"),
        (Move("part", "item", "do", "held", "done", CAUSE), "busy: 1=done 2=waiting 3=waiting"),
        (Move("all", "item", "void", "waiting", "void", CAUSE, "", 2),
         "busy: 1=held 2=void 3=void"),
        (Move("dependents", "item", "take", "waiting", "held", CAUSE),
         "busy: 1=held 2=held 3=waiting"),
        (Drop("part", "item"), "busy: 2=waiting 3=waiting"),
        (Drop("all", "item"), "busy: "),
        (Drop("all", "item", sources=("waiting",)), "busy: 1=held"),
        (New("item", "waiting", {}), "busy: 1=held 2=waiting 3=waiting item3=waiting"),
        (New("item", "waiting", {}, "part"), "busy: 1=held item3=waiting 2=waiting 3=waiting"),
    ],
)  # fmt: skip
def test_every_kind_of_entry_folds(entry: Entry, then: str) -> None:
    assert after(case("busy: held* waiting< waiting"), entry) == then


def test_several_parts_made_after_one_stand_in_the_order_they_were_made() -> None:
    rows = [New("item", status, {}, "part") for status in ("waiting", "held", "done")]

    assert after(case("busy: held* void"), *rows) == (
        "busy: 1=held item2=waiting item3=held item4=done 2=void"
    )


def test_a_new_part_needs_new_ones_by_number_and_old_ones_by_name_and_feeds_others() -> None:
    snapshot = case("busy: held* waiting")
    rows = (
        New("item", "waiting", {}),
        New("item", "waiting", {}, needs=(0,), uses=("1",), feeds=("2",)),
    )
    then = apply(CASES, snapshot, decided(snapshot, *rows), lambda _, number: f"n{number}")

    assert then.part("n3").needs == ("n2", "1")
    assert plain(then.part("2")) == plain(replace(snapshot.part("2"), needs=("n3",)))
    assert then.part("n3").fields == {}
    assert then.ids == ("1", "2", "n2", "n3")


def test_a_dropped_part_is_needed_by_nobody_any_more() -> None:
    snapshot = case("busy: held* waiting<")

    then = apply(CASES, snapshot, decided(snapshot, Drop("part", "item"), part="1"))
    assert plain(then.part("2")) == plain(replace(snapshot.part("2"), needs=()))


def test_what_is_made_or_dropped_under_a_parent_leaves_the_others_under_theirs() -> None:
    start = shelf("used: opened(loose loose packed)")
    needy = replace(start.parts[2], needs=("a1", "a3"))
    start = replace(start, parts=(*start.parts[:2], needy, start.parts[3]))
    new = Record("new", "add", ME, 0, "item", ids=("x",), target="loose", feeds=("a2",),
                 fields=(("note", "n"),), parent="a")  # fmt: skip
    gone = Record("drop", "take", ME, 0, "item", ids=("a1",))

    then = fold(SHELVES, start, (new, gone))

    assert plain(then.part("a2")) == plain(replace(needy, needs=("a3", "x")))
    assert plain(then.part("x")) == plain(Part("item", "loose", {"note": "n"}, "a"))


def test_a_range_covers_those_between_the_part_and_the_target_of_its_branch() -> None:
    snapshot = case("busy: waiting waiting held waiting waiting").with_conditions(
        {"1": (Condition(YES, "jump", target="5"),)}
    )
    move = Move("range", "item", "void", "waiting", "void", CAUSE, "", 2, 0)

    assert after(snapshot, move) == "busy: 1=waiting 2=void 3=held 4=void 5=waiting"


def test_a_range_without_a_target_or_without_a_part_covers_nobody() -> None:
    hung = case("busy: held* waiting").with_conditions({"1": (Condition(YES, "jump"),)})
    move = Move("range", "item", "void", "waiting", "void", CAUSE, "", 2, 0)

    assert after(hung, move) == after(hung, move, part=None) == "busy: 1=held 2=waiting"


def test_a_part_without_a_place_of_its_own_is_made_at_the_end_under_nobody() -> None:
    start = shelf("used: opened(loose) shut()")
    new = New("item", "loose", {"note": "n"})

    then = apply(SHELVES, start, decided(start, new, part="a1"), lambda *_: "x")

    assert then.ids == (*start.ids, "x")
    assert plain(then.part("x")) == plain(Part("item", "loose", {"note": "n"}))


def test_a_move_in_place_ends_no_field_and_a_move_away_does() -> None:
    snapshot = case("busy: held*")
    stay = Move("part", "item", "x", "held", "held", CAUSE)
    away = Move("part", "item", "do", "held", "done", CAUSE)
    there = [apply(CASES, snapshot, decided(snapshot, e, part="1")) for e in (stay, away)]

    assert [one.part("1").fields["holder"] for one in there] == ["me", None]


def test_a_part_that_is_moved_or_written_to_stays_where_it_belongs() -> None:
    start = shelf("used: opened(loose loose)")
    needy = replace(start.parts[2], needs=("a1",))
    start = replace(start, parts=(*start.parts[:2], needy))
    write = Record("write", "p", ME, 0, "item", ids=("a2",), field="note", value="n")
    move = Record("move", "p", ME, 0, "item", ids=("a2",), source="loose", target="packed")

    written, moved = (fold(SHELVES, start, (one,)).part("a2") for one in (write, move))
    assert plain(written) == plain(replace(needy, fields={**needy.fields, "note": "n"}))
    assert plain(moved) == plain(replace(needy, status="packed"))
    assert Folding(SHELVES, start).about(move) == [needy]


def test_a_field_that_lives_in_both_statuses_survives_the_move_between_them() -> None:
    (items,) = CASES.parts
    mark = Field("mark", 0, during=("waiting", "held"))
    since = Field("since", 0, during=("open", "busy"))
    flow = replace(CASES, parts=(replace(items, fields=(*items.fields, mark)),), fields=(since,))
    start = case("open: waiting", flow, since=7)
    marked = replace(start.parts[0], fields={**start.parts[0].fields, "mark": 7})
    begin = Record("move", "p", ME, 0, "case", is_unit=True, source="open", target="busy")
    take = Record("move", "p", ME, 0, "item", ids=("1",), source="waiting", target="held")

    assert Folding(flow, start).about(begin) == [start.unit]
    then = fold(flow, replace(start, parts=(marked,)), (begin, take))
    assert (then.unit.fields["since"], then.parts[0].fields["mark"]) == (7, 7)


def test_a_unit_that_moves_in_place_keeps_its_fields() -> None:
    snapshot = case("busy: held*", most=1)
    entries = (Move("unit", "case", "x", "busy", "busy", CAUSE), Write("unit", "case", "most", 2))

    then = apply(CASES, snapshot, decided(snapshot, *entries))
    assert plain(then.unit) == plain(Unit("busy", {**snapshot.unit.fields, "most": 2}))


def test_a_unit_that_moves_away_ends_the_fields_of_where_it_was() -> None:
    flow = replace(CASES, fields=(*CASES.fields, Field("asker", "", during=("asked",))))
    start = case("asked: held*", flow, asker="ann", most=1)
    away = Record("move", "answer", ME, 0, "case", is_unit=True, source="asked", target="busy")

    then = fold(flow, start, (away,))
    assert plain(then.unit) == plain(Unit("busy", {**start.unit.fields, "asker": ""}))


@pytest.mark.parametrize(
    ("event", "part", "then"),
    [
        ("empty", "a", "used: a opened, b shut, b1 loose"),
        ("empty_around", "a1", "used: a opened, b shut, b1 loose"),
        ("empty_current", None, "used: a opened, a1 loose, a2 packed, b shut"),
        ("lose", "a", "used: a lost, a1 lost, a2 packed, b shut, b1 loose"),
        ("add_item", "b", "used: a opened, a1 loose, a2 packed, b shut, b1 loose, new loose"),
    ],
)
def test_children_are_the_same_parts_in_the_log_as_in_the_decision(
    event: str, part: str | None, then: str
) -> None:
    snapshot = shelf("used: opened(loose packed) shut(loose)", "b")
    decision = send_to_shelf(snapshot, event, part)
    folded = apply(SHELVES, snapshot, decision, lambda *_: "new")

    assert words(folded) == then
    assert {k: v for k, v in decision.tally.items() if v} == tally(folded.parts)


def test_what_stands_under_the_current_part_is_nothing_where_there_is_none() -> None:
    snapshot = shelf("used: opened(loose)")
    decision = send_to_shelf(snapshot, "empty_current")

    assert apply(SHELVES, snapshot, decision).key() == snapshot.key()


def test_a_new_part_stands_under_the_parent_or_the_current_part_where_it_says_so() -> None:
    snapshot = shelf("used: opened(loose) shut()", "b")
    rows = (New("item", "loose", {}, parent="parent"), New("item", "loose", {}, parent="current"))
    names = iter(("x", "y"))
    then = apply(SHELVES, snapshot, decided(snapshot, *rows, part="a1"), lambda *_: next(names))

    assert (then.part("x").parent, then.part("y").parent) == ("a", "b")
    beside = decided(snapshot, New("item", "loose", {}, after="parent"), part="a1")
    assert apply(SHELVES, snapshot, beside, lambda *_: "x").ids == ("a", "x", "a1", "b")


def test_parts_without_names_can_move_and_be_added_at_the_end() -> None:
    snapshot = Snapshot(Unit("busy", {}), (Part("item", "held", {}),))
    entries = (Move("part", "item", "do", "held", "done", CAUSE), New("item", "waiting", {}))
    decision = decided(snapshot, *entries, part=0)

    assert [part.status for part in apply(CASES, snapshot, decision).parts] == ["done", "waiting"]


@pytest.mark.parametrize(
    "entry", [New("item", "waiting", {}, "part"), Drop("part", "item")], ids=["insert", "drop"]
)
def test_parts_without_names_cannot_shift_because_places_are_all_they_have(entry: Entry) -> None:
    snapshot = Snapshot(Unit("busy", {}), (Part("item", "held", {}), Part("item", "done", {})))

    with pytest.raises(ValueError, match="name the parts"):
        apply(CASES, snapshot, decided(snapshot, entry, part=0))


def test_a_part_that_is_made_among_named_ones_needs_a_name() -> None:
    snapshot = case("busy: held*")

    with pytest.raises(ValueError, match="pass name_of"):
        apply(CASES, snapshot, decided(snapshot, New("item", "waiting", {}), part="1"))


def test_a_log_needs_a_beginning_or_a_snapshot_to_start_from() -> None:
    snapshot = case("busy: held*")
    log = records(CASES, snapshot, send(snapshot, "finish", "1"))

    with pytest.raises(ValueError, match="without a beginning"):
        fold(CASES, None, log)
    with pytest.raises(ValueError, match=r"^an empty log"):
        fold(CASES, None, ())
    assert fold(CASES, snapshot, ()).key() == snapshot.key()


def test_branches_stay_on_a_snapshot_that_goes_on() -> None:
    snapshot = case("busy: held*").with_conditions({"1": (Condition(YES, "stop"),)})
    event = Event("finish", ME, "1")
    decision = send(snapshot, "finish", "1")

    assert look(CASES, snapshot, event).part is snapshot.parts[0]
    assert apply(CASES, snapshot, decision).conditions == snapshot.conditions
    assert replace(snapshot, conditions={}).key() == snapshot.key()
