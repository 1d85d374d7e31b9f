"""A node that hangs holds up no connection to another one, and is not asked first again."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from interlock.store.errors import StoreUnavailable
from interlock.store.postgres.dial import Node, dial, nodes_of
from interlock.store.postgres.trips import Options
from tests.store.postgres.made import database, opened
from tools.postgres.server import Server


@contextmanager
def hanging(folder: Path, port: int) -> Iterator[None]:
    """Take connections and say nothing, as a server does that is held still."""
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(folder / f".s.PGSQL.{port}"))
        listening.listen()
        yield


@pytest.mark.parametrize(
    ("url", "nodes"),
    [
        ("postgresql://a:b@one:1,two/db", [("one", 1), ("two", None)]),
        ("postgresql://[::1]:5,[::2]/db", [("::1", 5), ("::2", None)]),
        ("postgresql:///db?host=/a,/b&port=7", [("/a", 7), ("/b", 7)]),
        ("postgresql:///db?host=/a,/b&port=7,8", [("/a", 7), ("/b", 8)]),
        ("postgresql://one/db", [("one", None)]),
        ("postgresql:///db", []),
    ],
)
def test_the_nodes_of_an_address(url: str, nodes: list[Node]) -> None:
    assert [*nodes_of(url)] == nodes


def test_a_node_that_hangs_holds_up_no_other(
    postgres_server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(url: str) -> None:
        with caplog.at_level(logging.WARNING, "interlock.store"):
            async with opened(url, Options(allow_degraded=True, connect_s=2.0)) as store:
                assert (await store.health()).dialect == "postgres"
        assert "did not answer" in caplog.records[0].message
        # From then on the one that answered is asked first.
        assert len(caplog.records) == 1

    with database(postgres_server) as url, hanging(tmp_path, postgres_server.port):
        name = urlsplit(url).path
        hosts = f"{tmp_path},{postgres_server.folder}"
        asyncio.run(main(f"postgresql://postgres@{name}?host={hosts}&port={postgres_server.port}"))


def test_where_no_node_will_do_it_is_told_what_the_last_one_said(tmp_path: Path) -> None:
    async def main() -> None:
        url = f"postgresql://postgres@/x?host={tmp_path},{tmp_path}/none&port=5"
        with pytest.raises((OSError, asyncpg.PostgresError)):
            await dial(url, 0.2)
        with pytest.raises(StoreUnavailable):
            async with opened(url, Options(connect_s=0.2)):
                pass

    with hanging(tmp_path, 5):
        asyncio.run(main())
