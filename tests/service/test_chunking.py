"""Text is cut at natural borders; nothing is lost, nothing is changed, and the limits hold."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service.chunking import OVERLAP, SIZE, Piece, cut

TEXTS = st.text(st.sampled_from("ab .\n。é🙂"), max_size=600)


def put_together(pieces: tuple[Piece, ...]) -> str:
    whole = ""
    for piece in pieces:
        assert piece.start <= len(whole), "something is missing between two pieces"
        assert whole[piece.start :] == piece.text[: len(whole) - piece.start]
        whole = whole[: piece.start] + piece.text
    return whole


@given(TEXTS, st.integers(4, 80), st.data())
def test_nothing_is_lost_order_is_kept_and_the_limits_hold(
    text: str, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size // 2 - 1))
    pieces = cut(text, size, overlap)

    assert put_together(pieces) == text
    assert all(0 < len(piece.text) <= size for piece in pieces)
    for before, after in pairwise(pieces):
        end = before.start + len(before.text)
        assert before.start < after.start <= end
        assert end - after.start <= overlap
        assert after.start + len(after.text) > end


def test_what_fits_is_one_piece_and_nothing_is_none() -> None:
    assert cut("") == ()
    assert cut("x" * SIZE) == (Piece(0, "x" * SIZE),)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one two thr.\n\nfour five six", "one two thr.\n\n"),
        ("one two three. four five six", "one two three. "),
        ("one two thre four five six", "one two thre four "),
        ("onetwothreefourfivesixseven", "onetwothreefourfives"),
        ("一二三四五六七八九十一。二三四五六七八九十一二三", "一二三四五六七八九十一。"),
    ],
)
def test_the_best_border_in_reach_is_taken(text: str, first: str) -> None:
    assert cut(text, 20, 4)[0].text == first


def test_a_piece_begins_with_a_whole_word() -> None:
    words = " ".join(f"word{number}" for number in range(1_000))
    pieces = cut(words)

    assert len(pieces) > 2
    assert all(piece.text.startswith("word") for piece in pieces)
    shared = [before.start + len(before.text) - after.start for before, after in pairwise(pieces)]
    assert min(shared) > OVERLAP // 2


@pytest.mark.parametrize(("size", "overlap"), [(10, 5), (10, -1), (1, 1)])
def test_pieces_that_would_not_come_to_an_end_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        cut("text", size, overlap)
