"""What a decision may look at, and what happens when it looks elsewhere."""

from collections.abc import Callable

import pytest

from interlock.kernel.rules import AGENT
from interlock.kernel.seen import ALWAYS, SLICES, UNSEEN, Actor, Event, Seen, SliceError, Unit


@pytest.mark.parametrize(
    "touch",
    [
        lambda: UNSEEN.status,
        lambda: UNSEEN["status"],
        lambda: list(UNSEEN),
        lambda: bool(UNSEEN),
    ],
    ids=["attribute", "look inside", "walk over", "test"],
)
def test_what_was_not_loaded_cannot_be_used_in_any_way(touch: Callable[[], object]) -> None:
    with pytest.raises(SliceError, match=r"status|a slice that was not loaded"):
        touch()


def test_a_slice_starts_with_the_unit_and_its_tally_only() -> None:
    seen = Seen(Unit("open", {}), {})
    others = (seen.part, seen.parent, seen.current, seen.children, seen.dependents,
              seen.conditions, seen.gate)  # fmt: skip

    assert all(other is UNSEEN for other in others)
    assert seen.waits == 0


def test_slices_are_a_closed_list_with_a_meaning_each() -> None:
    assert list(SLICES) == ["part", "next", "parent", "current", "children", "dependents",
                            "conditions", "gate"]  # fmt: skip
    assert list(ALWAYS) == ["unit", "tally"]
    assert all(SLICES.values())


def test_an_event_is_about_the_unit_and_brings_nothing_unless_told() -> None:
    event = Event("drop", Actor(AGENT))

    assert (event.part, dict(event.args)) == (None, {})


def test_units_are_told_apart_by_identity_and_not_by_value() -> None:
    assert Unit("open", {}) != Unit("open", {})
