"""Vectors are kept with length one; counting by hand and with numpy comes to the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service import vectors
from interlock.service.vectors import by_hand, closeness, pack, unpack

NUMBERS = st.lists(st.floats(-100, 100, width=32), min_size=3, max_size=3)


def test_a_vector_is_kept_with_length_one_in_four_bytes_a_number() -> None:
    packed = pack([3.0, 4.0])

    assert packed.hex() == "9a99193fcdcc4c3f"
    assert unpack(packed).tolist() == pytest.approx([0.6, 0.8])
    assert unpack(pack([0.0, 0.0])).tolist() == [0.0, 0.0]


@given(NUMBERS, st.lists(NUMBERS, max_size=5))
def test_both_ways_of_counting_agree(asked: list[float], rows: list[list[float]]) -> None:
    packed = [pack(row) for row in rows]

    assert vectors.HAS_NUMPY
    assert closeness(pack(asked), packed) == pytest.approx(by_hand(pack(asked), packed), abs=1e-5)


def test_what_has_another_size_is_not_near() -> None:
    near = closeness(pack([1.0, 0.0]), [pack([1.0, 0.0]), pack([1.0, 0.0, 0.0])])

    assert near == pytest.approx([1.0, -1.0])
