"""The port to a database: what a store must do, in words, and the shapes of what it reads.

What a command asks and writes is in ``script``. It is an inner seam: any release may change it.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from interlock.store.board import Board
from interlock.store.chain import Link
from interlock.store.gates import Gates
from interlock.store.heads import Heads
from interlock.store.hooks import Hooks
from interlock.store.library import Library
from interlock.store.logs import Logs
from interlock.store.people import Act, People
from interlock.store.projects import Projects
from interlock.store.retention import Retention
from interlock.store.rows import BareRow, PartRow, UnitRow
from interlock.store.script import Artifact, Branching, Committed, Key, Reply, Script, SkillMove


class Whole(NamedTuple):
    """A unit with everything that belongs to it; its parts are in order and know their needs.

    ``conditions`` pairs a part's id with a branch that hangs on it; ``due`` says by part when
    its lease or its timer runs out, and by the unit's own id when its timer does.
    """

    row: UnitRow
    parts: tuple[PartRow, ...]
    conditions: tuple[tuple[str, Branching], ...]
    due: Mapping[str, int]
    incarnation: str
    tags: tuple[str, ...] = ()


class AuditRow(NamedTuple):
    """One entry of the audit, as it was stored; ``position`` is where a feed goes on after it."""

    position: str
    tenant: str
    unit: str
    link: Link


class Listed(NamedTuple):
    """A unit in a list; one that cannot be read has no fields, and ``wrong`` says why."""

    row: UnitRow
    tags: tuple[str, ...] = ()
    wrong: str = ""


class Which(NamedTuple):
    """Which units a list has, beside their workflow; empty means any."""

    is_open: bool = False
    status: str = ""
    tag: str = ""


ALL: Final = Which()


class Filter(NamedTuple):
    """What work a caller wants; empty means any."""

    workflow: str = ""
    kind: str = ""
    role: str = ""
    member: str = ""
    tags: tuple[str, ...] = ()
    # Where the caller works: what is bound to another place is not for them.
    site: str = ""


class Offer(NamedTuple):
    """Work that may be there: which queue of which unit."""

    unit: str
    workflow: str
    kind: str
    number: int


class Due(NamedTuple):
    """A lease or a timer that has run out, wherever it is.

    The timer of a unit itself has no kind, and the number 0.
    """

    tenant: str
    unit: str
    workflow: str
    kind: str
    number: int


class LeaseRow(NamedTuple):
    """A lease that has not been given back: who holds which part, and until when."""

    unit: str
    workflow: str
    number: int
    kind: str
    status: str
    holder: str
    due: int


class ArtifactRow(NamedTuple):
    """An artifact without its content."""

    unit: str
    part: int
    name: str
    version: int
    digest: str
    size: int
    media_type: str
    mark: str
    author: str
    at: int


class TokenRow(NamedTuple):
    """A token as it is kept; its hash is not among what is read.

    The last three say who made it, what role they have now, and since when they are shut out.
    """

    tenant: str
    id: str
    name: str
    kind: str
    scopes: str
    prefix: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    owner: str | None = None
    owner_role: str | None = None
    owner_disabled_at: int | None = None


class SkillRow(NamedTuple):
    """An execution of a skill; the last two say where the unit stands that it is linked to."""

    tenant: str
    id: str
    session: str
    principal: str
    name: str
    status: str
    metadata: str
    unit: str | None
    started_at: int
    ended_at: int | None
    workflow: str | None = None
    unit_status: str | None = None


class FeedbackRow(NamedTuple):
    """What somebody thinks of a unit."""

    tenant: str
    id: str
    unit: str
    rating: int
    text: str
    principal: str
    at: int


class CallRow(NamedTuple):
    """One call of a tool; ``failed`` is 1 where the answer was an error."""

    tenant: str
    at: int
    id: str
    tool: str
    kind: str
    principal: str
    session: str
    channel: str
    request: str
    response: str
    duration_ms: int
    failed: int


class WhichCalls(NamedTuple):
    """Which calls a list has; empty means any. ``about`` is a name in what was asked or said."""

    tool: str = ""
    about: str = ""
    is_failed: bool = False


ALL_CALLS: Final = WhichCalls()


class Waiting(NamedTuple):
    """How much waits, over all tenants: for agents, and for people, for these since when."""

    claimable: int
    gates: int
    since: int | None


class Recall(NamedTuple):
    """How often what a command needed was remembered, how often not; what that takes, in bytes."""

    hits: int
    misses: int
    weight: int


class Health(NamedTuple):
    """How a database is set up, as it says itself."""

    dialect: str
    version: str
    schema: int
    incarnation: str
    durability: str
    facts: Mapping[str, str]


class Store(Heads, Protocol):
    """A database. Every verb but the last nine concerns one tenant and sees no other."""

    durability: str  # whether it keeps what it acknowledges, as ``health`` has last found it

    @property
    def library(self) -> Library:
        """The documents of this database, and all that makes them findable."""

    @property
    def gates(self) -> Gates:
        """What waits for a decision in this database, and who has decided what."""

    @property
    def board(self) -> Board:
        """What boards show of this database."""

    @property
    def hooks(self) -> Hooks:
        """Who is told what happens in this database, and what is to be sent."""

    @property
    def people(self) -> People:
        """The people of this database, and how they come in."""

    @property
    def projects(self) -> Projects:
        """Where the code of this database's units lies, and who works on it."""

    @property
    def logs(self) -> Logs:
        """What workers tell while they work."""

    @property
    def retention(self) -> Retention:
        """What forgets what has grown old in this database."""

    def now(self) -> int:
        """Return the time that this database goes by."""

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Drive a script and commit what it returns; raises ``Stale`` or ``NotDue``.

        A script whose key is known is not carried out again: its reply is given again. ``make``
        is called anew where a decision must be made again.
        """

    async def whole(self, tenant: str, unit: str) -> Whole | None:
        """Read a unit with all its parts, at one moment."""

    async def units(
        self,
        tenant: str,
        workflow: str,
        before: tuple[int, str] | None,
        limit: int,
        which: Which = ALL,
    ) -> tuple[Listed, ...]:
        """List units, the last changed first, from a place in that order on."""

    async def bare(self, tenant: str, unit: str) -> BareRow | None:
        """Read the columns of a unit, whatever is in them."""

    async def bare_open(
        self, tenant: str, workflow: str, before: tuple[int, str] | None, limit: int
    ) -> tuple[BareRow, ...]:
        """List what has not ended as ``units`` does, whatever is in its columns."""

    async def audit(self, tenant: str, unit: str, after: int, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of one unit in their order."""

    async def feed(self, tenant: str, after: str, limit: int) -> tuple[AuditRow, ...]:
        """Read entries of all units from a position on; nothing that commits late is lost."""

    async def feed_end(self, tenant: str) -> str:
        """Return the position after which only what commits from now on is sure to be read."""

    async def offers(self, tenant: str, wanted: Filter, limit: int) -> tuple[Offer, ...]:
        """Find units whose queues may have work."""

    async def leases(
        self, tenant: str, unit: str, after: tuple[int, str, int] | None, limit: int
    ) -> tuple[LeaseRow, ...]:
        """List leases, the one that ends first at the top; of one unit where one is named."""

    async def keep(self, tenant: str, unit: str, artifact: Artifact) -> int | None:
        """Keep an artifact beside a unit that does not change; None if there is no such unit."""

    async def artifacts(self, tenant: str, unit: str) -> tuple[ArtifactRow, ...]:
        """List what is kept for a unit."""

    async def content(self, tenant: str, digest: str) -> bytes | None:
        """Read content by its SHA-256; raises ``ArtifactPruned`` where it is gone."""

    async def reply(self, tenant: str, key: Key) -> Reply | None:
        """Read the answer that was given to a key."""

    async def add_skill(self, row: SkillRow, key: Key | None, reply: str) -> Committed:
        """Keep an execution that has begun, and the answer; a known key is answered again."""

    async def move_skill(
        self, tenant: str, move: SkillMove, at: int, key: Key | None, reply: str
    ) -> Committed:
        """End an execution that has no unit; raises ``SkillMoved``."""

    async def skill(self, tenant: str, name: str) -> SkillRow | None:
        """Read an execution."""

    async def unit_skill(self, tenant: str, unit: str) -> SkillRow | None:
        """Read the execution that is linked to a unit."""

    async def newest_skill(self, tenant: str, session: str) -> SkillRow | None:
        """Find the execution of a session that began last, has not ended and has no unit."""

    async def add_feedback(self, row: FeedbackRow, key: Key | None, reply: str) -> Committed | None:
        """Keep feedback and the answer; None if there is no such unit."""

    async def feedback(self, tenant: str, unit: str) -> tuple[FeedbackRow, ...]:
        """List what was said of a unit, the oldest first."""

    async def add_calls(self, tenant: str, rows: Sequence[CallRow]) -> None:
        """Keep calls of tools."""

    async def calls(
        self,
        tenant: str,
        before: tuple[int, str] | None,
        limit: int,
        which: WhichCalls = ALL_CALLS,
    ) -> tuple[CallRow, ...]:
        """List calls of tools, the newest first, from a place in that order on."""

    async def add_token(self, row: TokenRow, digest: str, act: Act | None = None) -> None:
        """Keep a token under the SHA-256 of its secret; an owner who is no person is left out."""

    async def tokens(self, tenant: str) -> tuple[TokenRow, ...]:
        """List tokens."""

    async def revoke_token(self, tenant: str, name: str, at: int, act: Act | None = None) -> bool:
        """Revoke a token; say whether there was one that was not revoked yet."""

    async def find_token(self, digest: str) -> TokenRow | None:
        """Find the token with this SHA-256 in any tenant."""

    async def add_tenant(self, tenant: str, name: str, at: int) -> None:
        """Make a tenant, unless there is one."""

    async def tenants(self) -> tuple[str, ...]:
        """List the tenants."""

    async def due(self, limit: int) -> tuple[Due, ...]:
        """Find leases and timers of any tenant that have run out."""

    async def prune_calls(self, before: int, limit: int) -> int:
        """Forget calls of any tenant that are older than an instant; say how many."""

    async def count_waiting(self) -> Waiting:
        """Count what waits."""

    def recall(self) -> Recall:
        """Say how often this process had to ask the database for what a command needs."""

    def watch(self, tenant: str) -> AsyncGenerator[None, None]:
        """Yield whenever something of the tenant may have changed, in whatever process."""

    async def health(self) -> Health:
        """Say how the database is set up."""

    async def close(self) -> None:
        """Finish what was begun and let go."""
