"""What is wrong with an answer: all of it, each with its place, expectation and find."""

import pytest

from interlock.ticketing.answer import AnswerInvalid, Wrong, check, place, told, wrong_with
from interlock.ticketing.checked import Json
from interlock.ticketing.form import line, listed, number, shape

ROW = shape({"id": line("A short name.", 4), "points": number(0, 20, "Points.")})
SCHEMA = shape({"rows": listed(ROW, "Rows.", 1, 3), "Draft 1": line("A draft.")}, ("Draft 1",))
EITHER: Json = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
}


def test_what_fits_has_nothing_wrong() -> None:
    answer = {"rows": [{"id": "x", "points": 20}], "Draft 1": "text"}

    assert wrong_with(SCHEMA, answer) == ()
    assert check(SCHEMA, answer) == answer


def test_every_mistake_is_told_at_its_own_place() -> None:
    answer = {
        "rows": [{"id": "long id", "points": 21}, {"points": -1, "more": [1]}, 5],
        "Draft 1": "",
    }

    assert set(wrong_with(SCHEMA, answer)) == {
        Wrong("$.rows[0].id", "text of at most 4 characters", '"long id"'),
        Wrong("$.rows[0].points", "at most 20", "21"),
        Wrong("$.rows[1].id", "text (A short name.)", "nothing"),
        Wrong("$.rows[1].points", "at least 0", "-1"),
        Wrong("$.rows[1].more", "no such field; there are: id, points", "a list of 1"),
        Wrong("$.rows[2]", "an object", "5"),
        Wrong('$["Draft 1"]', "text of at least 1 characters", '""'),
        Wrong('$["Draft 1"]', r"text like [^\s\x1c-\x1f]", '""'),
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([], "an object"),
        ("text", "an object"),
        (None, "an object"),
        ({"rows": []}, "a list of at least 1"),
        ({"rows": [{"id": "x", "points": 1}] * 4}, "a list of at most 3"),
    ],
)
def test_a_whole_that_is_wrong_is_told_too(answer: object, expected: str) -> None:
    assert [one.expected for one in wrong_with(SCHEMA, answer)] == [expected]


def test_one_of_two_fields_is_asked_for_by_name() -> None:
    wanted = "exactly one of the fields a, b"

    assert wrong_with(EITHER, {"a": 1}) == ()
    assert wrong_with(EITHER, {}) == (Wrong("$", wanted, "an empty object"),)
    assert wrong_with(EITHER, {"a": 1, "b": 2}) == (Wrong("$", wanted, "an object with 2 fields"),)


def deep(levels: int) -> object:
    value: object = {}
    for _ in range(levels):
        value = {"rows": [value]}
    return value


@pytest.mark.parametrize(
    "answer",
    [{"rows": "\ud800"}, {"rows": float("nan")}, {"rows": b"x"}, deep(50), deep(5000)],
    ids=["half a character", "no number", "bytes", "deep", "very deep"],
)
def test_what_cannot_be_looked_at_is_wrong_as_a_whole(answer: object) -> None:
    assert [one.path for one in wrong_with(SCHEMA, answer)] == ["$"]


def test_an_answer_full_of_mistakes_is_told_in_part() -> None:
    many = {f"f{number}": 1 for number in range(500)}

    assert len(wrong_with(SCHEMA, many)) == 50


def test_a_refused_answer_tells_everything() -> None:
    with pytest.raises(AnswerInvalid) as caught:
        check(SCHEMA, {"rows": [{"id": "x", "points": 99}]})

    assert caught.value.wrong == (Wrong("$.rows[0].points", "at most 20", "99"),)
    assert caught.value.message == (
        "This does not fit (1 mistake). $.rows[0].points: expected at most 20, found 99."
    )


def test_places_and_values_are_told_plainly() -> None:
    assert place("a", 0, "b c", "é", "d") == '$.a[0]["b c"]["é"].d'
    assert told("é" * 500).startswith('"éé')
    assert len(told("é" * 500)) < 160
    assert told({"a": 1}) == "an object with 1 fields"
    assert told([]) == "an empty list"
