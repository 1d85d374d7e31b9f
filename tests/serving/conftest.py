"""The databases that servers are started on: a file, and a PostgreSQL database of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.farm import Base
from tests.store.postgres.made import database
from tools.postgres.server import Server


@pytest.fixture(params=["sqlite", "postgres"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Base]:
    """A database that several servers can use."""
    if request.param == "sqlite":
        yield Base(tmp_path)
        return
    server: Server = request.getfixturevalue("postgres_server")
    with database(server) as url:
        yield Base(tmp_path, url)
