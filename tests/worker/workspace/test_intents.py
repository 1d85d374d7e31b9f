"""Intents: on the disk before work begins, and told to others only when their worker is dead."""

import subprocess
import sys
from pathlib import Path

import pytest

from interlock.worker.workspace.intents import Intent, Intents, read_intents

ONE = Intent("ticket-a.1", "lease-1", "bead", "ticket-a", "about")

DYING = """
import os, sys
from pathlib import Path
from interlock.worker.workspace.intents import Intent, Intents
intents = Intents(Path(sys.argv[1]), "worker-dead")
intents.begin(Intent("ticket-a.1", "lease-1", "bead", "ticket-a", "about"))
intents.begin(Intent("ticket-b.1", "lease-2", "init", "ticket-b"))
intents.end("ticket-b.1")
os.kill(os.getpid(), 9)
"""


def test_what_a_killed_worker_had_begun_is_left(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], check=False)
    assert ended.returncode == -9
    with Intents(tmp_path, "worker-next") as intents:
        assert intents.left() == (ONE._replace(owner="worker-dead"),)
        assert intents.left() == (ONE._replace(owner="worker-dead"),), "until it is ended"
        intents.end("ticket-a.1")
        intents.end("ticket-a.1")
        assert intents.left() == ()
    assert list(tmp_path.iterdir()) == []


def test_what_a_living_worker_has_begun_is_its_own(tmp_path: Path) -> None:
    with Intents(tmp_path, "worker-a") as ours, Intents(tmp_path, "worker-b") as theirs:
        theirs.begin(ONE)
        assert ours.left() == ()
        assert theirs.left() == ()
        assert [one.part for one in read_intents(tmp_path)] == ["ticket-a.1"]
        theirs.close()
        assert [one.owner for one in ours.left()] == ["worker-b"]


def test_half_a_file_is_no_intent(tmp_path: Path) -> None:
    with Intents(tmp_path, "worker-a") as intents:
        (tmp_path / "ticket-a.1.json").write_text('{"part": "tick')
        (tmp_path / ".ticket-a.1.json.x").write_text("{}")
        assert intents.left() == ()


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a\nb", "-x"])
def test_a_name_is_never_a_path(tmp_path: Path, name: str) -> None:
    with Intents(tmp_path, "worker-a") as intents, pytest.raises(ValueError, match="cannot be"):
        intents.begin(Intent(name))
    with pytest.raises(ValueError, match="cannot be"):
        Intents(tmp_path, name)
