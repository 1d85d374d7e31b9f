"""The work sheet of a decision: every verb, the entries it leaves, and tallies kept true."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from interlock.kernel.draft import SESSIONS_MAX, Draft
from interlock.kernel.entries import Cause, Drop, Move, New, Write
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenWalk
from interlock.kernel.seen import SLICES, Actor, Event, SliceError
from interlock.kernel.snapshot import Condition
from interlock.kernel.workflow import Field
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import CASES, YES, added, case, draft, rule_that
from tests.workflows.story import ME

BY_EVENT = Cause("event", "probe")
SEEING = added(rule_that(sees=tuple(SLICES)))


def on_shelf(words: str, part: str | None, current: str | None = None) -> Draft:
    """Return the work sheet of an event that sees everything of a shelf."""
    kind = "shelf" if part is None else "item" if part[1:] else "box"
    flow = added(rule_that(kind=kind, sees=tuple(SLICES)), flow=SHELVES)
    event = Event("probe", ME, part)
    return Draft(flow, look(flow, shelf(words, current), event), event, 0)


def test_firing_takes_the_edge_and_writes_it_down() -> None:
    sheet = draft("open: waiting")

    assert sheet.fire("part", "take", reason="because")
    assert sheet.part.status == "held"
    assert sheet.counts("item") == {"held": 1}
    assert sheet.entries == [Move("part", "item", "take", "waiting", "held", BY_EVENT, "because")]


def test_what_was_seen_stays_as_it_was() -> None:
    sheet = draft("open: waiting")
    sheet.fire("part", "take")
    sheet.write("part", "note", "mine")
    sheet.write("unit", "most", 1)

    assert (sheet.seen.part.status, sheet.seen.part.fields["note"]) == ("waiting", "")  # type: ignore[union-attr]
    assert sheet.seen.tally == {"item": {"waiting": 1}}
    assert sheet.seen.unit.fields["most"] is None


def test_a_missing_edge_breaks_the_walk_unless_it_may_be_missing() -> None:
    sheet = draft("busy: held")

    with pytest.raises(BrokenWalk, match="probe: part has no edge take from held"):
        sheet.fire("part", "take")
    assert not sheet.fire("part", "take", maybe=True)
    assert sheet.entries == []


def test_firing_on_nobody_breaks_the_walk() -> None:
    sheet = on_shelf("used: opened()", None)

    with pytest.raises(BrokenWalk, match="current has no edge open from nowhere"):
        sheet.fire("current", "open")
    assert not sheet.fire("current", "open", maybe=True)


def test_leaving_a_status_ends_the_fields_that_live_in_it() -> None:
    sheet = draft("busy: held!")
    sheet.fire("part", "do")

    assert sheet.part.fields == {"holder": None, "fence": 1, "lapsed": False, "note": ""}


def test_writing_what_is_there_already_writes_nothing_but_true_is_not_one() -> None:
    sheet = draft("busy: held*")
    sheet.write("part", "fence", 1)
    assert sheet.entries == []
    sheet.write("part", "fence", value=True)

    assert sheet.entries == [Write("part", "item", "fence", value=True)]


def test_writing_a_field_nobody_has_or_to_nobody_is_a_mistake() -> None:
    with pytest.raises(SliceError, match="colour"):
        draft("busy: held").write("part", "colour", "red")
    with pytest.raises(BrokenWalk, match="no current to write size to"):
        on_shelf("used: opened()", None).write("current", "size", 1)


def test_writing_to_all_of_a_kind_reaches_the_part_itself_too() -> None:
    sheet = draft("busy: held* held*")
    sheet.write_all("item", "holder", "you")

    assert sheet.part.fields["holder"] == "you"
    assert sheet.entries == [Write("all", "item", "holder", "you")]


def test_moving_all_moves_those_that_have_the_edge_and_says_how_many() -> None:
    sheet = draft("busy: held* waiting waiting done", flow=CASES)

    assert sheet.move_all("item", "void", "over") == 3
    assert sheet.part.status == "void"
    assert sheet.part.fields["holder"] is None
    assert sheet.counts("item") == {"done": 1, "void": 3}
    assert sheet.entries == [
        Move("all", "item", "void", "held", "void", BY_EVENT, "over", 1),
        Move("all", "item", "void", "waiting", "void", BY_EVENT, "over", 2),
    ]


def test_moving_all_where_nobody_has_the_edge_writes_nothing() -> None:
    sheet = draft("busy: done")

    assert sheet.move_all("item", "take") == 0
    assert sheet.entries == []


def test_moving_all_keeps_the_family_counted() -> None:
    sheet = on_shelf("used: opened(loose loose) shut(loose)", "a1")
    sheet.move_all("item", "pack")

    assert sheet.counts("item", "children") == {"packed": 2}
    assert sheet.counts("item") == {"packed": 3}

    around = on_shelf("used: opened(packed) shut(loose)", "a1")
    around.move_all("item", "pack")
    assert around.counts("item", "children") == {"packed": 1}


def test_moving_children_moves_the_family_only_and_the_part_in_it() -> None:
    sheet = on_shelf("used: opened(loose packed) shut(loose)", "a1")
    sheet.move_children("item", "pack", "full")

    assert sheet.part.status == "packed"
    assert sheet.counts("item", "children") == {"packed": 2}
    assert sheet.counts("item") == {"loose": 1, "packed": 2}
    assert sheet.entries == [
        Move("children", "item", "pack", "loose", "packed", BY_EVENT, "full", 1)
    ]


def test_moving_dependents_moves_those_that_need_the_part() -> None:
    event = Event("probe", ME, "1")
    seen = look(SEEING, case("busy: held waiting< waiting"), event)
    sheet = Draft(SEEING, seen, event, 0)
    sheet.move_dependents("item", "take")
    sheet.move_dependents("item", "do")

    assert sheet.counts("item") == {"held": 1, "waiting": 1, "done": 1}
    assert [(e.who, e.signal, e.size) for e in sheet.entries if isinstance(e, Move)] == [
        ("dependents", "take", 1),
        ("dependents", "do", 1),
    ]


def test_a_made_part_is_counted_in_the_unit_and_in_the_family_it_joins() -> None:
    sheet = on_shelf("used: opened(loose)", "a")
    sheet.create(New("item", "packed", {}, parent="part"))
    sheet.create(New("box", "shut", {}))

    assert sheet.counts("item", "children") == {"loose": 1, "packed": 1}
    assert sheet.counts("box") == {"opened": 1, "shut": 1}
    assert sheet.counts("box", "children") == {}
    assert [entry.kind for entry in sheet.entries if isinstance(entry, New)] == ["item", "box"]


def test_a_part_of_a_family_is_dropped_from_it_and_any_other_is_not() -> None:
    sheet = on_shelf("used: opened(loose loose) shut()", "a1")
    sheet.drop("part")
    assert sheet.counts("item", "children") == sheet.counts("item") == {"loose": 1}

    box = on_shelf("used: opened(loose) opened()", "a")
    box.drop("part")
    assert (box.counts("box"), box.counts("box", "children")) == ({"opened": 1}, {})
    moved = on_shelf("used: opened(loose)", "a")
    moved.fire("part", "pack")
    assert moved.counts("box", "children") == {}
    item = on_shelf("used: opened(loose loose)", "a1")
    item.fire("part", "pack")
    assert item.counts("item", "children") == {"loose": 1, "packed": 1}
    assert [*sheet.entries, *box.entries] == [Drop("part", "item"), Drop("part", "box")]


def test_what_is_moved_without_a_reason_has_none() -> None:
    sheet = on_shelf("used: opened(loose)", "a")
    sheet.move_children("item", "pack")
    sheet.move_all("box", "lose")
    seen = look(SEEING, case("busy: held waiting<"), Event("probe", ME, "1"))
    other = Draft(SEEING, seen, Event("probe", ME, "1"), 0)
    other.move_dependents("item", "take")

    moves = [entry for entry in (*sheet.entries, *other.entries) if isinstance(entry, Move)]
    assert [(move.who, move.reason) for move in moves] == [
        ("children", ""), ("all", ""), ("dependents", ""),
    ]  # fmt: skip


def test_dependents_that_cannot_move_are_passed_over_and_the_rest_move_together() -> None:
    event = Event("probe", ME, "1")
    needy = case("busy: held done waiting waiting")
    parts = (needy.parts[0], *(replace(part, needs=("1",)) for part in needy.parts[1:]))
    sheet = Draft(SEEING, look(SEEING, replace(needy, parts=parts), event), event, 0)
    sheet.fire("part", "do")
    sheet.move_dependents("item", "take", "freed")

    assert sheet.counts("item") == {"done": 2, "held": 2}
    assert sheet.entries[1:] == [
        Move("dependents", "item", "take", "waiting", "held", BY_EVENT, "freed", 2)
    ]
    sheet.move_dependents("item", "give_back")
    assert sheet.counts("item") == {"done": 2, "waiting": 2}


def test_a_dropped_part_is_counted_no_more_and_stands_nowhere() -> None:
    sheet = draft("busy: held* waiting")
    sheet.drop("part", "gone")

    assert sheet.part.status == ""
    assert sheet.counts("item") == {"waiting": 1}
    assert sheet.entries == [Drop("part", "item", "gone")]


def test_dropping_nobody_breaks_the_walk() -> None:
    with pytest.raises(BrokenWalk, match="no current to drop"):
        on_shelf("used: opened()", None).drop("current")


def test_dropping_all_of_a_kind_can_be_narrowed_to_statuses_and_to_the_family() -> None:
    sheet = on_shelf("used: opened(loose packed) shut(loose)", "a")
    sheet.drop_all("item", statuses=("packed",), reason="x")
    assert sheet.counts("item") == {"loose": 2}
    assert sheet.counts("item", "children") == {"loose": 1}
    sheet.drop_all("item", children=True)
    assert (sheet.counts("item"), sheet.counts("item", "children")) == ({"loose": 1}, {})

    assert sheet.entries == [
        Drop("all", "item", "x", ("packed",)),
        Drop("children", "item", ""),
    ]


def test_dropping_what_is_not_there_writes_nothing() -> None:
    sheet = draft("busy: held")
    sheet.drop_all("item", statuses=("done",))

    assert sheet.entries == []


def test_dropping_all_drops_the_part_itself_where_it_is_meant() -> None:
    sheet = draft("busy: held waiting")
    sheet.drop_all("item", statuses=("waiting",))
    assert sheet.part.status == "held"
    sheet.drop_all("item", statuses=("held",))
    assert sheet.part.status == ""


@pytest.mark.parametrize(
    "touch",
    [
        lambda d: d.part.status,
        lambda d: d.live_part("parent"),
        lambda d: d.counts("item", "children"),
        lambda d: d.branches(),
        lambda d: d.gate_digest(),
        lambda d: d.move_dependents("item", "take"),
        lambda d: d.move_children("item", "take"),
        lambda d: d.write("part", "note", "x"),
    ],
    ids=["part", "parent", "children", "conditions", "gate", "dependents", "family", "write"],
)
def test_touching_what_the_rule_does_not_name_is_a_slice_error(
    touch: Callable[[Draft], object],
) -> None:
    sheet = draft("busy: held", event="ask", part=None)

    with pytest.raises((SliceError, BrokenWalk)):
        touch(sheet)


def test_a_parent_or_current_part_is_loaded_only_if_it_was_named() -> None:
    seeing = on_shelf("used: opened(loose)", "a1", "a")
    blind = draft("busy: held")

    assert (seeing.is_loaded("parent"), seeing.is_loaded("current")) == (True, True)
    assert (blind.is_loaded("parent"), blind.is_loaded("current")) == (False, False)


def test_the_decision_is_what_was_written_and_how_things_stand_then() -> None:
    sheet = draft("open: waiting")
    sheet.fire("unit", "begin")
    sheet.fire("part", "take")
    sheet.note("told", 1)
    decision = sheet.decision()

    assert (decision.unit.status, decision.part.status) == ("busy", "held")  # type: ignore[union-attr]
    assert decision.tally == {"item": {"held": 1}}
    assert [type(entry) for entry in decision.entries] == [Move, Move]
    assert decision.notes == {"told": 1}


def test_a_decision_about_the_unit_has_no_part() -> None:
    assert draft("busy: held", event="ask", part=None).decision().part is None


def going_back(shown: str) -> Draft:
    """Return the work sheet of a case that can go back to where its field says it was."""
    back = replace(CASES.unit.edges[1], on="back", target="@shown")
    flow = added(unit=replace(CASES.unit, edges=(*CASES.unit.edges, back)))
    event = Event("ask", ME)
    return Draft(flow, look(flow, case("busy: held", flow, shown=shown), event), event, 0)


def test_an_edge_may_lead_back_to_a_remembered_status() -> None:
    sheet = going_back("asked")
    sheet.fire("unit", "back")

    assert sheet.unit.status == "asked"
    assert sheet.entries == [Move("unit", "case", "back", "busy", "asked", Cause("event", "ask"))]


@pytest.mark.parametrize("shown", ["", "nowhere"])
def test_a_remembered_status_that_is_none_breaks_the_walk(shown: str) -> None:
    with pytest.raises(BrokenWalk, match="back leads to @shown, which names no status"):
        going_back(shown).fire("unit", "back")


def test_a_range_reaches_as_far_as_the_target_of_its_branch_and_nowhere_without_one() -> None:
    hung = (Condition(YES, "jump", target="4"), Condition(YES, "jump"))
    event = Event("probe", ME, "1")
    snapshot = case("busy: waiting waiting done waiting").with_conditions({"1": hung})
    sheet = Draft(SEEING, look(SEEING, snapshot, event), event, 0)

    assert sheet.move_all("item", "void", branch=1) == 0
    assert sheet.move_all("item", "void", "jump", branch=0) == 1
    assert sheet.part.status == "waiting"
    assert sheet.counts("item") == {"waiting": 2, "done": 1, "void": 1}
    assert sheet.entries == [
        Move("range", "item", "void", "waiting", "void", BY_EVENT, "jump", 1, 0)
    ]


@pytest.mark.parametrize(
    ("known", "session", "then"),
    [
        ((), "me", ("me",)),
        (("you",), "me", ("you", "me")),
        (("me", "you"), "me", ("me", "you")),
        (("you",), "", ("you",)),
        (None, "me", None),
        (tuple(range(SESSIONS_MAX)), "me", (*range(1, SESSIONS_MAX), "me")),
    ],
    ids=["first", "second", "again", "without one", "never kept", "too many"],
)
def test_a_unit_remembers_the_sessions_that_have_touched_it(
    known: object, session: str, then: object
) -> None:
    flow = added(rule_that(kind="case"), fields=(*CASES.fields, Field("sessions", ())))
    sent = Event("probe", Actor("agent", "ada", session))
    seen = look(flow, case("open: waiting", flow, sessions=known), sent)

    decision = Draft(flow, seen, sent, 0).decision()

    assert decision.unit.fields["sessions"] == then
    assert len(decision.entries) == (known != then)
