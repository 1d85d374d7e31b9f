"""``interlock worker doctor``: what is there, what is missing, and what to do about it."""

import json
from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.cli.terminal import start

SETTINGS = """
[agents.there]
kind = "claude"
command = "{there}"
pass = ["NO_SUCH_VARIABLE"]
[agents.own]
kind = "command"
command = "{there} answer"
"""
AWAY = """
[agents.away]
kind = "codex"
command = "/no/such/codex"
[agents.broken]
kind = "gemini"
command = "false"
[agents.keyless]
kind = "openai"
url = "http://127.0.0.1:1/v1"
key_env = "NO_SUCH_KEY"
"""


@pytest.fixture
def there(tmp_path: Path) -> Path:
    path = tmp_path / "claude"
    path.write_text('#!/bin/sh\n[ "$1" = answer ] && echo \'{"ready": true}\' || echo 9.8.7\n')
    path.chmod(0o755)
    return path


def test_all_that_is_there_is_told_with_its_version(tmp_path: Path, there: Path) -> None:
    (tmp_path / "interlock.toml").write_text(SETTINGS.format(there=there))
    said = Home(tmp_path).ask("worker", "doctor")

    assert said.code == 0, said
    assert f"agent there  claude: {there}, 9.8.7; not set here: NO_SUCH_VARIABLE" in said.out
    assert "git version" in said.out
    assert "GiB free" in said.out


def test_what_is_missing_is_told_with_advice_and_the_code_is_one(
    tmp_path: Path, there: Path
) -> None:
    (tmp_path / "interlock.toml").write_text(SETTINGS.format(there=there) + AWAY)
    said = Home(tmp_path).ask("worker", "doctor", "--json")

    checks = {one["name"]: one for one in json.loads(said.out)["checks"]}
    assert said.code == 1
    wrong = [name for name, one in checks.items() if not one["is_well"]]
    assert wrong == ["agent away", "agent broken", "agent keyless"]
    assert all(checks[name]["fix"] for name in wrong)
    assert "NO_SUCH_KEY is not set" in checks["agent keyless"]["found"]
    assert "/no/such/codex" in checks["agent away"]["found"]


def test_without_agents_it_is_said_so(tmp_path: Path) -> None:
    said = Home(tmp_path).ask("worker", "doctor")

    assert said.code == 1
    assert "the settings name none" in said.out


def test_only_if_told_an_agent_is_asked(tmp_path: Path, there: Path) -> None:
    # The first says its version, and nothing else: it is found, and has no answer.
    (tmp_path / "interlock.toml").write_text(SETTINGS.format(there=there))
    said = Home(tmp_path).ask("worker", "doctor", "--ask", "--json")

    checks = {one["name"]: one for one in json.loads(said.out)["checks"]}
    assert said.code == 1
    assert "it answers (0 tokens in, 0 out)" in checks["agent own"]["found"]
    assert "asked, it has no answer" in checks["agent there"]["found"]


def test_settings_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text('[agents.x]\nkind = "nobody"\n')
    said = start("--data", str(tmp_path), "worker", "doctor")

    assert (said.code, said.out) == (2, "")
