"""What ties the machines of a workflow together, as something to draw."""

from dataclasses import replace

from interlock.kernel.draw.interlock import sketch
from interlock.kernel.draw.sketch import Arrow, Node, Sketch, every_node
from interlock.kernel.forms import Any
from interlock.kernel.rules import Cascade, Lift
from tests.kernel.parcel import PARCEL, PARCEL_MACHINE


def links(drawn: Sketch) -> dict[str, Node]:
    return {n.key: n for n in every_node(drawn.boxes) if n.role in ("lift", "cascade")}


def touching(drawn: Sketch, key: str) -> list[tuple[str, str]]:
    return [
        (a.out_of or a.source, a.into or a.target)
        for a in drawn.arrows
        if key in (a.source, a.target)
    ]


def test_a_lift_hangs_between_the_statuses_it_speaks_of_and_where_it_moves_to() -> None:
    key = "(lift everything is packed)"

    assert touching(sketch(PARCEL), key) == [
        ("item.packed", key),
        ("item.left", key),
        (key, "parcel.looked_at"),
    ]


def test_a_lift_of_a_parent_moves_the_parent_of_the_kind_it_speaks_of() -> None:
    key = "(lift a label is written)"

    assert touching(sketch(PARCEL), key) == [("label.written", key), (key, "item.packed")]


def test_a_cascade_points_at_the_whole_machine_that_follows() -> None:
    key = "(cascades parcel item)"

    assert touching(sketch(PARCEL), key) == [
        ("parcel.shipped", key),
        ("parcel.lost", key),
        (key, "item"),
    ]


def test_leaving_is_told_apart_from_entering() -> None:
    leaving = [a for a in sketch(PARCEL).arrows if a.target == "(cascades item label)"]

    assert leaving == [Arrow("item.loose", "(cascades item label)", "cascade", ("on leaving",))]


def test_what_only_a_function_knows_is_not_guessed() -> None:
    assert set(links(sketch(PARCEL))) == {
        "(lift everything is packed)",
        "(lift a label is written)",
        "(cascades parcel item)",
        "(cascades item label)",
    }


def test_cascades_between_the_same_kinds_share_a_node_that_names_each() -> None:
    more = Cascade("pack the rest", of="parcel", enters=("shipped",), to="item", fire="pack")
    drawn = sketch(replace(PARCEL, cascades=(*PARCEL.cascades, more)))

    assert [line.text for line in links(drawn)["(cascades parcel item)"].lines] == [
        "leave the rest",
        "cascade: fires leave on every item",
        "pack the rest",
        "cascade: fires pack on every item",
    ]


def test_each_machine_stands_beside_one_it_is_tied_to() -> None:
    boxes = [box.key for box in sketch(PARCEL).boxes]

    assert boxes == ["parcel", "(links item)", "item", "(links label)", "label"]


def test_in_a_crowd_several_statuses_become_their_machine_and_are_named_in_words() -> None:
    crowd = tuple(Lift(f"reason {i}", Any("item", ("packed", "left")), "full") for i in range(5))
    drawn = sketch(replace(PARCEL, lifts=crowd))

    assert touching(drawn, "(lift reason 0)")[0] == ("item", "(lift reason 0)")
    assert links(drawn)["(lift reason 0)"].lines[-1].text == "from packed, left"


def test_a_machine_alone_has_no_links() -> None:
    assert links(sketch(PARCEL_MACHINE)) == {}
