"""A peer in its own environment, on a small plan; skipped where nobody has made the environment."""

from pathlib import Path

import pytest

from tools.bench.peers.handle import command, started
from tools.bench.peers.roster import PEERS


def plays(name: str, mode: str, folder: Path) -> None:
    """Let it play two plans and one; both come to their end."""
    (peer,) = (one for one in PEERS if one.name == name)
    if not peer.python.exists():
        pytest.skip(f"{peer.title} is not here: `make peers` makes its environment")
    with started(command(peer, mode, f"sqlite:{folder / 'peer.db'}"), folder) as handle:
        assert handle.go(1, 4, 60).steps == 4
        assert handle.go(1, 3, 60).steps == 3
