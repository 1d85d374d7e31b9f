"""What a toolset costs: counted as stated, and within what was promised."""

import json

from interlock.doors.mcp.cost import TOKENS_MAX, tokens
from interlock.doors.mcp.tools import toolset, toolsets


def test_the_default_toolset_costs_no_more_than_promised() -> None:
    assert TOKENS_MAX == 6_000
    assert 1_000 < tokens(toolsets()[0]) <= TOKENS_MAX


def test_a_token_is_four_characters_of_the_list_rounded_up() -> None:
    listed = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        for tool in toolset("work").tools
    ]
    length = len(json.dumps({"tools": listed}, ensure_ascii=False, separators=(",", ":")))

    assert 4 * tokens("work") - 4 < length <= 4 * tokens("work")
