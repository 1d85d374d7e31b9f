"""Tables are made in PostgreSQL, and a file is copied there: nobody works with half of either.

Where the database is, whoever prepares has written down in the folder.
"""

import asyncio
from pathlib import Path
from typing import Final

from interlock.app import copy_database
from interlock.clock import SystemClock
from interlock.config import Settings
from interlock.store import moving
from interlock.store.postgres.store import PostgresStore
from tests.copying.copier import ROWS
from tests.copying.judge import differences, goes_on
from tests.copying.torture import OPENED, opened
from tests.crash.chores.chore import Chore, Run, file_of
from tests.crash.chores.full import put_full
from tests.crash.points import COPY_BATCH, COPY_END, POSTGRES_MIGRATE

ADDRESS: Final = "address"
BATCHES: Final = 30
MIGRATIONS: Final = 20


def name_database(folder: Path, url: str) -> None:
    """Say which database a chore is about."""
    folder.mkdir(parents=True)
    (folder / ADDRESS).write_text(url)


def _url(folder: Path) -> str:
    return (folder / ADDRESS).read_text()


def _is_open(folder: Path) -> bool:
    return asyncio.run(opened(_url(folder))) in (OPENED, "empty")


# -- tables ------------------------------------------------------------------------------------


def _prepare_nothing(folder: Path) -> None:
    assert (folder / ADDRESS).exists()


def _migrate(run: Run) -> None:
    asyncio.run(PostgresStore.migrate(_url(run.folder), SystemClock().now()))


def _judge_tables(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    if _is_open(folder) == is_done:
        return []
    return ["the tables cannot be used" if is_done else "half of the tables are used as if whole"]


# -- a copy ------------------------------------------------------------------------------------


def _prepare_copy(folder: Path) -> None:
    put_full(file_of(folder))


def _copy(run: Run) -> None:
    # So that there are many batches.
    setattr(moving, "ROWS_MAX", ROWS)  # noqa: B010  a constant, to whoever reads the module
    settings = Settings(data=run.file.parent)
    asyncio.run(copy_database(settings, _url(run.folder), lambda *_: None))


def _judge_copy(folder: Path, is_done: bool) -> list[str]:  # noqa: FBT001 (as every judge)
    if not is_done:
        return ["a store opens a copy that is not whole"] if _is_open(folder) else []
    found = asyncio.run(differences(file_of(folder), _url(folder)))
    return found + asyncio.run(goes_on(_url(folder)))


MIGRATING: Final = Chore(
    "migrate PostgreSQL", {POSTGRES_MIGRATE: MIGRATIONS}, _prepare_nothing, _migrate, _judge_tables
)
COPYING: Final = Chore(
    "copy", {COPY_BATCH: BATCHES, COPY_END: 1}, _prepare_copy, _copy, _judge_copy
)
