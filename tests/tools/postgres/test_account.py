"""Who runs PostgreSQL: never root, always in a folder that is theirs alone."""

import os
import tempfile
from pathlib import Path

import pytest

from tools.postgres import account
from tools.postgres.account import (
    Account,
    NoServer,
    environment,
    make_folder,
    memory,
    our_account,
    run,
)


def test_who_is_not_root_runs_it_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert our_account() == Account(None, None, None)


def test_for_root_an_account_without_rights_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    user, group, groups = our_account()

    assert user
    assert group
    assert groups == ()


def test_without_such_an_account_root_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(account, "ACCOUNTS", ("nobody-has-this-name",))

    with pytest.raises(NoServer, match="refuses to run as root"):
        our_account()


def test_a_folder_belongs_to_the_account_alone() -> None:
    runner = our_account()

    folder = make_folder(None, runner)
    seen = folder.stat()
    folder.rmdir()

    assert seen.st_mode & 0o777 == 0o700
    assert seen.st_uid == (os.geteuid() if runner.user is None else runner.user)


def test_a_place_that_is_missing_or_closed_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed, missing = tmp_path / "closed", tmp_path / "missing"
    closed.mkdir(0o700)
    monkeypatch.setattr(account, "PARENTS", (str(missing), str(closed)))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    assert make_folder(None, Account()).parent == tmp_path


def test_memory_is_used_where_there_is_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setattr(account, "MEMORY", tmp_path)
    monkeypatch.setattr(account, "MEMORY_ROOM_BYTES", 1)
    assert memory() == tmp_path

    monkeypatch.setattr(account, "MEMORY_ROOM_BYTES", 2**80)
    assert memory() is None


def test_memory_may_be_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(account, "MEMORY", tmp_path / "missing")

    assert memory() is None


def test_what_would_steer_postgresql_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "elsewhere")
    monkeypatch.setenv("HELD", "yes")

    assert "PGHOST" not in environment()
    assert environment()["HELD"] == "yes"


def test_a_program_that_fails_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="sh failed: so sad"):
        run(["/bin/sh", "-c", "echo so sad >&2; exit 3"], Account(), tmp_path)
