"""Bugs in chores that only a kill brings out; each is planted in the process that is killed."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import apsw

from interlock import upkeep
from interlock.clock import Clock, SystemClock
from interlock.store.backup import NAME, Manifest, read_manifest
from interlock.store.erasing import Erased
from interlock.store.incarnate import incarnate
from interlock.store.library import Chunk, Later, TakenJob
from interlock.store.migrate import migrate_sqlite
from interlock.store.sqlite import backup, erase, library
from interlock.store.sqlite.library import SqliteLibrary
from interlock.store.sqlite.session import Session, Values
from interlock.store.tables import Tell


class ChoreBug(NamedTuple):
    """A bug, and the point at which a kill brings it out."""

    point: str
    plant: Callable[[], None]


def plant(bug: str) -> None:
    """Plant a bug in this process; no name plants nothing."""
    if bug:
        BUGS[bug].plant()


def _done_first() -> None:
    """Forget the job in a commit of its own, and write its chunks after that."""

    async def finish(
        self: SqliteLibrary,
        job: TakenJob,
        model: str,
        chunks: Sequence[Chunk],
        later: Later | None = None,
    ) -> bool:
        del later
        mine: Values = {"kind": job.kind, "about": job.about, "attempt": job.attempt}
        await self._write(job.tenant, lambda s, _: s.change("delete_job", mine))

        def keep(session: Session, _: int) -> bool:
            for chunk in chunks:
                library._keep(session, job.about, model, chunk)
            return True

        return await self._write(job.tenant, keep)

    SqliteLibrary.finish_job = finish  # type: ignore[method-assign]  # that is the bug


def _serve_first() -> None:
    """Put the rows of a backup into their place, and name the new incarnation there."""
    real = backup.put

    def as_it_was(connection: apsw.Connection, manifest: Manifest, clock: Clock) -> str:
        connection.execute(f"DROP TABLE IF EXISTS {NAME}")
        migrate_sqlite(connection, clock.now())
        return manifest.incarnation

    def put(staged: Path, place: Path, kept: Path, *, is_forced: bool, tell: Tell) -> bool:
        was = real(staged, place, kept, is_forced=is_forced, tell=tell)
        with closing(apsw.Connection(str(place))) as connection:
            manifest = read_manifest(place.parents[1] / "kept.interlock")
            incarnate(connection, manifest, SystemClock())
        return was

    setattr(upkeep, "incarnate", as_it_was)  # noqa: B010  a function, to whoever reads the module
    setattr(backup, "put", put)  # noqa: B010  as above


def _named_first() -> None:
    """Write a backup under its name from the beginning."""

    @contextmanager
    def made(file: Path) -> Iterator[Path]:
        file.unlink(missing_ok=True)
        yield file

    setattr(backup, "made", made)  # noqa: B010  as above


def _clean_once() -> None:
    """See to the bytes of a tenant only where rows of it have gone just now."""
    rows, clean = erase.erase_rows, erase._clean
    gone: list[int] = []

    def erased(*told: object) -> Erased:
        done = rows(*told)  # type: ignore[arg-type]  # handed on
        gone.append(done.rows)
        return done

    def cleaned(connection: apsw.Connection, path: Path) -> None:
        if gone[-1]:
            clean(connection, path)

    setattr(erase, "erase_rows", erased)  # noqa: B010  as above
    setattr(erase, "_clean", cleaned)  # noqa: B010  as above


BUGS: Final[dict[str, ChoreBug]] = {
    "an index job is done before its chunks": ChoreBug("index, between chunks", _done_first),
    "a restore serves before its incarnation": ChoreBug(
        "restore, before the incarnation", _serve_first
    ),
    "a backup has its name from the beginning": ChoreBug("backup, between pages", _named_first),
    "an erase that was killed is not ended": ChoreBug("erase, before the bytes", _clean_once),
}
