"""The demo's repository and its script are what they say."""

import subprocess
import sys
from pathlib import Path

import pytest

from interlock.cli.demo import feature
from interlock.worker.agents.script import FORM


def test_the_script_is_one_that_an_agent_can_be_given() -> None:
    assert FORM.wrong(feature.script()) == []


def test_the_repository_is_bare_and_its_tests_pass(tmp_path: Path) -> None:
    bare = feature.make_repository(tmp_path)
    out = feature.check_out(bare, tmp_path / "out")

    assert feature.read_git(bare, "rev-parse", "--is-bare-repository") == "true"
    assert sorted(one.name for one in out.iterdir()) == [".git", *sorted(feature.REPOSITORY)]
    assert outcome_of(out) == 0


@pytest.mark.parametrize("name", feature.BEADS)
def test_each_bead_is_right_at_last_and_one_is_wrong_at_first(tmp_path: Path, name: str) -> None:
    for files in (feature.REPOSITORY, feature.BASKET, feature.RIGHT):
        write(tmp_path, files)
    _, attempts = feature.BEADS[name]
    codes = []
    for files in attempts:
        write(tmp_path, files)
        codes.append(outcome_of(tmp_path))

    assert codes == ([1, 0] if name == "discount" else [0])


def write(folder: Path, files: object) -> None:
    for name, text in dict(files).items():  # type: ignore[call-overload] # files by their names
        (folder / name).write_text(text)


def outcome_of(folder: Path) -> int:
    line = [sys.executable, "-B", "-m", "unittest", "-q"]
    return subprocess.run(line, cwd=folder, capture_output=True, check=False).returncode
