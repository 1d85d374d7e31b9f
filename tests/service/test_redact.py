"""Of a call only its shape and its short values are kept: no long text, no secret, no surprise."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service.redact import (
    HIDDEN,
    WHOLE_MAX,
    is_secret,
    redacted,
    redacted_text,
    without_secrets,
)

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers(), inner)
    ),
)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def test_a_text_of_five_hundred_characters_is_kept_and_of_a_longer_one_its_length() -> None:
    assert redacted("x" * 500) == "x" * 500
    assert redacted("x" * 501) == "(501 characters)"
    assert redacted({"y" * 501: 1}) == {"(501 characters)": 1}


def test_ten_items_are_kept_and_the_rest_is_counted() -> None:
    assert redacted(list(range(10))) == list(range(10))
    assert redacted(tuple(range(12))) == [*range(10), "(and 2 more)"]


def test_keys_are_kept_however_many() -> None:
    told = {f"k{n}": n for n in range(50)}

    assert redacted(told) == told


def test_five_levels_are_kept() -> None:
    assert redacted([[[[[1]]]]]) == [[[[[1]]]]]
    assert redacted([[[[[[1, 2]]]]]]) == [[[[["(2 items)"]]]]]
    assert redacted({"a": {"a": {"a": {"a": {"a": {"b": 1}}}}}}) == {
        "a": {"a": {"a": {"a": {"a": "(1 keys)"}}}}
    }


@pytest.mark.parametrize(
    "name",
    [
        "token", "lease", "authorization", "Authorization", "password", "api_key", "apiKey",
        "API-KEY", "APIKEY", "x-api-key", "access_token", "clientSecret", "Set-Cookie",
        "private_key", "lease_token",
    ],
)  # fmt: skip
def test_what_stands_under_a_secret_name_is_hidden(name: str) -> None:
    for value in ("s3cret", {"token": 1}, ["a"], 5):
        assert redacted({"data": {name: value}}) == {"data": {name: HIDDEN}}
    assert redacted({name: None}) == {name: None}


@pytest.mark.parametrize("name", ["release", "key", "keys", "tokenizer", "monkey", "id", "", "7"])
def test_other_names_hide_nothing(name: str) -> None:
    assert not is_secret(name)


@pytest.mark.parametrize(
    "text",
    [
        "use il_0123456789abcdef0123456789abcdef01234567 please",
        "Authorization: Bearer abcdef.ghi",
        'submit(step_id="s", lease="01ab.7")',
        "password=hunter2",
    ],
)
def test_a_secret_inside_a_text_is_hidden(text: str) -> None:
    kept = str(redacted(text))

    assert HIDDEN in kept
    for secret in ("0123456789abcdef", "abcdef.ghi", "01ab.7", "hunter2"):
        assert secret not in kept


def test_what_is_no_plain_data_is_named_by_its_type() -> None:
    assert redacted({"a": b"bytes", "b": {1}, "c": object()}) == {
        "a": "(bytes)", "b": "(set)", "c": "(object)",
    }  # fmt: skip
    assert redacted(10**5_000) == "(a large number)"


def test_what_is_still_too_long_is_left_out() -> None:
    text = redacted_text({f"k{n}": "x" * 400 for n in range(100)})

    assert json.loads(text).endswith(" characters)")


@given(ANYTHING)
def test_whatever_comes_in_something_small_and_plain_comes_out(value: object) -> None:
    text = redacted_text(value)

    assert text.isascii()
    assert "\0" not in text
    assert len(text) <= WHOLE_MAX
    assert depth(json.loads(text)) <= 5


def test_numbers_that_are_none_and_odd_characters_can_be_kept() -> None:
    text = redacted_text([math.nan, math.inf, "\udcff", "nul\0"])

    assert text == '[NaN, Infinity, "\\udcff", "nul\\u0000"]'


def test_a_line_of_any_length_is_told_as_it_is_but_for_its_secrets() -> None:
    long = "word " * 10_000

    assert without_secrets(long) == long
    assert without_secrets('say "hello" {"a": 1}\n') == 'say "hello" {"a": 1}\n'
    assert without_secrets("token=abc, il_0123456789abcdef, Bearer x.y") == (
        f"{HIDDEN}, {HIDDEN}, {HIDDEN}"
    )
    assert without_secrets("a\0b\udcff") == "ab?"
