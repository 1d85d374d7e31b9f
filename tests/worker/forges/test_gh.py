"""The gh program is asked, and what it says is understood."""

import os
from pathlib import Path

import pytest

from interlock.worker.forges.gh import GhFailed, gh_api
from tests.worker.forges.grounds import run


def says(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a gh in front that does this."""
    (folder / "gh").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_a_document_comes_back_and_a_body_goes_through_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(tmp_path, monkeypatch, f'echo "$@" > {tmp_path}/words; cat')

    assert run(gh_api("POST", "repos/a/b/pulls", {"title": "@x"})) == {"title": "@x"}
    words = (tmp_path / "words").read_text().split()
    assert words[:3] == ["api", "--method", "POST"]
    assert words[-3:] == ["repos/a/b/pulls", "--input", "-"]


def test_it_has_the_login_and_nothing_else_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_TOKEN", "il_secret")
    monkeypatch.setenv("GH_TOKEN", "theirs")
    says(tmp_path, monkeypatch, f"env > {tmp_path}/env; echo null")

    assert run(gh_api("GET", "x")) is None
    env = (tmp_path / "env").read_text()
    assert "GH_TOKEN=theirs" in env
    assert "il_secret" not in env
    assert "GH_PROMPT_DISABLED=1" in env


@pytest.mark.parametrize(
    ("script", "word", "status"),
    [
        ("exit 4", "not logged in", 401),
        ("echo no JSON", "no JSON", 0),
        ("echo broken >&2; exit 1", "broken", 0),
        ("""echo '{"message": "Gone", "status": "404"}'; exit 1""", "says 404: Gone", 404),
        ("""echo '{"message": "V", "status": "422", "errors": ["x"]}'; exit 1""", '["x"]', 422),
    ],
)
def test_a_no_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, word: str, status: int
) -> None:
    says(tmp_path, monkeypatch, script)

    with pytest.raises(GhFailed) as no:
        run(gh_api("GET", "x"))
    assert word in no.value.message
    assert no.value.status == status


def test_one_that_is_not_there_and_one_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.worker.forges.gh.DEADLINE_S", 0.3)
    says(tmp_path, monkeypatch, "sleep 60")
    with pytest.raises(GhFailed, match="did not answer"):
        run(gh_api("GET", "x"))
    (tmp_path / "gh").unlink()
    if any((Path(one) / "gh").exists() for one in os.environ["PATH"].split(":")):
        pytest.skip("this machine has a gh")
    with pytest.raises(GhFailed, match="There is no gh"):
        run(gh_api("GET", "x"))
