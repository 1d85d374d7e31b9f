"""OpenCode: its permissions for each reach, its settings, and what its events say."""

import json
from pathlib import Path

import pytest

from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.program import Told
from tests.worker.agents.speaking import KEY, heard, session


@pytest.mark.parametrize(
    ("reach", "allowed"),
    [("none", set()), ("read", {"read", "glob", "grep", "list"}), ("write", {"*"})],
)
def test_its_permissions_are_those_of_its_reach_and_the_repository_says_nothing(
    tmp_path: Path, reach: str, allowed: set[str]
) -> None:
    start = OpenCode().start(session(tmp_path, reach))

    settings = json.loads(start.env["OPENCODE_CONFIG_CONTENT"])
    permission = settings["permission"]
    assert allowed <= {name for name, how in permission.items() if how == "allow"}
    assert permission["*"] == ("allow" if reach == "write" else "deny")
    assert start.env["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    assert start.env["XDG_CONFIG_HOME"].startswith(str(tmp_path))
    assert settings["provider"]["told"]["options"] == {
        "baseURL": "http://127.0.0.1:1", "apiKey": KEY,
    }  # fmt: skip
    assert start.words[-2:] == ("--model", "told/big-1")
    assert "--pure" in start.words


def test_without_an_address_the_model_is_named_as_it_knows_it(tmp_path: Path) -> None:
    start = OpenCode().start(session(tmp_path, told=Told("a"), model="acme/big-1"))

    assert start.words[-2:] == ("--model", "acme/big-1")
    assert "provider" not in json.loads(start.env["OPENCODE_CONFIG_CONTENT"])


def test_what_it_says_does_and_costs_is_heard() -> None:
    tokens = {"input": 5, "output": 2, "reasoning": 1, "cache": {"read": 10, "write": 20}}
    finished = {"type": "step_finish", "part": {"tokens": tokens, "cost": 0.001}}
    made, told = heard(
        OpenCode(),
        {"type": "step_start", "part": {}},
        {"type": "tool_use", "part": {"tool": "bash", "state": {"input": {"command": "ls"}}}},
        finished,
        {"type": "text", "part": {"text": "{}"}},
        finished,
    )

    assert (told, made.text, made.error) == (['> bash {"command": "ls"}'], "{}", "")
    assert (made.tokens_in, made.tokens_out, made.cost_micros) == (70, 6, 2_000)


def test_an_error_is_a_failure() -> None:
    error = {"name": "APIError", "data": {"message": "Bad Gateway 502"}}
    made, _ = heard(OpenCode(), {"type": "error", "error": error})

    assert made.error == "APIError Bad Gateway 502"
