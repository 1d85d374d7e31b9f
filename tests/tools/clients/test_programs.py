"""Programs from npm: one that is there is not fetched again, one that cannot be had says why."""

import re
from pathlib import Path

import pytest

from tools.clients import programs
from tools.clients.programs import NODE_FOLDER, PROGRAMS, NotInstalled, install, installed


def placed(folder: Path, name: str) -> Path:
    """Put a program where a finished installation would have put it."""
    program = PROGRAMS[name]
    path = folder / f"{name}-{program.version}" / "node_modules" / ".bin" / program.command
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def test_every_version_is_exact_so_that_two_runs_test_the_same() -> None:
    for program in PROGRAMS.values():
        assert re.fullmatch(r"\d+\.\d+\.\d+(-[a-z]+\.\d+)?", program.version)


def test_what_is_there_is_found_and_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "NPM", tmp_path / "no npm")
    path = placed(tmp_path, "claude")

    assert installed("codex", tmp_path) is None
    assert installed("claude", tmp_path) == path
    assert install("claude", tmp_path) == path


def test_a_program_that_cannot_be_fetched_says_so_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A port that nobody listens on: a registry that cannot be reached.
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))

    with pytest.raises(NotInstalled, match="npm cannot install @openai/codex"):
        install("codex", tmp_path / "clients")

    assert list((tmp_path / "clients").iterdir()) == []


def test_a_client_gets_our_node_and_nothing_of_our_surroundings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "secret")

    given = programs.node_environment({"HOME": "there"})

    assert given.keys() == {"PATH", "LANG", "HOME"}
    assert given["PATH"].startswith(str(NODE_FOLDER))
