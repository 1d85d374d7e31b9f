"""Where a thing stands and how it came there, marked in a drawing."""

import pytest

from interlock.kernel.draw.interlock import sketch
from interlock.kernel.draw.route import mark
from interlock.kernel.draw.sketch import Arrow, every_node
from tests.kernel.parcel import NUMBERED, PARCEL


def test_one_status_is_marked_and_says_here() -> None:
    drawn = mark(sketch(PARCEL), "looked_at", ())
    here = [node for node in every_node(drawn.boxes) if node.is_here]

    assert [node.key for node in here] == ["parcel.looked_at"]
    assert here[0].lines[-1].text == "here"


def test_a_status_of_a_part_is_named_with_its_kind() -> None:
    drawn = mark(sketch(PARCEL), "item.left", ())

    assert [node.key for node in every_node(drawn.boxes) if node.is_here] == ["item.left"]


def test_a_walk_marks_its_statuses_with_their_turn_and_the_arrows_it_took() -> None:
    drawn = mark(sketch(PARCEL), "", ["packing", "looked_at", "shipped"])
    visits = {n.key: n.lines[-1].text for n in every_node(drawn.boxes) if n.is_passed}
    taken = [(a.source, a.target) for a in drawn.arrows if a.is_passed]

    assert visits == {
        "parcel.packing": "visit 1",
        "parcel.looked_at": "visit 2",
        "parcel.shipped": "visit 3",
    }
    assert taken == [("parcel.packing", "parcel.looked_at"), ("parcel.looked_at", "parcel.shipped")]


def test_a_status_visited_twice_says_both_turns() -> None:
    drawn = mark(sketch(PARCEL), "", ["packing", "looked_at", "packing"])
    node = next(n for n in every_node(drawn.boxes) if n.key == "parcel.packing")

    assert node.lines[-1].text == "visit 1, 3"


def test_a_move_that_is_only_told_in_a_note_gets_an_arrow_of_its_own() -> None:
    drawn = mark(sketch(NUMBERED), "", ["n3", "away"])

    assert drawn.arrows[-1] == Arrow("numbered.n3", "numbered.away", "route", is_passed=True)


def test_without_marks_nothing_changes() -> None:
    drawn = sketch(PARCEL)

    assert mark(drawn, "", ()) is drawn


@pytest.mark.parametrize(("at", "trace"), [("pakced", ()), ("", ("packing", "moon"))])
def test_a_name_that_is_not_in_the_drawing_is_an_error(at: str, trace: tuple[str, ...]) -> None:
    with pytest.raises(KeyError):
        mark(sketch(PARCEL), at, trace)
