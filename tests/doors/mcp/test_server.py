"""The server: what it says of itself, and what it does with a tool that it does not offer."""

import pytest
from mcp.shared.exceptions import MCPError

from interlock import __version__
from interlock.doors.mcp.server import INSTRUCTIONS
from interlock.doors.mcp.tools import toolset
from tests.doors.mcp.clients import ERAS, on
from tests.stage import Stage, staged


@staged
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_it_says_who_it_is_and_what_it_can(stage: Stage, mode: str) -> None:
    async with on(stage, mode=mode) as client:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("interlock", __version__)
        assert client.instructions == INSTRUCTIONS
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.resources is not None
        assert client.server_capabilities.prompts is not None


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_it_lists_the_tools_of_its_toolset_and_no_others(stage: Stage, mode: str) -> None:
    async with on(stage, name="work", mode=mode) as client:
        listed = (await client.list_tools()).tools
        with pytest.raises(MCPError, match="in the toolset work; did you mean get_next_work"):
            await client.call_tool("get_next_worx", {})

    assert [tool.name for tool in listed] == [tool.name for tool in toolset("work").tools]


@staged
async def test_prompts_are_listed_and_given(stage: Stage) -> None:
    async with on(stage) as client:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        given = await client.get_prompt("research", {"question": "Why is it so?"})

    assert names == [
        "research", "research-scan", "research-deep", "research-output", "mission", "mission-hop",
        "mission-resolve", "ticket", "ticket-work", "resume",
    ]  # fmt: skip
    assert "Why is it so?" in str(given.messages[0].content)
