"""A program as an agent: contained, in a folder of its own, and its failures have a class."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.worker.agents.agent import AgentFailed, Said
from interlock.worker.agents.claude import Claude
from interlock.worker.agents.command import Command
from interlock.worker.agents.gemini import Gemini
from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.program import Dialect, Program, Told
from tests.worker.agents.tasks import DRAFT

ANSWER: dict[str, object] = {"questions": []}
SUCCESS = json.dumps({
    "type": "result", "subtype": "success", "result": json.dumps(ANSWER),
    "usage": {"input_tokens": 3, "output_tokens": 4}, "total_cost_usd": 0.5,
})  # fmt: skip
OVERLOADED = json.dumps({"type": "result", "is_error": True, "api_error_status": 529})


def program(folder: Path, text: str, dialect: Dialect, told: Told | None = None) -> Program:
    """Return an agent whose program is a script of the shell."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return Program(dialect, replace(told or Told("a"), command=(str(path),)), folder / "agents")


def ask(agent: Program, **more: object) -> Said:
    return asyncio.run(agent.run(replace(DRAFT, **more)))  # type: ignore[arg-type] # the test names fields


def test_its_answer_comes_with_what_it_cost(tmp_path: Path) -> None:
    said = ask(program(tmp_path, f"cat >/dev/null; echo '{SUCCESS}'", Claude()))

    assert said == Said(ANSWER, json.dumps(ANSWER), 3, 4, (), 500_000)


@pytest.mark.parametrize(
    ("text", "failure", "message"),
    [
        (f"echo '{OVERLOADED}'; exit 1", "transient", "529"),
        ("echo 'connect ECONNREFUSED' >&2; exit 1", "transient", "ended with code 1"),
        ("echo 'no such option' >&2; exit 2", "failed", "ended with code 2: no such option"),
        ("kill -9 $$", "failed", "ended with signal 9"),
        ("exec sleep 600", "timed_out", "did not end within 0.5 s"),
        ("exit 0", "invalid_output", "nothing was said"),
    ],
)
def test_a_failure_has_its_class(tmp_path: Path, text: str, failure: str, message: str) -> None:
    deadline_s = 0.5 if failure == "timed_out" else 20.0
    with pytest.raises(AgentFailed) as no:
        ask(program(tmp_path, text, Claude()), deadline_s=deadline_s)

    assert no.value.failure == failure
    assert message in no.value.message


def test_one_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(AgentFailed) as no:
        ask(Program(Claude(), Told("a", ("no-such-agent",)), tmp_path))

    assert no.value.failure == "failed"
    assert no.value.message.startswith("no-such-agent cannot be started")


def test_what_cannot_be_read_is_handed_back(tmp_path: Path) -> None:
    with pytest.raises(AgentFailed) as no:
        ask(program(tmp_path, "echo I would rather not.", Command()))

    assert (no.value.failure, no.value.text) == ("invalid_output", "I would rather not.\n")


def test_it_has_a_folder_for_its_settings_that_nobody_finds_later(tmp_path: Path) -> None:
    text = """
        [ -e "$CLAUDE_CONFIG_DIR/planted" ] && exit 9
        touch "$CLAUDE_CONFIG_DIR/planted"; cat >/dev/null
    """
    agent = program(tmp_path, f"{text}\necho '{SUCCESS}'", Claude())
    answers = [ask(agent).answer for _ in range(2)]

    assert answers == [ANSWER, ANSWER]
    assert [*(tmp_path / "agents" / "sessions").iterdir()] == []


def test_it_knows_what_it_is_given_and_those_are_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_TOKEN", "not-for-agents")
    told = Told("a", key="sk-0123456789", passed={"PROXY": "http://u:p@host", "SHORT": "1"})
    text = """printf '{"questions": ["%s", "%s", "%s", "%s"]}' "$PROXY" "$HOME" "$PWD" "$OTHER_TOKEN" """
    agent = program(tmp_path, text, Command(), told)
    tree = tmp_path / "tree"
    tree.mkdir()

    said = ask(agent, folder=tree, home=tmp_path / "home")

    assert said.answer["questions"] == ["http://u:p@host", str(tmp_path / "home"), str(tree), ""]
    assert agent.secrets == ("sk-0123456789", "http://u:p@host")
    assert "0123456789" not in repr(told)


def test_without_a_tree_it_sees_an_empty_folder_and_may_do_nothing(tmp_path: Path) -> None:
    text = """printf '{"questions": ["%s", "%s"]}' "$(ls -A)" "$AGENT_REACH" """
    said = ask(program(tmp_path, text, Command()), reach="write")

    assert said.answer["questions"] == ["", "none"]


def test_one_that_would_believe_the_tree_is_not_started_there(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".gemini").symlink_to("nowhere")
    with pytest.raises(AgentFailed, match="lies in the tree"):
        ask(program(tmp_path, f"touch {tmp_path}/ran", Gemini()), folder=tree)

    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("how", ["folder", "file", "link"])
def test_what_an_earlier_session_left_in_the_home_for_it_is_gone(tmp_path: Path, how: str) -> None:
    home = tmp_path / "home"
    (home / "kept").mkdir(parents=True)
    planted = home / ".opencode"
    if how == "folder":
        planted.mkdir()
    elif how == "file":
        planted.touch()
    else:
        planted.symlink_to(home / "kept")
    text = """ls -A "$HOME" >&2; [ -e "$HOME/.opencode" ] || [ -L "$HOME/.opencode" ] || echo gone >&2
        exit 3"""

    with pytest.raises(AgentFailed, match="gone"):
        ask(program(tmp_path, text, OpenCode()), home=home)
    assert (home / "kept").exists()
