"""Answers are read from what models say; nothing is made up."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.worker.agents.reading import Unreadable, from_json, from_yaml, read_answer
from tests.worker.agents.tasks import SCHEMA

ANSWER = {"questions": [{"id": "Q01", "question": "Why?"}]}
BARE = json.dumps(ANSWER)
YAML = "questions:\n- id: Q01\n  question: Why?\n"
EITHER = {"oneOf": [SCHEMA, {"properties": {"complete": {"const": True}}}]}


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (BARE, ""),
        (f"\n  {BARE}\n", ""),
        (f"```json\n{BARE}\n```", "code fence"),
        (f"Here you are:\n\n```\n{BARE}\n```\nI hope it helps.", "code fence"),
        (f"Sure! {BARE} Anything else?", "words around"),
        (f'An example is {{"a": 1}}, but mine is:\n{BARE}', "words around"),
        (f"The set {{x}} is {{not}} it. {BARE}", "words around"),
        (f'<think>maybe {{"questions": []}}</think>\n{BARE}', "thought aloud"),
        (YAML, "it was YAML"),
        (f"```yaml\n{YAML}```", "as YAML"),
        (f'{{"answer": {BARE}}}', "wrapped in 'answer'"),
        (f'```json\n{{"Result": {BARE}}}\n```', "wrapped in 'Result'"),
        ('```json\n{"example": 1}\n```\n' + f"```json\n{BARE}\n```", "code fence"),
    ],
)
def test_an_answer_is_found_and_what_was_done_is_told(text: str, warning: str) -> None:
    found = read_answer(text, SCHEMA)

    assert found.answer == ANSWER
    assert warning in " ".join(found.warnings)
    assert bool(found.warnings) == bool(warning)


@pytest.mark.parametrize(
    "text",
    [
        "", "  \n", "I would rather not say.", "Note: this is no answer.\nReason: none.", "[1, 2]",
        '{"questions": [', '{"questions": NaN}', '{"questions": [], "questions": [1]}',
        '{"questions": "\\ud800"}', "{" * 5000, '{"a":' * 3000, "questions: &a [*a]",
        "questions: !!python/object:os.system []", f"{BARE[:-2]}", "42",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_no_answer(text: str) -> None:
    with pytest.raises(Unreadable):
        read_answer(text, SCHEMA)


def test_an_object_with_other_fields_is_left_to_the_server_to_judge() -> None:
    assert read_answer('{"Questions": []}', SCHEMA).answer == {"Questions": []}
    assert read_answer('{"answer": {"a": 1}}', SCHEMA).answer == {"answer": {"a": 1}}


def test_fields_of_either_form_are_known() -> None:
    assert read_answer('{"a": 1} or {"complete": true}', EITHER).answer == {"complete": True}
    assert read_answer('{"a": 1} or {"questions": []}', EITHER).answer == {"questions": []}


def test_a_line_end_within_a_text_is_form() -> None:
    assert read_answer('{"questions": ["a\nb"]}', SCHEMA).answer == {"questions": ["a\nb"]}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values, st.sampled_from(["{}", "```json\n{}\n```", "<think>{{}}</think>{}"]))
def test_nothing_is_changed_by_reading(value: object, around: str) -> None:
    answer = {"questions": value}

    assert (
        read_answer(around.replace("{{}}", "x").replace("{}", json.dumps(answer)), SCHEMA).answer
        == answer
    )


def test_both_readers_want_fields() -> None:
    assert (from_json("[]"), from_yaml("- a"), from_yaml("a: b")) == (None, None, {"a": "b"})
