"""A copy is whole or it is refused; what is wrong in the source is just as wrong in the copy."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from interlock.app import copy_database
from interlock.config import Settings
from interlock.service.copy import Copied
from interlock.store.moving import CopyDiffers
from interlock.store.postgres.target import PostgresTarget
from tests.copying.filled import filled
from tests.copying.judge import differences
from tests.store.postgres.made import connected, database
from tools.postgres.server import Server


@dataclass(frozen=True, slots=True)
class Pair:
    """A folder with a file, and an empty database."""

    folder: Path
    url: str

    def copy(self) -> Copied:
        """Copy the one to the other."""
        return asyncio.run(copy_database(Settings(data=self.folder), self.url, lambda *_: None))


@pytest.fixture
def pair(tmp_path: Path, postgres_server: Server) -> Iterator[Pair]:
    asyncio.run(filled(tmp_path / "interlock.db", seed=4, commands=0))
    with database(postgres_server) as url:
        yield Pair(tmp_path, url)


def test_everything_is_copied_and_told(pair: Pair) -> None:
    copied = pair.copy()

    assert copied.source != copied.target
    assert min(copied.tables.values()) > 0
    assert (copied.resumed, copied.units > 20, copied.entries > 200) == (0, True, True)
    assert asyncio.run(differences(pair.folder / "interlock.db", pair.url)) == []


def test_a_unit_that_is_wrong_in_the_source_is_copied_as_it_is(pair: Pair) -> None:
    with closing(apsw.Connection(str(pair.folder / "interlock.db"))) as file:
        file.execute(
            "UPDATE units SET status = 'lost' WHERE deleted_at IS NULL AND tenant = 'home'"
        )

    assert pair.copy().units > 20


def test_a_row_that_came_from_elsewhere_is_found(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = PostgresTarget.sums

    async def sums(self: PostgresTarget, *args: object) -> object:
        async with connected(pair.url) as connection:
            await connection.execute("INSERT INTO tries (key, minute, count) VALUES ('x', 1, 1)")
        return await real(self, *args)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(PostgresTarget, "sums", sums)
    with pytest.raises(CopyDiffers, match="tries has 3 rows and not 2"):
        pair.copy()
