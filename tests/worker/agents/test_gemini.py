"""Gemini CLI: its mode for each reach, its system settings, and what its events say."""

import json
from pathlib import Path

import pytest

from interlock.worker.agents.gemini import NOBODY, Gemini
from tests.worker.agents.speaking import KEY, heard, session


@pytest.mark.parametrize(("reach", "mode"), [("none", "plan"), ("read", "plan"), ("write", "yolo")])
def test_its_mode_is_that_of_its_reach_and_its_system_settings_are_ours(
    tmp_path: Path, reach: str, mode: str
) -> None:
    start = Gemini().start(session(tmp_path, reach))

    words = list(start.words)
    assert words[words.index("--approval-mode") + 1] == mode
    assert words[words.index("--allowed-mcp-server-names") + 1] == NOBODY
    assert start.env["GEMINI_API_KEY"] == KEY
    assert start.env["GEMINI_CLI_HOME"] == str(tmp_path)
    above = json.loads(Path(start.env["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]).read_text())
    assert above["hooksConfig"] == {"enabled": False}
    assert above == json.loads((tmp_path / ".gemini" / "settings.json").read_text())


def test_what_it_says_in_pieces_does_and_costs_is_heard() -> None:
    made, told = heard(
        Gemini(),
        {"type": "init"},
        {"type": "message", "role": "user", "content": "Do it."},
        {"type": "message", "role": "assistant", "content": "I ", "delta": True},
        {"type": "message", "role": "assistant", "content": "look.", "delta": True},
        {"type": "tool_use", "tool_name": "read_file", "parameters": {"p": 1}},
        {"type": "message", "role": "assistant", "content": "{", "delta": True},
        {"type": "message", "role": "assistant", "content": "}", "delta": True},
        {"type": "error", "severity": "error", "message": "it went on"},
        {"type": "result", "status": "success", "stats": {"input_tokens": 5, "output_tokens": 2}},
    )

    assert (told, made.text, made.error) == (["I look.", '> read_file {"p": 1}'], "{}", "")
    assert (made.tokens_in, made.tokens_out) == (5, 2)


def test_an_end_that_is_no_success_is_a_failure() -> None:
    made, _ = heard(
        Gemini(),
        {"type": "result", "status": "error", "error": {"message": "Quota exceeded"}},
    )

    assert made.error == "Quota exceeded"
