"""``interlock serve``: where it listens, the token it makes, what it says, how it stops."""

import asyncio
import signal
import socket
from pathlib import Path

import httpx2
import pytest

from interlock.app import App, open_app
from interlock.cli.files import NotWritable
from interlock.cli.serve import local_token, loop_factory
from interlock.config import Settings
from interlock.service.access import authenticate, create_token
from tests.cli.home import Home
from tests.doors.mcp.clients import serving


def made(folder: Path, *, has_token: bool = False) -> Path | None:
    """Ask for the token of a data folder, as a server does when it starts."""

    async def work() -> Path | None:
        async with open_app(Settings(folder)) as app:
            if has_token:
                await create_token(app.engine, app.owner(), "mine")
            return await local_token(app)

    return asyncio.run(work())


def test_a_folder_without_a_token_gets_one_for_agents_that_only_its_owner_can_read(
    tmp_path: Path,
) -> None:
    path = made(tmp_path)

    async def who(app: App) -> tuple[str, frozenset[str]]:
        assert path is not None
        found = await authenticate(app.engine, path.read_text().strip())
        return found.kind, found.scopes

    async def work() -> tuple[str, frozenset[str]]:
        async with open_app(Settings(tmp_path)) as app:
            return await who(app)

    assert path == tmp_path / "agent.token"
    assert path.stat().st_mode & 0o777 == 0o600
    assert asyncio.run(work()) == ("agent", frozenset({"read", "work"}))


def test_it_is_made_once_and_never_beside_tokens_that_somebody_else_made(tmp_path: Path) -> None:
    first = made(tmp_path / "a")
    assert first is not None
    secret = first.read_text()

    assert made(tmp_path / "a") == first
    assert first.read_text() == secret
    assert made(tmp_path / "b", has_token=True) is None
    assert not (tmp_path / "b" / "agent.token").exists()


def test_a_token_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "agent.token").symlink_to(tmp_path / "nowhere" / "at all")

    with pytest.raises(NotWritable):
        made(tmp_path)


def test_it_says_where_it_is_and_how_to_connect_but_not_the_secret(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        told = httpx2.get(f"{server.url}/version", timeout=30).json()
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == 0
    said = "".join(server.said)

    assert told["name"] == "interlock"
    assert f"{server.url}/mcp" in said
    assert str(tmp_path / "agent.token") in said
    assert server.token not in said


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = Home(tmp_path).ask("serve", "--port", str(port))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("CANNOT_LISTEN ")
    assert "--port" in said.err


def test_the_loop_is_the_faster_one_where_there_is_one() -> None:
    pytest.importorskip("uvloop", reason="there is none for this system")
    make = loop_factory()

    assert make is not None
    loop = make()
    loop.close()
    assert type(loop).__module__ == "uvloop"
