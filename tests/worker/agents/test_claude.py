"""Claude Code: its words for each reach, and what its events say; the real one is in clients."""

import json
from pathlib import Path

import pytest

from interlock.worker.agents.claude import LOOKING, WORKING, Claude
from tests.worker.agents.speaking import KEY, heard, session

RESULT = {
    "type": "result", "subtype": "success", "is_error": False, "result": '{"a": 1}',
    "total_cost_usd": 0.25,
    "usage": {
        "input_tokens": 3, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 7,
        "output_tokens": 11,
    },
}  # fmt: skip


@pytest.mark.parametrize(("reach", "tools"), [("none", ""), ("read", LOOKING), ("write", WORKING)])
def test_it_has_the_tools_of_its_reach_and_no_settings_but_ours(
    tmp_path: Path, reach: str, tools: str
) -> None:
    start = Claude().start(session(tmp_path, reach))

    words = list(start.words)
    assert words[words.index("--tools") + 1] == tools
    assert ("--allowedTools" in words) == bool(tools)
    assert words[words.index("--setting-sources") + 1] == ""
    assert json.loads(words[words.index("--settings") + 1])["disableAllHooks"] is True
    assert "--strict-mcp-config" in words
    assert words[-2:] == ["--model", "big-1"]
    assert (start.stdin, "Do it." in words) == ("Do it.", False)
    assert start.env["CLAUDE_CONFIG_DIR"] == str(tmp_path)
    assert (start.env["ANTHROPIC_API_KEY"], KEY in words) == (KEY, False)
    assert not {"Write", "Bash"} & set(LOOKING.split(","))


def test_what_it_says_does_and_costs_is_heard() -> None:
    blocks = [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "name": "Read", "input": {"file_path": "a"}},
    ]
    made, told = heard(
        Claude(),
        {"type": "system", "subtype": "init"},
        {"type": "assistant", "message": {"content": blocks}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": '{"a": 1}'}]}},
        RESULT,
    )

    assert told == ["I look.", '> Read {"file_path": "a"}']
    assert (made.text, made.error, made.is_known) == ('{"a": 1}', "", True)
    assert (made.tokens_in, made.tokens_out, made.cost_micros) == (15, 11, 250_000)


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"is_error": True, "api_error_status": 529, "result": "Overloaded"}, "529"),
        ({"subtype": "error_max_turns"}, "error_max_turns"),
    ],
)  # fmt: skip
def test_a_failure_is_one_whatever_was_said(more: dict[str, object], error: str) -> None:
    made, _ = heard(Claude(), {**RESULT, **more})

    assert error in made.error
    assert made.tokens_out == 11
