"""Git as a worker runs it: nothing of a repository or of a person gets to run."""

import asyncio
from pathlib import Path

import pytest

from interlock.worker.workspace.git import GitFailed, git, told
from tests.worker.shop import is_alive, wait_for
from tests.worker.workspace.repositories import plain, repository


def run(*words: str, folder: Path | None = None) -> str:
    return asyncio.run(git(*words, folder=folder))


def program(path: Path, mark: Path, then: str = "") -> Path:
    """Write a program that leaves a mark."""
    path.write_text(f"#!/bin/sh\necho $$ >> {mark}\n{then}\n")
    path.chmod(0o755)
    return path


def test_it_says_what_git_says(tmp_path: Path) -> None:
    there = repository(tmp_path / "there")

    assert run("rev-parse", "--abbrev-ref", "HEAD", folder=there) == "main"
    with pytest.raises(GitFailed) as no:
        run("rev-parse", "--verify", "nothing", folder=there)
    assert no.value.code == 128
    assert no.value.message == "fatal: Needed a single revision"


def test_what_a_repository_wants_to_run_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    there = repository(tmp_path / "there")
    evil = str(program(tmp_path / "evil", mark))
    program(there / ".git" / "hooks" / "post-checkout", mark)
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.askPass"):
        plain(there, "config", name, evil)
    plain(there, "config", "core.hooksPath", str(there / ".git" / "hooks"))

    run("checkout", "--quiet", "-b", "other", "--", folder=there)
    run("status", "--porcelain", folder=there)
    with pytest.raises(GitFailed):
        run("ls-remote", "--", f"ext::{evil}", folder=there)
    assert not mark.exists()

    # By hand each of them would have run: the test can tell the difference.
    plain(there, "checkout", "--quiet", "-b", "third")
    assert mark.exists()


def test_what_a_person_has_set_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text('[alias]\n  hello = "!echo hello"\n[user]\n  name = Eve\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "evil")

    there = repository(tmp_path / "there")
    assert run("config", "--get", "core.fsmonitor", folder=there) == "false"
    with pytest.raises(GitFailed):
        run("config", "--get", "user.name", folder=there)
    with pytest.raises(GitFailed):
        run("hello", folder=there)


def test_one_that_hangs_is_ended_with_all_that_it_has_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    program(tmp_path / "ssh", mark, "exec sleep 600")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    async def story() -> None:
        async with asyncio.timeout(20):
            running = asyncio.create_task(git("ls-remote", "--", "ssh://nobody.invalid/x"))
            await asyncio.to_thread(wait_for, mark.exists)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(story())
    process = int(mark.read_text())
    wait_for(lambda: not is_alive(process))


def test_without_git_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFailed, match="no git on this machine"):
        run("version")


def test_what_is_repeated_is_short_and_holds_no_password() -> None:
    said = told("fatal: unable to access\n 'https://eve:secret@example.org/x': no")
    assert said == "fatal: unable to access 'https://example.org/x': no"
    assert len(told("x" * 10_000)) < 700
    with pytest.raises(GitFailed, match="cannot be told this"):
        run("version", "\0")
