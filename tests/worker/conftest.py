"""The databases on which workers are killed: a file, and a PostgreSQL database of its own."""

from collections.abc import Iterator

import pytest

from tests.store.postgres.made import database
from tools.postgres.server import Server


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database; none for a file in the data folder."""
    if request.param == "sqlite":
        yield ""
        return
    server: Server = request.getfixturevalue("postgres_server")
    with database(server) as url:
        yield url
