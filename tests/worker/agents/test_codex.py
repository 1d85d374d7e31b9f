"""Codex: its sandbox for each reach, its settings, and what its events say."""

import tomllib
from pathlib import Path

import pytest

from interlock.worker.agents.codex import Codex
from interlock.worker.agents.program import Told
from tests.worker.agents.speaking import KEY, heard, session


@pytest.mark.parametrize(
    ("reach", "sandbox"),
    [("none", "read-only"), ("read", "read-only"), ("write", "workspace-write")],
)
def test_its_sandbox_is_that_of_its_reach_and_the_repository_is_not_trusted(
    tmp_path: Path, reach: str, sandbox: str
) -> None:
    start = Codex().start(session(tmp_path, reach))

    words = list(start.words)
    assert words[words.index("--sandbox") + 1] == sandbox
    assert "--ignore-rules" in words
    assert start.env == {"CODEX_HOME": str(tmp_path), "CODEX_API_KEY": KEY}
    written = (tmp_path / "config.toml").read_text()
    settings = tomllib.loads(written)
    assert settings["projects"][str(tmp_path / "tree")]["trust_level"] == "untrusted"
    assert settings["model_providers"]["told"]["base_url"] == "http://127.0.0.1:1"
    assert settings["shell_environment_policy"]["exclude"] == ["CODEX_API_KEY"]
    assert (settings["approval_policy"], settings["model_provider"]) == ("never", "told")
    assert KEY not in written


def test_without_an_address_it_asks_whom_it_asks_by_itself(tmp_path: Path) -> None:
    start = Codex().start(session(tmp_path, told=Told("a"), model=""))

    assert "model_provider" not in tomllib.loads((tmp_path / "config.toml").read_text())
    assert "--model" not in start.words
    assert set(start.env) == {"CODEX_HOME"}


def test_what_it_says_does_and_costs_is_heard() -> None:
    made, told = heard(
        Codex(),
        {"type": "thread.started"},
        {"type": "error", "message": "Reconnecting"},
        {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}},
        {"type": "item.completed", "item": {"type": "command_execution", "command": "ls"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "{}"}},
        {"type": "turn.completed", "usage": {"input_tokens": 5, "output_tokens": 2}},
    )

    assert (told, made.text, made.error) == (["> shell ls"], "{}", "")
    assert (made.tokens_in, made.tokens_out) == (5, 2)


def test_a_turn_that_failed_is_a_failure() -> None:
    made, _ = heard(Codex(), {"type": "turn.failed", "error": {"message": "no such model"}})

    assert made.error == "no such model"
