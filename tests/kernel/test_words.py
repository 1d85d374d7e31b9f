"""Rows said in words."""

from interlock.kernel.machine import Edge
from interlock.kernel.words import (
    Cause,
    cascade_words,
    effect_words,
    fired_by,
    lift_words,
    lifted,
    pair_words,
    stage_words,
)
from tests.kernel.parcel import ITEM, LABEL, PARCEL, PARCEL_MACHINE


def edge(signal: str) -> Edge:
    return next(one for machine in PARCEL.machines() for one in machine.edges if one.on == signal)


def test_the_stages_of_walks() -> None:
    said = [stage_words(stage) for rule in PARCEL.rules for stage in rule.walk]

    assert said == [
        "fire pack on the part, when event.fits === true",
        "fire leave on the part, if it can",
        "do weigh, when the unit is looked_at",
        "fire what `what` says on the unit",
    ]


def test_lifts_cascades_and_pairs() -> None:
    assert lift_words(PARCEL.lifts[1]) == (
        "while some label under it is written, fire pack on its parent"
    )
    assert [cascade_words(cascade) for cascade in PARCEL.cascades] == [
        "when the parcel enters shipped or lost: fires leave on every item",
        "when the item leaves loose, and unit.sealed: fires write on every label under it",
        "when the parcel leaves mending: does weigh",
    ]
    assert effect_words(PARCEL.cascades[2]) == "does weigh"
    assert pair_words(PARCEL.pairs[0]) == (
        "while the unit is shipped: it is not so that some item is loose"
    )


def test_an_edge_names_the_events_that_walk_it_with_their_actors() -> None:
    assert fired_by(PARCEL, ITEM, edge("leave")) == (
        Cause("pack", ("agent", "user")),
        Cause("cascade: leave the rest"),
    )


def test_an_edge_names_the_lifts_that_fire_it_on_its_own_machine_only() -> None:
    assert fired_by(PARCEL, PARCEL_MACHINE, edge("full")) == (Cause("lift: everything is packed"),)
    assert fired_by(PARCEL, ITEM, edge("pack")) == (
        Cause("pack", ("agent", "user")),
        Cause("lift: a label is written"),
    )


def test_a_signal_taken_from_an_argument_is_known_by_the_examples() -> None:
    assert fired_by(PARCEL, PARCEL_MACHINE, edge("break")) == (Cause("choose", ("user",)),)


def test_where_no_row_names_a_signal_the_function_that_fires_it_is_named() -> None:
    assert fired_by(PARCEL, PARCEL_MACHINE, edge("ship")) == (Cause("function: weigh"),)
    assert fired_by(PARCEL, PARCEL_MACHINE, edge("mended")) == ()


def test_a_lift_moves_the_unit_or_the_parent_of_what_it_speaks_of() -> None:
    moved = [[machine.name for machine in lifted(PARCEL, lift)] for lift in PARCEL.lifts]

    assert moved == [["parcel"], ["item"], ["parcel"]]
    assert LABEL not in lifted(PARCEL, PARCEL.lifts[1])
