"""The store on a PostgreSQL database, which any number of processes share.

Commands go through the driver, reads are one trip each; every word of the port is answered here.
What must hold of the server before it is used is asked in ``guard``.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final, Self

import asyncpg

from interlock.clock import Clock
from interlock.store.heads import HeadRow, RestoreRow
from interlock.store.memory import Memory
from interlock.store.migrate import migrate_postgres
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
from interlock.store.postgres import read, records
from interlock.store.postgres.bell import Bell
from interlock.store.postgres.board import PostgresBoard
from interlock.store.postgres.drive import Driver
from interlock.store.postgres.failures import cannot_connect
from interlock.store.postgres.gates import PostgresGates
from interlock.store.postgres.guard import RoleRefused, Standing, inspect
from interlock.store.postgres.hooks import PostgresHooks
from interlock.store.postgres.lasting import Lasting
from interlock.store.postgres.library import PostgresLibrary
from interlock.store.postgres.logs import PostgresLogs
from interlock.store.postgres.people import PostgresPeople
from interlock.store.postgres.pooler import connect_directly
from interlock.store.postgres.projects import PostgresProjects
from interlock.store.postgres.retention import PostgresRetention
from interlock.store.postgres.trips import DRIVER_ERRORS, Options, Trips
from interlock.store.rows import BareRow, unpruned
from interlock.store.script import Artifact, Committed, Key, Reply, Script, SkillMove

DEFAULTS: Final = Options()
FACTS: Final = (
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "login",
    "role",
    "database",
    "is_standby",
    "synchronous_standby_names",
)


class PostgresStore:
    """A store on one database; ``await PostgresStore.open(...)`` makes one."""

    def __init__(self, trips: Trips, standing: Standing) -> None:
        """Use a pool that is open to a server that was inspected."""
        self.incarnation = standing.incarnation
        self.standing = standing
        self.durability = standing.durability
        self._lasting = Lasting()
        self._trips = trips
        self._bell = Bell(trips.connect)
        self._driver = Driver(trips, Memory(standing.incarnation), self._bell.ring)
        self.library = PostgresLibrary(trips, self._bell.ring)
        self.board = PostgresBoard(trips)
        self.gates = PostgresGates(trips)
        self.hooks = PostgresHooks(trips)
        self.people = PostgresPeople(trips)
        self.projects = PostgresProjects(trips)
        self.logs = PostgresLogs(trips)
        self.retention = PostgresRetention(trips)

    @classmethod
    async def open(cls, url: str, clock: Clock, options: Options = DEFAULTS) -> Self:
        """Inspect the server and open a pool; raises whatever is a reason not to use it."""
        trips = Trips(url, clock, options)
        connection = await connect_directly(url, options)
        try:
            sent = trips.here()
            standing = await inspect(connection, options)
            trips.learn(sent, standing.clock)
        except DRIVER_ERRORS as exc:
            raise cannot_connect(exc) from exc
        finally:
            await connection.close()
        return cls(trips, standing)

    @staticmethod
    async def migrate(url: str, now: int) -> tuple[int, ...]:
        """Bring the schema up to date, as the role that is to own it; return what was applied."""
        connection = await connect_directly(url, DEFAULTS)
        try:
            return await migrate_postgres(connection, now)
        except asyncpg.InsufficientPrivilegeError as exc:
            message = f"This role may not make the tables: {exc}."
            fix = "Use the owner of the database; to make the role of the app it needs CREATEROLE."
            raise RoleRefused(message, fix=fix) from exc
        except DRIVER_ERRORS as exc:
            raise cannot_connect(exc) from exc
        finally:
            await connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def now(self) -> int:
        """Return the database's time, as far as we know it."""
        return self._trips.now()

    # -- commands ------------------------------------------------------------------------------

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Drive a script and commit what it returns."""
        return await self._driver.run(tenant, make)

    async def keep(self, tenant: str, unit: str, artifact: Artifact) -> int | None:
        """Keep an artifact beside a unit that does not change; the same one only once."""
        rows = await self._trips.write("call_keep", tenant, unit, *artifact)
        if not rows:
            return None
        self._bell.ring(tenant)
        version: int = rows[0][0]
        return version

    async def add_token(self, row: TokenRow, digest: str, act: Act | None = None) -> None:
        """Keep a token under the SHA-256 of its secret."""
        told = (*row[: TokenRow._fields.index("revoked_at")], row.owner, digest, act)
        await self._trips.write("call_add_token", *told)

    async def revoke_token(self, tenant: str, name: str, at: int, act: Act | None = None) -> bool:
        """Revoke a token; say whether there was one that was still good."""
        ((is_done,),) = await self._trips.write("call_revoke_token", tenant, name, at, act)
        return bool(is_done)

    async def add_tenant(self, tenant: str, name: str, at: int) -> None:
        """Make a tenant, unless there is one."""
        await self._trips.write("call_add_tenant", tenant, name, at)

    # -- records beside the units ----------------------------------------------------------------

    async def reply(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a key."""
        return await records.reply(self._trips, tenant, key)

    async def add_skill(self, row: SkillRow, key: Key | None, reply: str) -> Committed:
        """Keep an execution that has begun."""
        return await records.add_skill(self._trips, row, key, reply)

    async def move_skill(
        self, tenant: str, move: SkillMove, at: int, key: Key | None, reply: str
    ) -> Committed:
        """End an execution that has no unit; raises ``SkillMoved``."""
        return await records.move_skill(self._trips, tenant, move, at, key, reply)

    async def skill(self, tenant: str, name: str) -> SkillRow | None:
        """Read an execution."""
        return await records.find_skill(self._trips, tenant, name=name)

    async def unit_skill(self, tenant: str, unit: str) -> SkillRow | None:
        """Read the execution that is linked to a unit."""
        return await records.find_skill(self._trips, tenant, unit=unit)

    async def newest_skill(self, tenant: str, session: str) -> SkillRow | None:
        """Find the execution of a session that began last and has no unit yet."""
        return await records.find_skill(self._trips, tenant, session=session)

    async def add_feedback(self, row: FeedbackRow, key: Key | None, reply: str) -> Committed | None:
        """Keep feedback; None if there is no such unit."""
        return await records.add_feedback(self._trips, row, key, reply)

    async def feedback(self, tenant: str, unit: str) -> tuple[FeedbackRow, ...]:
        """List what was said of a unit."""
        return await records.feedback(self._trips, tenant, unit)

    async def add_calls(self, tenant: str, rows: Sequence[CallRow]) -> None:
        """Keep calls of tools."""
        await records.add_calls(self._trips, tenant, rows)

    async def calls(
        self,
        tenant: str,
        before: tuple[int, str] | None,
        limit: int,
        which: WhichCalls = ALL_CALLS,
    ) -> tuple[CallRow, ...]:
        """List calls of tools, the newest first."""
        return await records.calls(self._trips, tenant, before, limit, which)

    async def prune_calls(self, before: int, limit: int) -> int:
        """Forget calls of any tenant that are older than an instant."""
        return await records.prune_calls(self._trips, before, limit)

    # -- reads ---------------------------------------------------------------------------------

    async def whole(self, tenant: str, unit: str) -> Whole | None:
        """Read a unit with all its parts, at one moment."""
        return await read.whole(self._trips, tenant, unit)

    async def units(
        self,
        tenant: str,
        workflow: str,
        before: tuple[int, str] | None,
        limit: int,
        which: Which = ALL,
    ) -> tuple[Listed, ...]:
        """List units, the last changed first."""
        return await read.units(self._trips, tenant, workflow, before, limit, which)

    async def bare(self, tenant: str, unit: str) -> BareRow | None:
        """Read the columns of a unit, whatever is in them."""
        return await read.bare(self._trips, tenant, unit)

    async def bare_open(
        self, tenant: str, workflow: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[BareRow, ...]:
        """List units of a workflow that have not ended, whatever is in their columns."""
        return await read.bare_open(self._trips, tenant, workflow, before, limit)

    async def audit(self, tenant: str, unit: str, after: int, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of one unit in their order."""
        return await read.audit(self._trips, tenant, unit, after, limit)

    async def feed(self, tenant: str, after: str, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of all units from a position on; what commits late comes later."""
        return await read.feed(self._trips, tenant, after, limit)

    async def feed_end(self, tenant: str) -> str:
        """Return the position before everything that has not committed yet."""
        del tenant  # a transaction's number is the same for all of them
        return await read.feed_end(self._trips)

    async def heads(self, tenant: str, after: str, limit: int) -> tuple[HeadRow, ...]:
        """List heads in the order of their units."""
        return await read.heads(self._trips, tenant, after, limit)

    async def restores(self) -> tuple[RestoreRow, ...]:
        """List the restores of this database."""
        return await read.restores(self._trips)

    async def offers(self, tenant: str, wanted: Filter, limit: int) -> tuple[Offer, ...]:
        """Find units whose queues may have work."""
        return await read.offers(self._trips, tenant, wanted, limit)

    async def leases(
        self, tenant: str, unit: str, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[LeaseRow, ...]:
        """List leases, the one that ends first at the top."""
        return await read.leases(self._trips, tenant, unit, after, limit)

    async def artifacts(self, tenant: str, unit: str) -> tuple[ArtifactRow, ...]:
        """List what is kept for a unit."""
        return await read.artifacts(self._trips, tenant, unit)

    async def content(self, tenant: str, digest: str) -> bytes | None:
        """Read content by its SHA-256."""
        rows = await self._trips.read("call_content", tenant, digest)
        return unpruned(digest, *rows[0]) if rows else None

    async def tokens(self, tenant: str) -> tuple[TokenRow, ...]:
        """List tokens."""
        return await read.tokens(self._trips, tenant)

    async def find_token(self, digest: str) -> TokenRow | None:
        """Find the token with this SHA-256 in any tenant."""
        return await read.find_token(self._trips, digest)

    async def tenants(self) -> tuple[str, ...]:
        """List the tenants."""
        return tuple(str(row[0]) for row in await self._trips.read("call_tenants"))

    async def due(self, limit: int) -> tuple[Due, ...]:
        """Find leases of any tenant that have run out by the database's clock."""
        return await read.due(self._trips, limit)

    async def count_waiting(self) -> Waiting:
        """Count what waits, over all tenants."""
        ((claimable, at_gates, since),) = await self._trips.read("call_count_waiting")
        return Waiting(claimable, at_gates, since)

    def recall(self) -> Recall:
        """Say how often this process had to ask the database for what a command needs."""
        return self._driver.recall()

    def watch(self, tenant: str) -> AsyncGenerator[None, None]:
        """Yield at once, and whenever something of the tenant may have changed."""
        return self._bell.watch(tenant)

    async def health(self) -> Health:
        """Say how the server is set up, as it says itself."""
        ((version, schema, name, *rest, of_new),) = await self._trips.read("read_setup")
        facts = dict(zip(FACTS, rest, strict=True))
        # As it is now: a server can be told to lose work while we run.
        losses = self._lasting.losses(facts, self._trips.waits(of_new))
        self.durability = "degraded" if losses else "full"
        return Health(
            "postgres", version, schema, name, self.durability,
            {
                "losses": "; ".join(losses) or "none",
                **facts,
                "login_is_powerful": "yes" if self.standing.is_login_powerful else "no",
                "clock_offset_ms": str(self._trips.offset.ms),
            },
        )  # fmt: skip

    async def close(self) -> None:
        """Finish what was begun and close all connections."""
        await self._bell.close()
        await self._trips.close()
