"""Numbers are read as JSON reads them, and texts with few escapes; both refuse what is lossy."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.kernel.expression import InvalidExpression
from interlock.kernel.expression.literals import read_number, read_text
from tests.kernel.expression.language import PATIENT


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("-3.5", -3.5),
        ("0.25", 0.25),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("25e-1", 2.5),
        ("9007199254740993", 9007199254740993),
        ("1" * 309, int("1" * 309)),
    ],
)
def test_a_number_is_read_exactly_and_to_its_end(source: str, value: float) -> None:
    found, end = read_number(f"x {source} ", 2)

    assert (found, type(found), end) == (value, type(value), 2 + len(source))


@PATIENT
@given(st.integers(-(10**300), 10**300) | st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_json_can_write_is_read_as_json_reads_it(value: float) -> None:
    written = json.dumps(value)

    assert read_number(written, 0) == (value, len(written))


@pytest.mark.parametrize(
    ("source", "position", "expected"),
    [
        ("-", 1, "a digit"),
        ("-x", 1, "a digit"),
        ("-Infinity", 1, "a digit"),
        ("01", 0, "a number without a leading zero"),
        ("-00", 1, "a number without a leading zero"),
        ("1.", 2, "a digit"),
        ("1.e5", 2, "a digit"),
        ("1e", 2, "a digit"),
        ("1e+", 3, "a digit"),
        ("1_000", 1, "the end of the number"),
        ("0x10", 1, "the end of the number"),
        ("1.5.2", 3, "the end of the number"),
        ("1e5e5", 3, "the end of the number"),
        ("1\u0663", 1, "the end of the number"),
        ("1e309", 0, "a number of at most about 1.8e308"),
        ("-1e309", 0, "a number of at most about 1.8e308"),
        ("2" + "0" * 308, 0, "a number of at most about 1.8e308"),
        ("9" * 1990, 0, "a number of at most about 1.8e308"),
    ],
)
def test_what_json_would_not_write_or_a_double_not_hold_is_refused(
    source: str, position: int, expected: str
) -> None:
    with pytest.raises(InvalidExpression) as refused:
        read_number(source, 0)

    assert (refused.value.position, refused.value.expected) == (position, expected)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"open"', "open"),
        ("'open'", "open"),
        ("''", ""),
        ("""'say "hi"'""", 'say "hi"'),
        (r'"\\ \" \' \n \t \r"', "\\ \" ' \n \t \r"),
        (r'"\u0041\u00e9\u0000"', "A\u00e9\x00"),
        (r'"\ud83d\ude00 \uDBFF\uDFFF"', "\U0001f600 \U0010ffff"),
        ('"größer \U0001f600"', "größer \U0001f600"),
    ],
)
def test_a_text_is_read_to_the_quote_that_began_it(source: str, value: str) -> None:
    assert read_text(f"x {source} y", 2) == (value, 2 + len(source))


@pytest.mark.parametrize(
    ("source", "position", "expected"),
    [
        ('"open', 0, 'a closing "'),
        ("'open\"", 0, "a closing '"),
        ('"open\\"', 0, 'a closing "'),
        ('"a\nb"', 2, "a printable character or an escape"),
        ('"a\x00b"', 2, "a printable character or an escape"),
        ('"a\ud800b"', 2, "a printable character or an escape"),
        (r'"\x41"', 2, "an escape"),
        ('"\\', 2, "an escape"),
        (r'"\u00g0"', 5, "a hexadecimal digit"),
        (r'"\u+123"', 3, "a hexadecimal digit"),
        (r'"\u00', 5, "a hexadecimal digit"),
        (r'"\ud800"', 1, "a character"),
        (r'"\ude00\ud83d"', 1, "a character"),
        (r'"\ud83d\u0041"', 1, "a character"),
        (r'"\ud83d\ud83d"', 1, "a character"),
        (r'"\ude00\ude00"', 1, "a character"),
        (r'"\ud83d\n"', 1, "a character"),
    ],
)
def test_a_text_that_could_not_be_stored_or_has_no_end_is_refused(
    source: str, position: int, expected: str
) -> None:
    with pytest.raises(InvalidExpression) as refused:
        read_text(source, 0)

    assert (refused.value.position, refused.value.expected) == (position, expected)
