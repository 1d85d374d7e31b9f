"""A private file is for its owner, whole or not there, and never over another one."""

import os
import signal
from pathlib import Path

import pytest

from interlock.private import write_private


def test_it_is_for_its_owner_and_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    write_private(path, b"one")

    assert path.read_bytes() == b"one"
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        write_private(path, b"two")
    assert path.read_bytes() == b"one"
    assert [one.name for one in path.parent.iterdir()] == ["key"]


def test_on_a_disk_without_second_names_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "key"
    write_private(path, b"one")

    with pytest.raises(PermissionError):
        write_private(path, b"two")
    assert path.read_bytes() == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["key"]


def test_who_is_killed_while_it_is_written_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    pid = os.fork()
    if not pid:
        monkeypatch.setattr(os, "fsync", lambda _: os.kill(os.getpid(), signal.SIGKILL))
        write_private(path, b"one")
        os._exit(0)
    _, status = os.waitpid(pid, 0)

    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert not path.exists()
    write_private(path, b"two")
    assert path.read_bytes() == b"two"
