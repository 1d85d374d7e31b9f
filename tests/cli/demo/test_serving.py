"""The demo's server: it starts on a free port, dies at once, and comes back at the same address."""

import signal
from pathlib import Path

import httpx2
import pytest

from interlock.cli.demo.serving import Server, WentWrong, Worker, surroundings


def test_it_is_killed_and_comes_back_at_the_same_address(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        before = server.url
        assert httpx2.get(f"{before}/healthz", timeout=30).status_code == 200
        code = server.kill()
        with pytest.raises(httpx2.TransportError):
            httpx2.get(f"{before}/healthz", timeout=30)
        server.start()
        assert httpx2.get(f"{server.url}/healthz", timeout=30).status_code == 200

    assert (code, server.url) == (-signal.SIGKILL, before)
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{before}/healthz", timeout=30)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "interlock.toml").write_text('lease_ms = "none"\n')

    with pytest.raises(WentWrong, match=r"did not start: .*lease_ms"), Server(tmp_path):
        pass


def test_a_worker_starts_with_its_settings_and_dies_at_once(tmp_path: Path) -> None:
    token = {"token": f"il_{'0' * 40}", "worker_heartbeat_s": "1"}
    with Worker(tmp_path, "http://127.0.0.1:9", token) as worker:
        code = worker.kill()

    assert code == -signal.SIGKILL
    wrong = Worker(tmp_path, "http://127.0.0.1:9", {**token, "worker_heartbeat_s": "never"})
    with pytest.raises(WentWrong, match="the worker did not start"), wrong:
        pass


def test_what_never_ran_cannot_be_killed(tmp_path: Path) -> None:
    assert Server(tmp_path).kill() == 0


def test_settings_of_the_surroundings_lead_nobody_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLOCK_DATABASE", "postgresql://elsewhere/db")
    monkeypatch.setenv("ELSE", "stays")

    told = surroundings()

    assert "INTERLOCK_DATABASE" not in told
    assert told["ELSE"] == "stays"
