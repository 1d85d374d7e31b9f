"""A whole unit in memory: places, names, and what counts as the same."""

from dataclasses import replace

import pytest

from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Condition, Snapshot, begin, new_part, waits
from tests.kernel.boxes import SHELVES, shelf
from tests.kernel.tiny import CASES, YES, case


def test_a_new_unit_stands_at_its_start_with_its_defaults_and_no_parts() -> None:
    first = begin(CASES, unit={"most": 2})

    assert (first.unit.status, first.unit.fields) == ("open", {"shown": "", "most": 2})
    assert first.parts == ()


def test_a_new_part_stands_at_its_start_with_its_defaults() -> None:
    part = new_part(CASES, "item", {"note": "red"}, needs=("1",))

    assert (part.kind, part.status, part.parent, part.needs) == ("item", "waiting", None, ("1",))
    assert part.fields == {"holder": None, "fence": 0, "lapsed": False, "note": "red"}


def test_a_part_is_found_by_name_and_by_place() -> None:
    snapshot = case("busy: held* waiting")

    assert snapshot.part("2") is snapshot.part(1) is snapshot.parts[1]
    assert snapshot.part(0) is snapshot.parts[0]
    assert (snapshot.place("2"), snapshot.name(1)) == (1, "2")


@pytest.mark.parametrize("unknown", ["3", "", 2, -1])
def test_an_unknown_part_is_a_key_error(unknown: str | int) -> None:
    with pytest.raises(KeyError) as caught:
        case("busy: held* waiting").part(unknown)
    assert caught.value.args == (unknown,)


def test_without_names_the_place_is_the_name() -> None:
    snapshot = Snapshot(Unit("busy", {}), (Part("item", "held", {}),))

    assert snapshot.name(0) == 0
    with pytest.raises(KeyError):
        snapshot.part("1")


def test_parts_of_a_kind_are_listed_by_place() -> None:
    assert shelf("used: opened(loose) shut(loose)").of_kind("item") == (1, 3)


def test_two_snapshots_are_the_same_when_everything_in_them_is() -> None:
    one, other = case("busy: held* waiting"), case("busy: held* waiting")

    assert one.key() == other.key()
    assert one != other


@pytest.mark.parametrize(
    "other",
    [
        case("asked: held* waiting"),
        case("busy: held* waiting", most=1),
        case("busy: held* held"),
        case("busy: held waiting"),
        case("busy: held* waiting<"),
        case("busy: held*"),
        replace(case("busy: held* waiting"), ids=("1", "x")),
    ],
    ids=["status", "field", "part", "lease", "need", "number", "name"],
)
def test_two_snapshots_differ_when_anything_does(other: Snapshot) -> None:
    assert other.key() != case("busy: held* waiting").key()


def test_branches_hang_on_parts_and_are_no_part_of_the_key() -> None:
    snapshot = case("busy: held* waiting")
    hung = snapshot.with_conditions({"1": (Condition(YES, "stop"),)})

    assert [row.action for row in hung.conditions["1"]] == ["stop"]
    assert dict(snapshot.conditions) == {}
    assert hung.key() == snapshot.key()


def test_a_part_waits_for_those_it_needs_that_are_not_closed() -> None:
    snapshot = case("busy: done void held waiting")
    part = replace(snapshot.parts[3], needs=("1", "2", "3"))

    assert waits(CASES, snapshot, part) == 1
    assert waits(CASES, snapshot, snapshot.parts[3]) == 0
    twice = case("busy: held* waiting")
    assert waits(CASES, twice, replace(twice.parts[0], needs=("1", "2"))) == 2


def test_a_kind_that_closes_nowhere_is_waited_for_always() -> None:
    snapshot = shelf("used: packed()")

    assert waits(SHELVES, snapshot, replace(snapshot.parts[0], needs=("a",))) == 1
