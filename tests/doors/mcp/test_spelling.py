"""Spellings on input: what is turned, and what must stay as it came."""

from interlock.doors.mcp.schema import input_schema
from interlock.doors.mcp.spelling import in_snake_case
from interlock.wire.plan import CreatePlan, SubmitStep

CREATE = input_schema(CreatePlan)
SUBMIT = input_schema(SubmitStep)


def test_known_names_are_turned_however_deep_they_stand() -> None:
    given = {
        "name": "n",
        "researchQuestion": "why?",
        "steps": [{"instructions": "look", "stepType": "search", "dependsOn": [1]}],
        "branchingConditions": [{"afterStepOrder": 1, "steps": [{"stallAfter": 5}]}],
    }

    assert in_snake_case(CREATE, given) == {
        "name": "n",
        "research_question": "why?",
        "steps": [{"instructions": "look", "step_type": "search", "depends_on": [1]}],
        "branching_conditions": [{"after_step_order": 1, "steps": [{"stall_after": 5}]}],
    }


def test_what_a_caller_fills_freely_is_left_alone() -> None:
    given = {"stepId": "s", "result": {"stepId": 1, "planId": {"resultSummary": 2}}}

    assert in_snake_case(SUBMIT, given) == {"step_id": "s", "result": given["result"]}


def test_unknown_names_and_wrong_values_are_left_for_the_check() -> None:
    assert in_snake_case(SUBMIT, {"stepNope": 1, "nope": 2}) == {"stepNope": 1, "nope": 2}
    assert in_snake_case(CREATE, {"steps": "none"}) == {"steps": "none"}
    assert in_snake_case(CREATE, [1]) == [1]


def test_where_both_spellings_are_given_neither_is_guessed() -> None:
    given = {"stepId": "a", "step_id": "b"}

    assert in_snake_case(SUBMIT, given) == given
