"""One server for all tests of the client: a process of its own, on a folder of its own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doors.mcp.clients import Serving, command, environment, serving
from tests.forking import PIPE, Process


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Run what is async the way the program does."""
    return "asyncio"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Serve an empty folder."""
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def person(server: Serving) -> tuple[str, str]:
    """Make a token for a person who may do anything; return the secret and the id."""
    return token_of(server.folder)


def token_of(folder: Path) -> tuple[str, str]:
    """Make a token for a person; return the secret and the id."""
    scopes = [word for scope in ("read", "work", "decide", "admin") for word in ("--scope", scope)]
    line = command(folder, "token", "create", "pat", "--kind", "user", *scopes, "--json")
    said, _ = Process(line, environment(), stdout=PIPE).communicate()
    told = json.loads(said)
    return str(told["token"]), str(told["token_id"])
