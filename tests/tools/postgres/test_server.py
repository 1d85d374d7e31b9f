"""Real servers: they start, keep what was committed through a kill, and leave nothing behind."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest

from tools.postgres.account import PARENTS, NoServer
from tools.postgres.binaries import WHEEL, Binaries, found, newest
from tools.postgres.processes import is_alive, processes, until
from tools.postgres.server import Server

ABANDONED = """
import sys
from collections.abc import Callable
from tools.postgres.server import Server
server = Server()
server.start()
print(server.pid, server.folder, flush=True)
sys.stdin.read()
"""

every_version = pytest.mark.parametrize("binaries", found(), ids=lambda one: one.name)


def _ask(url: str, *statements: str) -> object:
    """Run statements one by one over a fresh connection; return the last one's value."""

    async def ask() -> object:
        connection = await asyncpg.connect(url)
        try:
            return [await connection.fetchval(one) for one in statements][-1]
        finally:
            await connection.close()

    return asyncio.run(ask())


def _segments() -> set[str]:
    """Return the ids of all segments of shared memory; Linux has them as a file."""
    table = Path("/proc/sysvipc/shm")
    lines = table.read_text().splitlines() if table.exists() else []
    return {line.split()[1] for line in lines}


def _family(server: Server) -> list[int]:
    assert server.pid is not None
    return [server.pid, *(one.pid for one in processes() if one.parent == server.pid)]


@every_version
def test_a_committed_row_outlives_a_kill(binaries: Binaries) -> None:
    with Server(binaries) as server:
        _ask(server.url(), "CREATE TABLE kept (number int)", "INSERT INTO kept VALUES (7)")
        family = _family(server)

        server.kill()
        assert len(family) > 3
        assert not any(map(is_alive, family))
        assert server.pid is None

        server.start()
        assert _ask(server.url(), "SELECT number FROM kept") == 7
        assert "was not properly shut down" in server.log.read_text()


def test_an_open_transaction_is_lost_in_a_kill() -> None:
    async def write_and_kill(server: Server) -> None:
        connection = await asyncpg.connect(server.url())
        await connection.execute("BEGIN")
        await connection.execute("INSERT INTO kept VALUES (7)")
        server.kill()
        with pytest.raises((asyncpg.PostgresConnectionError, ConnectionError)):
            await connection.execute("COMMIT")

    with Server() as server:
        server.sql("CREATE TABLE kept (number int)")
        asyncio.run(write_and_kill(server))
        server.start()

        assert server.sql("SELECT count(*) FROM kept") == "0"


@every_version
def test_a_server_is_made_to_be_trusted(binaries: Binaries) -> None:
    with Server(binaries) as server:
        asked = ("fsync", "synchronous_commit", "full_page_writes", "data_checksums")
        assert {server.sql(f"SHOW {name}") for name in asked} == {"on"}
        assert server.sql("SHOW server_encoding") == "UTF8"
        assert server.sql("SELECT datcollate FROM pg_database LIMIT 1") == "C"
        assert server.sql("SHOW listen_addresses") == ""
        assert server.sql("SHOW server_version_num").startswith(str(binaries.major))


def test_settings_overrule_ours() -> None:
    with Server(durable=False, settings={"synchronous_commit": "off"}) as server:
        assert server.sql("SHOW fsync") == "off"
        assert server.sql("SHOW synchronous_commit") == "off"


def test_a_stopped_server_starts_again_with_its_data() -> None:
    with Server() as server:
        server.sql("CREATE TABLE kept AS SELECT 7 AS number")
        server.stop()
        server.stop()
        assert server.pid is None
        server.start()
        server.start()

        assert server.sql("SELECT number FROM kept") == "7"
        assert "was not properly shut down" not in server.log.read_text()


def test_two_servers_stand_side_by_side() -> None:
    with Server() as one, Server() as other:
        one.create_database("only here")

        assert one.sql("SELECT 1", "only here") == "1"
        with pytest.raises(NoServer, match='"only here" does not exist'):
            other.sql("SELECT 1", "only here")
        other.kill()
        assert one.sql("SELECT 1") == "1"


