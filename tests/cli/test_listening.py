"""The port: opened, or refused with who has it and how to choose another."""

import os
import socket
from pathlib import Path

import pytest

from interlock.cli.listening import CannotListen, holder, listening
from interlock.config import Settings

LINE = "   0: 0100007F:{port:04X} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000 0 0 {inode} 1"


def test_an_open_port_takes_calls_before_anybody_answers_them(tmp_path: Path) -> None:
    with listening(Settings(tmp_path, port=0)) as bound:
        port = bound.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="this system does not tell")
def test_a_port_that_is_taken_is_refused_with_who_has_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen) as no, listening(Settings(tmp_path, port=port)):
            pass

    assert f"127.0.0.1:{port}" in no.value.message
    assert f"(process {os.getpid()}) listens there already." in no.value.message
    assert "--port 0" in no.value.fix


def test_an_address_that_is_not_ours_is_refused_as_the_system_says(tmp_path: Path) -> None:
    with pytest.raises(CannotListen) as no, listening(Settings(tmp_path, host="203.0.113.1")):
        pass

    assert "listens there already" not in no.value.message


def proc(folder: Path, port: int, *, state: str = "0A", has_owner: bool = True) -> Path:
    """Make what a kernel shows of one socket and one process."""
    (folder / "net").mkdir()
    line = LINE.format(port=port, state=state, inode=777)
    (folder / "net" / "tcp").write_text(f"  sl  local_address\n{line}\n")
    (folder / "12" / "fd").mkdir(parents=True)
    (folder / "12" / "comm").write_text("nginx\n")
    (folder / "12" / "fd" / "5").symlink_to("socket:[777]" if has_owner else "socket:[1]")
    return folder


def test_a_holder_is_told_as_far_as_it_can_be_seen(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
    proc(tmp_path / "a", 7400)
    proc(tmp_path / "b", 7400, has_owner=False)
    proc(tmp_path / "c", 7400, state="01")

    assert holder(7400, tmp_path / "a") == "nginx (process 12)"
    assert holder(7401, tmp_path / "a") == ""
    assert holder(7400, tmp_path / "b") == "another process"
    assert holder(7400, tmp_path / "c") == ""
    assert holder(7400, tmp_path / "nowhere") == ""
