"""The tools that come along: each can be described, and says honestly what it needs."""

import pytest

from interlock.outside.schema import read_schema
from interlock.toolbox.around import Around, ModelAt
from interlock.toolbox.built_in import TOOLS
from interlock.toolbox.tool import Tool


def test_these_come_along() -> None:
    assert [tool.name for tool in TOOLS] == [
        "literal", "template", "json_query", "group_reduce", "extract", "summarize", "http_fetch",
    ]  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_has_schemas_that_can_be_used_and_mapped(tool: Tool) -> None:
    for schema in (tool.parameters, tool.result):
        read_schema(schema)
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        assert set(required) <= set(properties)
    assert tool.parameters["additionalProperties"] is False
    assert len(tool.doc) < 300


def test_what_they_need_is_what_can_be_configured() -> None:
    all_of_it = Around(ModelAt("openai", "http://127.0.0.1:1", "big"), ("a.example",))

    needed = {one for tool in TOOLS for one in tool.resources}

    assert needed == all_of_it.resources() == {"model", "http"}
