"""Counting parts by kind and status."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.seen import Part
from interlock.kernel.tally import shift, tally

KINDS = st.sampled_from(["item", "box"])
STATUSES = st.sampled_from(["waiting", "held", "done"])


def test_nothing_counts_as_nothing() -> None:
    assert tally(()) == {}


@given(st.lists(st.tuples(KINDS, STATUSES), max_size=20))
def test_a_tally_counts_every_part_once(rows: list[tuple[str, str]]) -> None:
    counted = tally(Part(kind, status, {}) for kind, status in rows)
    flat = {(kind, status): n for kind, by in counted.items() for status, n in by.items()}

    assert flat == Counter(rows)


@given(st.lists(st.tuples(KINDS, STATUSES), min_size=1, max_size=20), STATUSES)
def test_shifting_a_part_counts_as_if_all_were_counted_anew(
    rows: list[tuple[str, str]], target: str
) -> None:
    (kind, source), *rest = rows
    counted = dict[str, "dict[str, int]"](tally(Part(k, s, {}) for k, s in rows))
    shifted = {**counted}
    shift(shifted, kind, source, target, 1)  # type: ignore[arg-type]  # a dict of dicts will do

    assert shifted == tally(Part(k, s, {}) for k, s in [(kind, target), *rest])
    assert counted == tally(Part(k, s, {}) for k, s in rows)


def test_made_parts_come_from_nowhere_and_dropped_parts_go_there() -> None:
    counted = {"item": {"waiting": 1}}
    shift(counted, "item", "", "waiting", 2)  # type: ignore[arg-type]  # a dict of dicts will do
    assert counted == {"item": {"waiting": 3}}

    shift(counted, "item", "waiting", "", 3)  # type: ignore[arg-type]  # a dict of dicts will do
    assert counted == {"item": {}}


def test_whoever_was_not_counted_where_it_was_is_counted_where_it_is() -> None:
    counted = {"item": {"waiting": 1}}
    shift(counted, "item", "held", "done", 1)  # type: ignore[arg-type]  # a dict of dicts will do

    assert counted == {"item": {"waiting": 1, "done": 1}}


def test_the_first_part_of_a_kind_opens_its_count() -> None:
    counted: dict[str, dict[str, int]] = {}
    shift(counted, "box", "", "shut", 1)  # type: ignore[arg-type]  # a dict of dicts will do

    assert counted == {"box": {"shut": 1}}
