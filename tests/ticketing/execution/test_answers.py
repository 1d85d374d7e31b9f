"""The schemas of what models answer: each is sound, and each takes a sensible answer."""

import jsonschema_rs
import pytest

from interlock.ticketing.answer import AnswerInvalid, check
from interlock.ticketing.checked import Json
from interlock.ticketing.execution.answers import CODE, PREPARE, PUBLISH, TEST
from tests.ticketing.execution.told import Told, code_answer, final_answer

REQUEST: Told = {
    "title": "Apples", "summary": ["Sells them."], "why": [], "what_changed": ["shop.py"],
    "validation": [], "follow_ups": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        (PREPARE, {"summary": "Nothing.", "commands": []}),
        (CODE, code_answer()),
        (TEST, final_answer()),
        (PUBLISH, REQUEST),
    ],
)
def test_a_sensible_answer_fits(schema: Json, answer: Told) -> None:
    jsonschema_rs.validator_for(dict(schema))

    assert check(schema, answer) == answer


@pytest.mark.parametrize("word", ["skipped", "notrun", "PASS", ""])
def test_a_check_has_passed_or_failed(word: str) -> None:
    answer = code_answer()
    answer["checks"]["lint"] = word
    with pytest.raises(AnswerInvalid):
        check(CODE, answer)
