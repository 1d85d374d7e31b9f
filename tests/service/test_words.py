"""Words are cut and folded alike, whoever wrote them and however."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service.words import COMMON, LENGTH_MAX, telling, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Café CAFE\u0301 cafe", ("cafe", "cafe", "cafe")),
        ("foo-bar_baz qux's 3.14", ("foo", "bar", "baz", "qux", "s", "3", "14")),
        ("Straße ﬁnd \uff37ide", ("strasse", "find", "wide")),
        ("量子 компьютер", ("量子", "компьютер")),
        ("\"' AND OR NOT * ( ) : ^ 🙂", ("and", "or", "not")),
        ("", ()),
    ],
)
def test_words_are_folded(text: str, found: tuple[str, ...]) -> None:
    assert words(text) == found


def test_a_long_word_is_cut() -> None:
    assert words("x" * 5_000) == ("x" * LENGTH_MAX,)


@given(st.text(max_size=200))
def test_a_word_has_letters_and_digits_only_and_stays_as_it_is(text: str) -> None:
    for word in words(text):
        assert word.isalnum()
        assert 0 < len(word) <= LENGTH_MAX
        assert not {"'", '"', "\\", "_"} & set(word)


def test_of_a_query_those_words_count_that_tell_texts_apart() -> None:
    assert telling(words("What is the cheapest GPU of the cheapest?")) == ("cheapest", "gpu")
    assert telling(words("to be or not to be")) == ("to", "be", "or", "not")
    assert telling(()) == ()
    assert all(words(word) == (word,) for word in COMMON)