@pytest.mark.parametrize("ending", [Server.close, Server.stop, Server.kill])
def test_nothing_is_left_behind(ending: Callable[[Server], None]) -> None:
    with Server() as server:
        family = _family(server)
        lock = (server.data / "postmaster.pid").read_text().splitlines()
        ending(server)

    assert not any(map(is_alive, [*family, server._warden.pid]))
    assert not server.folder.exists()
    assert lock[6].split()[1] not in _segments()


def test_who_is_killed_leaves_nothing_behind() -> None:
    command = [sys.executable, "-c", ABANDONED]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as abandoned:
        assert abandoned.stdout is not None
        pid, folder = abandoned.stdout.readline().split()
        assert is_alive(int(pid))
        abandoned.kill()

    until(lambda: not is_alive(int(pid)), "the server lives on")
    until(lambda: not Path(folder).exists(), "the folder stays")


def test_a_test_run_that_fails_midway_cleans_up() -> None:
    server = Server()
    with pytest.raises(ZeroDivisionError), server:
        _ = 1 / 0

    assert not server.folder.exists()


def test_a_start_that_fails_quotes_the_log_and_cleans_up() -> None:
    server = Server(settings={"no_such_setting": "1"})
    with pytest.raises(NoServer, match=r"(?s)ended at its start.*no_such_setting"), server:
        pass

    assert not server.folder.exists()


def test_a_server_that_ignores_its_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server() as server:
        family = _family(server)
        os.kill(family[0], signal.SIGSTOP)
        monkeypatch.setattr("tools.postgres.server.PATIENCE_S", 0.1)
        server.stop()
        monkeypatch.undo()

        assert not any(map(is_alive, family))


def test_tcp_asks_for_the_password() -> None:
    with Server(tcp=True) as server:
        url = server.url(tcp=True)
        server.sql("CREATE ROLE guest LOGIN")

        assert _ask(url, "SELECT host(inet_server_addr())") == "127.0.0.1"
        assert _ask(server.url(), "SELECT 1") == 1
        with pytest.raises(asyncpg.InvalidPasswordError):
            _ask(url.replace(server.password, "guessed"), "SELECT 1")
        assert server.password not in server.url(user="guest", tcp=True)
        server.kill()
        server.start()
        assert _ask(url, "SELECT 1") == 1


def test_tcp_must_be_asked_for() -> None:
    with Server() as server, pytest.raises(NoServer, match="tcp=True"):
        server.url(tcp=True)


def test_a_database_is_copied_and_dropped(postgres_server: Server) -> None:
    postgres_server.create_database('model "one"')
    postgres_server.sql("CREATE TABLE kept AS SELECT 7 AS number", 'model "one"')
    postgres_server.create_database("copy", template='model "one"')

    assert _ask(postgres_server.url("copy"), "SELECT number FROM kept") == 7
    for name in ("copy", 'model "one"'):
        postgres_server.drop_database(name)
    left = "SELECT count(*) FROM pg_database WHERE datname IN ('copy', 'model \"one\"')"
    assert postgres_server.sql(left) == "0"


def test_a_server_of_each_version_is_shared(
    each_postgres_server: Server, postgres_server: Server
) -> None:
    is_newest = each_postgres_server.binaries == newest()

    assert (each_postgres_server is postgres_server) == is_newest
    assert _ask(each_postgres_server.url(user="postgres"), "SELECT current_user") == "postgres"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's own folders are closed to the server")
def test_a_wheel_in_a_closed_folder_still_serves(tmp_path: Path) -> None:
    package = newest().folder.parent.parent
    tmp_path.chmod(0o700)
    for name in (WHEEL, f"{WHEEL}.libs"):
        shutil.copytree(package.with_name(name), tmp_path / name)
    closed = replace(newest(), folder=tmp_path / WHEEL / "pginstall" / "bin")

    with Server(closed) as server:
        assert server.sql("SELECT 1") == "1"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make folders the server cannot enter")
def test_a_folder_in_a_closed_place_is_refused_and_removed(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)

    with pytest.raises(NoServer, match="cannot work in"):
        Server(parent=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make folders the server cannot write")
def test_a_folder_is_removed_from_a_place_that_only_root_may_change() -> None:
    with TemporaryDirectory(dir=PARENTS[0]) as place:
        Path(place).chmod(0o755)
        with Server(parent=Path(place)) as server:
            assert server.sql("SELECT 1") == "1"

        assert list(Path(place).iterdir()) == []
