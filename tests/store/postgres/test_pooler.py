"""A pooler that keeps a connection for a session will do; one that parts them is refused."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.service.verify import verify
from interlock.store.postgres.pooler import PoolerRefused, connect_directly
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from tests.kept import fill
from tests.ports import quiet_port
from tests.stage import HOME
from tests.stage import opened as staged
from tests.store.postgres.made import database
from tools.postgres.account import give, our_account
from tools.postgres.processes import until
from tools.postgres.server import Server

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/sbin:/bin")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer: make cluster installs it")


@contextmanager
def pooled(server: Server, url: str, mode: str, *more: str) -> Iterator[str]:
    """Give an address that leads through a pooler to a database."""
    name, port = urlsplit(url).path.lstrip("/"), quiet_port()
    folder, account = Path(server.folder) / f"pooler-{port}", our_account()
    folder.mkdir()
    (folder / "users").write_text('"postgres" ""\n', encoding="utf-8")
    lines = [
        "[databases]", f"{name} = host={server.folder} port={server.port} user=postgres",
        "[pgbouncer]", f"unix_socket_dir = {folder}", f"listen_port = {port}",
        "auth_type = trust", f"auth_file = {folder}/users", f"logfile = {folder}/log",
        f"pool_mode = {mode}", *more,
    ]  # fmt: skip
    (folder / "ini").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for one in (folder, *folder.iterdir()):
        give(one, account)
    running = subprocess.Popen(
        [str(PROGRAM), "-q", str(folder / "ini")],
        user=account.user, group=account.group, extra_groups=account.groups,
    )  # fmt: skip
    try:
        until((folder / f".s.PGSQL.{port}").exists, "the pooler does not take connections")
        yield f"postgresql://postgres@/{name}?host={folder}&port={port}"
    finally:
        running.kill()
        running.wait()


def test_one_that_keeps_connections_for_a_session_will_do(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with staged(url) as stage:
            await fill(stage)
            verdict = await verify(stage.engine, HOME)
            assert (verdict.findings, verdict.units > 0) == ([], True)

    with database(postgres_server) as url, pooled(postgres_server, url, "session") as through:
        asyncio.run(main(through))


@pytest.mark.parametrize("more", ["server_round_robin = 0", "server_round_robin = 1"])
def test_one_that_parts_them_between_transactions_is_refused(
    postgres_server: Server, more: str
) -> None:
    async def main(url: str) -> None:
        with pytest.raises(PoolerRefused, match="between transactions"):
            await PostgresStore.open(url, SystemClock(), Options(allow_degraded=True))
        with pytest.raises(InterlockError) as no:
            await PostgresStore.migrate(url, 1)
        assert no.value.code == "POOLER_REFUSED"

    with (
        database(postgres_server) as url,
        pooled(postgres_server, url, "transaction", more, "min_pool_size = 3") as through,
    ):
        asyncio.run(main(through))


def test_without_one_a_connection_is_ours(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        connection = await connect_directly(url, Options())
        assert not connection.is_closed()
        await connection.close()

    with database(postgres_server) as url:
        asyncio.run(main(url))
