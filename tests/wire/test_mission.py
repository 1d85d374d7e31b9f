"""The shapes of the mission's commands: what is required, what is the default, what is too much."""

import pytest
from pydantic import ValidationError

from interlock.wire.mission import (
    ChainStep,
    GivenAsset,
    ProposeHop,
    ProposeMission,
    SubmitToolResult,
)

MISSION = {"name": "n", "goal": "g"}


def test_a_mission_needs_a_name_and_a_goal() -> None:
    made = ProposeMission.model_validate(MISSION)

    assert (made.policy, made.tries_max, made.inputs, made.tags) == ("human", 3, (), ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""}, {"goal": ""}, {"policy": "anyone"}, {"tries_max": 0}, {"tries_max": 21},
        {"inputs": [{}]}, {"outputs": [{"name": "o", "content": 1}]}, {"tags": ["x"] * 21},
    ],
)  # fmt: skip
def test_what_is_missing_or_too_much_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ProposeMission.model_validate({**MISSION, **wrong})


def test_an_input_may_hold_null_which_is_not_the_same_as_nothing() -> None:
    nothing = GivenAsset.model_validate({"name": "a"})
    null = GivenAsset.model_validate({"name": "a", "content": None})

    assert ("content" in nothing.model_fields_set, "content" in null.model_fields_set) == (
        False,
        True,
    )
    assert GivenAsset.model_validate({"name": "a", "schema": {}}).content_schema == {}


def test_a_hop_needs_its_output_and_a_failure_one_of_the_classes() -> None:
    with pytest.raises(ValidationError):
        ProposeHop.model_validate({"mission_id": "m", **MISSION})
    with pytest.raises(ValidationError):
        SubmitToolResult.model_validate({"part_id": "p", "failure": "bad luck"})
    assert ChainStep.model_validate({"step_id": "m.5"}).tool == ""
