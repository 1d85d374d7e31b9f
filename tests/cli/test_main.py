"""The command itself: version, help, completion, exit codes; and never a traceback."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import interlock
from interlock.commands.all import COMMANDS
from tests.cli.terminal import Said, ask, start, start_anew, start_unsound


def test_the_version_is_printed_alone() -> None:
    assert ask("--version") == Said(0, f"interlock {interlock.__version__}\n", "")


def test_the_installed_command_is_the_same_as_the_module() -> None:
    command = shutil.which("interlock", path=str(Path(sys.executable).parent))
    assert command is not None, "make setup installs it"
    done = subprocess.run([command, "--version"], capture_output=True, check=True, text=True)

    assert done.stdout == start_anew("--version").out == f"interlock {interlock.__version__}\n"


def test_help_names_every_command() -> None:
    said = ask("--help")

    assert said.code == 0
    words = (
        "plan", "list", "explain", "audit", "token", "tools", "workflow", "db", "doctor", "demo",
        "expression", "--data", "--database", "--version",
    )  # fmt: skip
    assert [word for word in words if word not in said.out] == []


def test_without_a_command_help_is_shown() -> None:
    said = ask()

    assert said.code == 2
    assert "Usage: interlock" in said.out + said.err


@pytest.mark.parametrize("words", [("workflw",), ("workflow", "chek"), ("--loud",)])
def test_a_word_that_is_no_command_is_wrong_use(words: tuple[str, ...]) -> None:
    said = ask(*words)

    assert (said.code, said.out) == (2, "")
    assert "No such" in said.err


def test_options_that_stand_before_a_command_hold_for_it(tmp_path: Path) -> None:
    said = start("--data", str(tmp_path / "data"), "list", "--json")

    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["data"] == {"units": []}
    assert (tmp_path / "data" / "interlock.db").is_file()
    wrong = start("--data", str(tmp_path / "data"), "--database", "nowhere", "list")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.startswith("CONFIG_ERROR --database: is not the address")


def test_two_processes_share_one_folder(tmp_path: Path) -> None:
    folder = ("--data", str(tmp_path))
    steps = ("-s", "a", "-s", "b")
    made = start(*folder, "plan", "create", "n", "-q", "q", *steps, "--json")
    plan = json.loads(made.out)["data"]["plan_id"]

    held = [json.loads(start(*folder, "plan", "next", plan, "--json").out) for _ in range(2)]

    assert [one["data"]["step"]["step_id"] for one in held] == [f"{plan}.1", f"{plan}.2"]


def test_bytes_that_are_no_text_are_told_in_words(tmp_path: Path) -> None:
    folder = [b"--data", os.fsencode(tmp_path)]
    for words in (
        [b"explain", b"\xff"],
        [b"plan", b"next", b"\xff"],
        [b"token", b"create", b"\xff"],
    ):
        command = [os.fsencode(sys.executable), b"-m", b"interlock", *folder, *words]
        done = subprocess.run(command, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.startswith(b"INVALID_INPUT ")
        assert b"Traceback" not in done.stderr


def test_exit_codes_of_a_process_fine_found_wrong() -> None:
    fine = start("workflow", "check", "plan", "--steps", "1")
    found = start_unsound("workflow", "check", "plan", "--steps", "1")
    wrong = start("workflow", "check", "plann")

    assert (fine.code, found.code, wrong.code) == (0, 1, 2)
    assert "No findings" in fine.out
    assert "✕ 1 ILLEGAL_PAIR" in found.out
    assert wrong.out == ""
    assert wrong.err == (
        "UNKNOWN_WORKFLOW There is no workflow 'plann'; did you mean 'plan'?\n"
        "`interlock workflow list` shows all of them.\n"
    )


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("interlock", "workf"), "workflow"),
        (("interlock", "workflow", "ch"), "check"),
        (("interlock", "workflow", "check", "m"), "mission"),
        (("interlock", "workflow", "diagram", "plan", "--format", "m"), "mermaid"),
    ],
)
def test_words_are_completed(words: tuple[str, ...], offered: str) -> None:
    said = start(
        _INTERLOCK_COMPLETE="complete_bash",
        COMP_WORDS=" ".join(words),
        COMP_CWORD=str(len(words) - 1),
        _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1",
    )

    assert said.out.split() == [offered]


def test_a_terminal_without_our_signs_gets_question_marks() -> None:
    said = start_anew("workflow", "show", "plan", PYTHONUTF8="0", PYTHONIOENCODING="ascii")

    assert said.code == 0
    assert "? awaiting_review  gate" in said.out
    assert said.err == ""


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("words", [("--version",), ("workflow", "export", "plan")])
def test_where_there_is_no_room_for_the_result_it_is_told(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "interlock", *words]
    with FULL.open("w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)

    assert done.returncode == 2
    assert done.stderr == ("NOT_WRITABLE The result cannot be written: No space left on device.\n")


def test_a_reader_that_has_seen_enough_is_no_trouble() -> None:
    command = [sys.executable, "-m", "interlock", "workflow", "export", "ticket"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()

    assert told == b""


def test_the_words_of_every_row_are_a_command() -> None:
    for row in COMMANDS.values():
        if row.words:
            said = ask(*row.words.split(), "--help")
            assert (said.code, said.out.split()[:2]) == (0, ["Usage:", "interlock"]), row.words
