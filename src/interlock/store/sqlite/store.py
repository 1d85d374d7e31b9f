"""The store on one SQLite file. Commands go to the writer, reads to a thread of their own."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar, cast

import apsw

from interlock.clock import Clock
from interlock.store.errors import StoreError, StoreUnavailable
from interlock.store.heads import HeadRow, RestoreRow
from interlock.store.migrate import migrate_sqlite
from interlock.store.people import Act
from interlock.store.port import (
    ALL,
    ALL_CALLS,
    ArtifactRow,
    AuditRow,
    CallRow,
    Due,
    FeedbackRow,
    Filter,
    Health,
    LeaseRow,
    Listed,
    Offer,
    Recall,
    SkillRow,
    TokenRow,
    Waiting,
    Which,
    WhichCalls,
    Whole,
)
from interlock.store.rows import BareRow, unpruned
from interlock.store.script import Artifact, Committed, Key, Reply, Script, SkillMove
from interlock.store.sqlite import read, records
from interlock.store.sqlite.bell import Bell
from interlock.store.sqlite.board import SqliteBoard
from interlock.store.sqlite.connect import connect, translated
from interlock.store.sqlite.gates import SqliteGates
from interlock.store.sqlite.hooks import SqliteHooks
from interlock.store.sqlite.library import SqliteLibrary
from interlock.store.sqlite.load import find_artifact, load_reply
from interlock.store.sqlite.logs import SqliteLogs
from interlock.store.sqlite.people import SqlitePeople, change
from interlock.store.sqlite.projects import SqliteProjects
from interlock.store.sqlite.retention import SqliteRetention
from interlock.store.sqlite.session import Session, Values
from interlock.store.sqlite.tokens import Tokens
from interlock.store.sqlite.write import keep
from interlock.store.sqlite.writer import Writer

T = TypeVar("T")

NOBODY: Final = ""
DIGITS_MAX: Final = 18
"""How many digits a position may have; SQLite takes no larger number."""
"""The tenant of what belongs to none; no row has it."""

BUSY: Final = -1
"""The data version while it cannot be told; it differs from every other, so nobody misses one."""


class SqliteStore:
    """A store on one file, which other processes may use at the same time."""

    def __init__(
        self, path: Path, clock: Clock, synchronous: str = "full", *, sees_deleted: bool = False
    ) -> None:
        """Open the file, bring its schema up to date, and start the writer.

        With ``sees_deleted`` reads also find units that were deleted: to prove the audit.
        """
        self.path = path
        self.synchronous = synchronous
        self._sees_deleted = sees_deleted
        self._clock = clock
        connection = connect(path, synchronous)
        with translated(path):
            migrate_sqlite(connection, clock.now())
            self.incarnation = _incarnation(connection, clock)
        self._reader = connect(path, synchronous)
        self._version = connect(path, synchronous)
        # It is asked on event loops, which must not wait.
        self._version.set_busy_timeout(0)
        self._asking = threading.Lock()
        self.durability = "full" if synchronous == "full" else "degraded"
        self._is_closed = False
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="interlock-reader")
        self._tokens = Tokens()
        self._bell = Bell(self._data_version)
        self._writer = Writer(connection, path, clock.now, self.incarnation)
        self._writer.ring = self._bell.ring
        self.library = SqliteLibrary(self._read, self._writer)
        self.board = SqliteBoard(self._read, self._writer, clock.now)
        self.gates = SqliteGates(self._read)
        self.hooks = SqliteHooks(self._read, self._writer)
        self.people = SqlitePeople(self._read, self._writer)
        self.projects = SqliteProjects(self._read, self._writer)
        self.logs = SqliteLogs(self._read, self._writer)
        self.retention = SqliteRetention(self._read, self._writer)

    def now(self) -> int:
        """Return this process's time."""
        return self._clock.now()

    def _data_version(self) -> int:
        with self._asking, translated(self.path):
            if self._is_closed:
                return BUSY
            try:
                ((version,),) = self._version.execute("PRAGMA data_version")
            except apsw.BusyError:
                return BUSY
        return int(str(version))

    # -- commands ------------------------------------------------------------------------------

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Drive a script and commit what it returns."""
        return await self._writer.run(tenant, make)

    async def keep(self, tenant: str, unit: str, artifact: Artifact) -> int | None:
        """Keep an artifact beside a unit that does not change; the same one only once."""

        def play(writer: Writer) -> int | None:
            session = Session(writer.connection, tenant)
            if session.row("unit_version", {"id": unit}) is None:
                return None
            version = find_artifact(session, unit, artifact)
            if version is None:
                writer.begin_writing(tenant)
                keep(session, unit, artifact, writer.now())
                version = find_artifact(session, unit, artifact)
            return version

        done = await self._writer.call(play)
        return done if isinstance(done, int) else None

    async def add_token(self, row: TokenRow, digest: str, act: Act | None = None) -> None:
        """Keep a token under the SHA-256 of its secret."""
        values: Values = {**row._asdict(), "hash": digest}
        await self._act(row.tenant, "insert_token", values, row.created_at, act)

    async def revoke_token(self, tenant: str, name: str, at: int, act: Act | None = None) -> bool:
        """Revoke a token; say whether there was one that was still good."""
        return await self._act(tenant, "revoke_token", {"id": name, "at": at}, at, act)

    async def add_tenant(self, tenant: str, name: str, at: int) -> None:
        """Make a tenant, unless there is one."""
        await self._act(NOBODY, "insert_tenant", {"id": tenant, "name": name, "at": at}, at, None)

    async def _act(self, tenant: str, name: str, values: Values, at: int, act: Act | None) -> bool:
        done = await self._writer.call(lambda w: change(w, tenant, name, values, at, act))
        return bool(done)

    # -- records beside the units ----------------------------------------------------------------

    async def reply(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a key."""
        return await self._read(tenant, lambda s: load_reply(s, key))

    async def add_skill(self, row: SkillRow, key: Key | None, reply: str) -> Committed:
        """Keep an execution that has begun."""
        done = await self._writer.call(lambda w: records.add_skill(w, row, key, reply))
        return cast("Committed", done)

    async def move_skill(
        self, tenant: str, move: SkillMove, at: int, key: Key | None, reply: str
    ) -> Committed:
        """End an execution that has no unit; raises ``SkillMoved``."""
        done = await self._writer.call(
            lambda w: records.move_skill(w, tenant, move, at, key, reply)
        )
        return cast("Committed", done)

    async def skill(self, tenant: str, name: str) -> SkillRow | None:
        """Read an execution."""
        return await self._skill(tenant, "load_skill", {"id": name})

    async def unit_skill(self, tenant: str, unit: str) -> SkillRow | None:
        """Read the execution that is linked to a unit."""
        return await self._skill(tenant, "load_unit_skill", {"unit": unit})

    async def newest_skill(self, tenant: str, session: str) -> SkillRow | None:
        """Find the execution of a session that began last and has no unit yet."""
        return await self._skill(tenant, "newest_skill", {"session": session})

    async def _skill(self, tenant: str, name: str, values: Values) -> SkillRow | None:
        return await self._read(tenant, lambda s: records.find_skill(s, name, values))

    async def add_feedback(self, row: FeedbackRow, key: Key | None, reply: str) -> Committed | None:
        """Keep feedback; None if there is no such unit."""
        done = await self._writer.call(lambda w: records.add_feedback(w, row, key, reply))
        return cast("Committed | None", done)

    async def feedback(self, tenant: str, unit: str) -> tuple[FeedbackRow, ...]:
        """List what was said of a unit."""
        return await self._read(tenant, lambda s: records.feedback(s, unit))

    async def add_calls(self, tenant: str, rows: Sequence[CallRow]) -> None:
        """Keep calls of tools."""
        await self._writer.call(lambda w: records.add_calls(w, tenant, rows))

    async def calls(
        self,
        tenant: str,
        before: tuple[int, str] | None,
        limit: int,
        which: WhichCalls = ALL_CALLS,
    ) -> tuple[CallRow, ...]:
        """List calls of tools, the newest first."""
        return await self._read(tenant, lambda s: records.calls(s, before, limit, which))

    async def prune_calls(self, before: int, limit: int) -> int:
        """Forget calls of any tenant that are older than an instant."""
        done = await self._writer.call(lambda w: records.prune_calls(w, before, limit))
        return cast("int", done)

    # -- reads ---------------------------------------------------------------------------------

    async def _read(self, tenant: str, look: Callable[[Session], T]) -> T:
        """Look at the file as it is now, in one read transaction on the reader's thread."""

        def at_once() -> T:
            with translated(self.path):
                session = Session(self._reader, tenant, sees_deleted=self._sees_deleted)
                self._reader.execute("BEGIN")
                try:
                    return look(session)
                finally:
                    session.close()
                    self._reader.execute("COMMIT")

        if self._is_closed:
            raise StoreUnavailable("The store is closed.", fix="Send it again later.")
        return await asyncio.get_running_loop().run_in_executor(self._readers, at_once)

    async def whole(self, tenant: str, unit: str) -> Whole | None:
        """Read a unit with all its parts, at one moment."""
        return await self._read(tenant, lambda s: read.whole(s, unit, self.incarnation))

    async def units(
        self,
        tenant: str,
        workflow: str,
        before: tuple[int, str] | None,
        limit: int,
        which: Which = ALL,
    ) -> tuple[Listed, ...]:
        """List units, the last changed first."""
        return await self._read(tenant, lambda s: read.units(s, workflow, before, limit, which))

    async def bare(self, tenant: str, unit: str) -> BareRow | None:
        """Read the columns of a unit, whatever is in them."""
        return await self._read(tenant, lambda s: read.bare(s, unit))

    async def bare_open(
        self, tenant: str, workflow: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[BareRow, ...]:
        """List units of a workflow that have not ended, whatever is in their columns."""
        return await self._read(tenant, lambda s: read.bare_open(s, workflow, before, limit))

    async def audit(self, tenant: str, unit: str, after: int, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of one unit in their order."""
        return await self._read(tenant, lambda s: read.audit(s, unit, after, limit))

    async def feed(self, tenant: str, after: str, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of all units from a position on."""
        place = int(after[:DIGITS_MAX]) if after.isascii() and after.isdigit() else 0
        return await self._read(tenant, lambda s: read.feed(s, place, limit))

    async def feed_end(self, tenant: str) -> str:
        """Return the position of the last entry there is."""
        return await self._read(tenant, read.feed_end)

    async def heads(self, tenant: str, after: str, limit: int) -> tuple[HeadRow, ...]:
        """List heads in the order of their units."""
        return await self._read(tenant, lambda s: read.heads(s, after, limit))

    async def restores(self) -> tuple[RestoreRow, ...]:
        """List the restores of this file."""
        return await self._read(NOBODY, read.restores)

    async def offers(self, tenant: str, wanted: Filter, limit: int) -> tuple[Offer, ...]:
        """Find units whose queues may have work."""
        return await self._read(tenant, lambda s: read.offers(s, wanted, limit))

    async def leases(
        self, tenant: str, unit: str, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[LeaseRow, ...]:
        """List leases, the one that ends first at the top."""
        return await self._read(tenant, lambda s: read.leases(s, unit, after, limit))

    async def artifacts(self, tenant: str, unit: str) -> tuple[ArtifactRow, ...]:
        """List what is kept for a unit."""
        return await self._read(tenant, lambda s: read.artifacts(s, unit))

    async def content(self, tenant: str, digest: str) -> bytes | None:
        """Read content by its SHA-256."""
        row = await self._read(tenant, lambda s: s.row("load_content", {"digest": digest}))
        return None if row is None else unpruned(digest, cast("bytes", row[0]), row[1])

    async def tokens(self, tenant: str) -> tuple[TokenRow, ...]:
        """List tokens."""
        return await self._read(tenant, read.tokens)

    async def find_token(self, digest: str) -> TokenRow | None:
        """Find the token with this SHA-256 in any tenant."""
        since = self._writer.since()
        known = self._tokens.find(digest, since)
        if known is not None:
            return known
        # One row by its key: looking costs less than handing the question to the reader's thread,
        # and a reader never waits for a writer.
        with self._asking, translated(self.path):
            if self._is_closed:
                raise StoreUnavailable("The store is closed.", fix="Send it again later.")
            row = read.find_token(Session(self._version, NOBODY), digest)
        if row is not None:
            self._tokens.keep(digest, row, since)
        return row

    async def tenants(self) -> tuple[str, ...]:
        """List the tenants."""
        return await self._read(
            NOBODY, lambda s: tuple(str(row[0]) for row in s.rows("list_tenants", {}))
        )

    async def due(self, limit: int) -> tuple[Due, ...]:
        """Find leases of any tenant that have run out."""
        return await self._read(NOBODY, lambda s: read.due(s, self.now(), limit))

    async def count_waiting(self) -> Waiting:
        """Count what waits, over all tenants."""
        return await self._read(NOBODY, read.count_waiting)

    def recall(self) -> Recall:
        """Say how often this process had to ask the file for what a command needs."""
        return self._writer.memory.recall()

    def watch(self, tenant: str) -> AsyncGenerator[None, None]:
        """Yield at once, and whenever something of the tenant may have changed."""
        return self._bell.watch(tenant)

    async def health(self) -> Health:
        """Say how the file is set up, as SQLite says it, and whether it can still be written."""
        found = await self._read(
            NOBODY, lambda _: _health(self._reader, self.path, self.incarnation)
        )
        self.durability = found.durability
        if not self._writer.is_broken:
            return found
        return found._replace(durability="broken", facts={**found.facts, "writing": "stopped"})

    async def close(self) -> None:
        """Finish what was begun and close the file."""
        self._is_closed = True
        self._bell.close()
        await asyncio.get_running_loop().run_in_executor(None, self._writer.close)
        self._readers.shutdown()
        self._reader.close()
        with self._asking:
            self._version.close()


def _incarnation(connection: apsw.Connection, clock: Clock) -> str:
    session = Session(connection, NOBODY)
    found = session.row("load_incarnation", {})
    if found is None:
        name = clock.new_id("i").removeprefix("i-")[:6]
        session.change("insert_incarnation", {"name": name, "at": clock.now()})
        found = session.row("load_incarnation", {})
    if found is None:
        message = "The database has no name."
        raise StoreError(message, fix="Restore a backup.")
    return str(found[0])


def _health(connection: apsw.Connection, path: Path, incarnation: str) -> Health:
    def pragma(name: str) -> str:
        return str(connection.execute(f"PRAGMA {name}").fetchall()[0][0])

    levels = {"0": "off", "1": "normal", "2": "full", "3": "extra"}
    synchronous = levels.get(pragma("synchronous"), "unknown")
    journal = pragma("journal_mode")
    is_durable = journal == "wal" and synchronous in ("full", "extra")
    ((schema,),) = connection.execute("SELECT max(number) FROM migrations").fetchall()
    return Health(
        "sqlite", apsw.sqlite_lib_version(), int(str(schema)), incarnation,
        "full" if is_durable else "degraded",
        {
            "file": str(path), "journal_mode": journal, "synchronous": synchronous,
            "foreign_keys": pragma("foreign_keys"), "page_count": pragma("page_count"),
        },
    )  # fmt: skip
