"""The roster: every peer has an adapter that says what is not alike, and a lock of its own."""

from pathlib import Path

import pytest

from tools.bench.peers import roster
from tools.bench.peers.roster import PEERS, ROOT, Peer, installed


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_every_peer_says_what_is_not_like_for_like(peer: Peer) -> None:
    told = peer.told()

    assert told.startswith(f"{peer.title}: ")
    assert "Set up to be durable" in told
    assert told.count("Not like for like") == 2
    for label in (peer.linear, peer.pull):
        assert f"*{label}*" in told


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_every_peer_has_its_wishes_and_its_lock(peer: Peer) -> None:
    wanted = (ROOT / "requirements" / "peers" / f"{peer.name}.in").read_text().split()
    lock = (ROOT / "requirements" / "peers" / f"{peer.name}.txt").read_text()

    assert wanted
    assert [one for one in wanted if f"{one.partition('[')[0]}==" not in lock] == []
    assert (ROOT / f"{peer.module.replace('.', '/')}.py").is_file()


def test_only_who_has_an_environment_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "ENVIRONMENTS", tmp_path)
    assert installed() == ()
    place = tmp_path / "dbos" / ".venv" / "bin"
    place.mkdir(parents=True)
    (place / "python").touch()

    assert [one.title for one in installed()] == ["DBOS"]
