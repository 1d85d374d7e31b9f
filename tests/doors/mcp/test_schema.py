"""Schemas for a model: short, whole, and true to what is checked."""

import json

from interlock.commands.all import COMMANDS
from interlock.doors.mcp.schema import input_schema
from interlock.wire.plan import CreatePlan, NextStep


def test_a_schema_says_what_a_call_is_about_first_and_what_any_call_may_carry_last() -> None:
    assert input_schema(NextStep) == {
        "type": "object",
        "properties": {
            "plan_id": {"type": "string"},
            "wait_s": {"type": "number", "minimum": 0, "maximum": 10},
            "request_id": {
                "type": "string",
                "description": "Makes the call safe to repeat: same id, same answer.",
            },
            "session_id": {
                "type": "string",
                "description": "Which conversation of yours is calling.",
            },
        },
        "required": ["plan_id"],
    }


def test_shapes_inside_of_shapes_stand_where_they_are_used() -> None:
    schema = input_schema(CreatePlan)
    text = json.dumps(schema)

    step = schema["properties"]["steps"]["items"]  # type: ignore[index] # a document
    assert step["required"] == ["instructions"]
    assert step["properties"]["step_type"]["default"] == "custom"
    assert "search" in step["properties"]["step_type"]["enum"]
    assert step["properties"]["stall_after"]["minimum"] == 1
    assert "maximum" not in text
    assert "``" not in text


def test_no_schema_has_what_helps_nobody_write_a_call() -> None:
    for row in COMMANDS.values():
        text = json.dumps(input_schema(row.takes))
        for word in ("$ref", "$defs", '"title": "', '"null"', "maxLength", "additionalProperties"):
            assert word not in text, (row.name, word)


def test_every_schema_knows_every_field_and_asks_for_those_that_are_needed() -> None:
    for row in COMMANDS.values():
        schema = input_schema(row.takes)
        fields = {one.alias or name: one for name, one in row.takes.model_fields.items()}
        needed = [name for name, one in fields.items() if one.is_required()]
        assert set(schema["properties"]) == set(fields)  # type: ignore[call-overload] # a document
        assert schema.get("required", []) == needed, row.name
