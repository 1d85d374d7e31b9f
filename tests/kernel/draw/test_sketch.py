"""What a drawing of one machine consists of."""

from interlock.kernel.draw.sketch import Arrow, Fold, every_node, folded, sketch_machine
from interlock.kernel.machine import Machine, Status, edges
from tests.kernel.parcel import COUNT, NUMBERED, PARCEL_MACHINE


def arrows(machine: Machine) -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (a.source, a.target): a.labels for a in sketch_machine(machine).arrows if a.line == "edge"
    }


def test_edges_that_share_both_ends_are_one_arrow_with_all_their_signals() -> None:
    found = arrows(PARCEL_MACHINE)

    assert found["parcel.looked_at", "parcel.shipped"] == ("ship", "send")


def test_every_status_has_a_node_whose_role_says_what_it_is() -> None:
    drawn = sketch_machine(PARCEL_MACHINE)
    roles = {node.key: node.role for node in every_node(drawn.boxes)}

    assert roles == {
        "parcel.packing": "active",
        "parcel.looked_at": "gate",
        "parcel.mending": "trouble",
        "parcel.shipped": "success",
        "parcel.lost": "terminal",
        "parcel.(start)": "start",
        "parcel.@before": "pointer",
    }


def test_gates_and_ends_say_so_in_words_too() -> None:
    drawn = sketch_machine(PARCEL_MACHINE)
    lines = {node.key: [line.text for line in node.lines] for node in every_node(drawn.boxes)}

    assert lines["parcel.looked_at"] == ["looked_at", "Somebody looks", "gate"]
    assert lines["parcel.shipped"] == ["shipped", "end"]
    assert lines["parcel.packing"] == ["packing"]


def test_a_target_that_a_field_names_is_drawn_as_that_field() -> None:
    assert arrows(PARCEL_MACHINE)["parcel.mending", "parcel.@before"] == ("mended",)


def test_a_signal_from_nearly_everywhere_is_told_in_a_note() -> None:
    everywhere = tuple(f"n{i}" for i in range(1, COUNT))

    assert folded(NUMBERED) == (Fold("go", "away", everywhere),)
    assert not [pair for pair in arrows(NUMBERED) if pair[1] == "numbered.away"]
    texts = [
        line.text for node in every_node(sketch_machine(NUMBERED).boxes) for line in node.lines
    ]
    assert f"from {COUNT - 1} statuses" in texts


def test_a_signal_from_a_few_places_is_drawn() -> None:
    names = [f"n{i}" for i in range(1, 9)]
    machine = Machine(
        "few",
        "n1",
        tuple(Status(n) for n in [*names, "away"]),
        edges((" ".join(names), "go", "away")),
    )

    assert folded(machine) == ()
    assert len(arrows(machine)) == 8


def test_a_status_that_only_a_note_leads_to_stays_beside_the_row_before_it() -> None:
    unseen = [arrow for arrow in sketch_machine(NUMBERED).arrows if arrow.line == "unseen"]

    assert unseen == [Arrow("numbered.n13", "numbered.away", "unseen")]


def test_a_large_machine_shows_its_groups_and_a_small_one_does_not() -> None:
    large = sketch_machine(NUMBERED, {"low": "The low ones"}).boxes[0]
    small = sketch_machine(PARCEL_MACHINE).boxes[0]

    assert [(box.title, len(box.nodes)) for box in large.boxes] == [
        ("The low ones", 7),
        ("high", 7),
    ]
    assert small.boxes == ()


def test_the_backbone_leads_from_row_to_row() -> None:
    drawn = sketch_machine(NUMBERED)

    assert all(arrow.is_next for arrow in drawn.arrows if arrow.labels == ("next",))
