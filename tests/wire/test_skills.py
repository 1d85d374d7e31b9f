"""The shapes of skills and feedback take what was promised and nothing else."""

import pytest
from pydantic import ValidationError

from interlock.wire.skills import Feedback, LogSkill

STARTED = {"skill_name": "scan", "status": "started", "session_id": "s1"}


def test_a_start_needs_little() -> None:
    asked = LogSkill.model_validate(STARTED)

    assert (asked.skill_execution_id, asked.metadata, asked.request_id) == (None, None, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "executing"},
        {"session_id": None},
        {"skill_name": ""},
        {"metadata": {"output_media_type": ""}},
        {"metadata": []},
    ],
)
def test_what_was_not_promised_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        LogSkill.model_validate(STARTED | wrong)


@pytest.mark.parametrize(("rating", "is_good"), [(0, False), (1, True), (5, True), (6, False)])
def test_a_rating_is_from_one_to_five(rating: int, *, is_good: bool) -> None:
    told = {"plan_id": "plan-1", "rating": rating}
    if is_good:
        assert Feedback.model_validate(told).text == ""
        return
    with pytest.raises(ValidationError):
        Feedback.model_validate(told)
