"""What a decision is made of."""

from interlock.kernel.entries import Cause, Drop, Move, New, Write
from tests.kernel.tiny import case, send


def test_a_decision_says_where_the_unit_stands_afterwards() -> None:
    decision = send(case("busy: held*"), "finish", "1")

    assert decision.status == decision.unit.status == "closed"


def test_every_move_names_its_cause() -> None:
    decision = send(case("busy: held* done"), "finish", "1")

    assert decision.entries == (
        Move("part", "item", "do", "held", "done", Cause("event", "finish")),
        Move("unit", "case", "finish", "busy", "closed",
             Cause("lift", "every item is over", 0), "all over"),
    )  # fmt: skip


def test_a_move_is_of_one_thing_unless_it_says_how_many() -> None:
    cause = Cause("event", "x")

    assert Move("part", "item", "do", "held", "done", cause)[6:] == ("", 1, -1)


def test_a_new_part_needs_uses_and_feeds_nobody_unless_told() -> None:
    assert New("item", "waiting", {})[3:] == ("", "", (), (), ())


def test_a_drop_is_of_every_status_unless_told() -> None:
    assert Drop("all", "item") == Drop("all", "item", "", ())


def test_writes_are_values() -> None:
    assert Write("unit", "case", "most", 3) == Write("unit", "case", "most", 3)


def test_the_cause_of_the_event_itself_points_at_no_entry() -> None:
    assert Cause("event", "finish").entry == -1
