"""On PostgreSQL the app forgets by functions of the owner's alone; by itself it may not."""

import asyncio
from hashlib import sha256

import asyncpg
import pytest

from interlock.store.postgres.retention import CALLS
from interlock.store.retention import KINDS, Round
from interlock.store.script import Artifact, Change
from tests.store.postgres.made import (
    ACME,
    begin,
    connected,
    database,
    job,
    opened,
    saying,
    then,
    until_it_holds,
)
from tools.postgres.server import Server

TABLES = ("replies", "sessions", "logins", "invitations", "contents")


def test_each_kind_has_its_function() -> None:
    assert set(CALLS) == set(KINDS)


def test_the_app_takes_nothing_away_by_itself(postgres_server: Server) -> None:
    async def main(url: str) -> None:
        async with connected(url, "interlock_app") as app:
            for table in TABLES:
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await app.execute(f"DELETE FROM {table}")  # noqa: S608 (our own)

    with database(postgres_server) as url:
        asyncio.run(main(url))


DAY_MS = 86_400_000


def kept(before: Change, content: bytes) -> Change:
    """Return what follows a change: a part is done and leaves something under the same name."""
    unit = before.unit
    one = Artifact(1, "result", sha256(content).hexdigest(), content, author="me")
    part = job(1, "done", fence=1, unit=unit.id)
    return then(unit, part, moved={1}, is_moved_only=True, artifacts=(one,))


def test_what_somebody_is_just_saying_again_is_not_pruned(postgres_server: Server) -> None:
    """Both looked before the other had written: the command had its answer, and nothing behind it."""
    old, live = begin(job(1)), begin(job(1, unit="other"), unit="other")
    first = kept(old, b"words")
    again = kept(live, b"words")

    async def main(url: str) -> None:
        async with opened(url) as store, connected(url) as owner, connected(url) as watch:
            for said in (old, first, kept(first, b"others"), live):
                await store.run(ACME, lambda said=said: saying(said))  # type: ignore[misc]
            await owner.execute("UPDATE units SET ended_at = 1 WHERE id = $1", old.unit.id)
            await owner.execute("BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE")
            doing = asyncio.create_task(store.run(ACME, lambda: saying(again)))
            await until_it_holds(watch, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            before = store.now() - 30 * DAY_MS
            pruning = asyncio.create_task(store.retention.prune("contents", before, 10))
            # It may wait for the command or pass it over: then it is done within a moment.
            await asyncio.wait({pruning}, timeout=1)
            await owner.execute("COMMIT")
            await doing

            assert await pruning == Round(0, 0)
            assert await store.content(ACME, again.artifacts[0].digest) == b"words"

    with database(postgres_server) as url:
        asyncio.run(main(url))
