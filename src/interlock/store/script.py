"""Scripts: what a command asks a store for, what it is answered, and what it wants written.

A command is a generator that asks for rows, decides, and returns what is to be written. A store
drives it. SQLite does so inside one transaction on its writer thread; PostgreSQL answers from
what it last committed or by a trip, and commits by a second one. Either way everything that a
script returns is written in one commit, or nothing is.
"""

from collections.abc import Container, Generator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from interlock.store.board import Card
from interlock.store.chain import Link
from interlock.store.gates import Closed, GateRow, Opened
from interlock.store.rows import PartRow, Tally, UnitRow

NO_TALLY: Final[Tally] = MappingProxyType({})
NO_COUNTS: Final[Mapping[str, int]] = MappingProxyType({})
Kinds = tuple[tuple[str, tuple[str, ...]], ...]


class Key(NamedTuple):
    """A request id, which is good for one principal; ``asked`` is the digest of what was asked."""

    principal: str
    request: str
    asked: str


BEFORE: Final = "before a restore"
"""Stands in a reply of a former incarnation for what was asked: no digest is like it."""


class Reply(NamedTuple):
    """The answer that was given to a key."""

    asked: str
    text: str


class Branching(NamedTuple):
    """A condition that hangs on a part, with where its target stands now."""

    expression: str
    action: str
    params: Mapping[str, object]
    target: str | None = None
    target_status: str = ""
    is_later: bool = False
    between: Mapping[str, int] = NO_COUNTS


# -- what a script asks for --------------------------------------------------------------------


class Load(NamedTuple):
    """Ask for a unit, one of its parts, the heads of queues, and an earlier reply.

    ``kinds`` names for each queue the statuses in which it hands out parts. ``is_fresh`` asks
    for rows from the database itself, not from memory.
    """

    unit: str
    part: str | None = None
    kinds: Kinds = ()
    key: Key | None = None
    is_fresh: bool = False


class Heads(NamedTuple):
    """Ask for the heads of queues again, passing over parts that the command has changed."""

    unit: str
    kinds: Kinds
    without: tuple[int, ...]


class Around(NamedTuple):
    """Ask for what a rule sees around a part (or, with none, around the unit).

    ``head`` is the part whose children are meant.
    """

    unit: str
    part: PartRow | None
    sees: tuple[str, ...]
    current: str | None
    head: str | None


class Find(NamedTuple):
    """Ask for the parts of a kind that a bulk move or a link is about, in their order.

    ``whom``: all; children (of the part ``of``); dependents (who need ``of``); range (between
    ``of`` and ``to``); ids. No statuses means any.
    """

    unit: str
    whom: str
    kind: str = ""
    of: str | None = None
    to: str | None = None
    statuses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


class Gap(NamedTuple):
    """Ask for the order of the part that follows an order; None where it is the last."""

    unit: str
    ord: int


class Place(NamedTuple):
    """Ask how many parts of a kind stand at an order or before it."""

    unit: str
    kind: str
    ord: int


class Latest(NamedTuple):
    """Ask for the last version of an artifact's name; 0 is none. Part 0 is the unit."""

    unit: str
    part: int
    name: str


class GateAt(NamedTuple):
    """Ask for the gate with an id, else for the last one of a part. Part 0 is the unit."""

    unit: str
    part: int
    name: str = ""


Found = Mapping[str, tuple[PartRow, ...]]
"""The answer to ``Heads``: by kind, the best part of each status."""


@dataclass(slots=True)
class Loaded:
    """The answer to ``Load``. ``heads`` are the best parts of each queue by status."""

    unit: UnitRow
    part: PartRow | None
    heads: Found
    reply: Reply | None
    incarnation: str
    is_cached: bool = False


class Surroundings(NamedTuple):
    """The answer to ``Around``; what was not asked for is None or empty."""

    parent: PartRow | None = None
    current: PartRow | None = None
    children: Tally = NO_TALLY
    dependents: Tally = NO_TALLY
    conditions: tuple[Branching, ...] = ()


Ask = Load | Heads | Around | Find | Gap | Place | Latest | GateAt
Answer = Loaded | Found | Surroundings | tuple[PartRow, ...] | GateRow | int | None

# -- what a script returns ---------------------------------------------------------------------


class Artifact(NamedTuple):
    """Content to keep under a name; the database counts its versions. Part 0 is the unit."""

    part: int
    name: str
    digest: str
    content: bytes
    media_type: str = "application/json"
    mark: str = ""
    author: str = ""


class Document(NamedTuple):
    """What is said of an artifact of the same change, by which it is found; it gets indexed.

    ``kind`` is artifact or output; ``urls`` is a list in JSON.
    """

    id: str
    part: int
    name: str
    kind: str
    type: str
    title: str
    urls: str
    digest: str
    media_type: str
    author: str


class Condition(NamedTuple):
    """A branch to keep. One at the place 0 is none: it takes away what hangs on the part."""

    part: int
    place: int
    expression: str
    action: str
    params: str
    target: int | None


class SkillMove(NamedTuple):
    """Where an execution of a skill goes, from where it was seen; None keeps its metadata."""

    id: str
    before: str
    status: str
    metadata: str | None = None
    ended_at: int | None = None


@dataclass(slots=True)
class Change:
    """Everything one command writes. ``before`` is the version it was decided on; 0 is a new unit.

    ``body`` is the unit's, where it has changed; ``parts`` have changed, and ``bodies`` holds the
    bodies of those whose body did. Of the parts in ``moved`` only status, lease and body have
    changed; with ``is_moved_only`` the unit has the same body, parts, queues and end as before.
    ``leases`` says for how many milliseconds from now the lease of one of ``parts`` is good; a
    part without a holder has no due time, and any other keeps the one it has. A timer of a part
    is told there, too, with or without a holder; ``GOES_ON`` is the due time it has. ``lasts`` is
    the same for the unit: None leaves its timer alone, ``ENDS`` ends it. With ``stops`` those of
    all its parts end. With ``overdue`` the commit happens only if that is due by the database's
    clock for that part, or for the unit itself where it is 0. ``skill``
    belongs to the unit from then on. Gates are closed before others open: a part has one at most.
    ``card`` is what a board shows of it, where that is new. With ``deleted_at`` nobody finds the
    unit from then on.
    """

    tenant: str
    before: int
    unit: UnitRow
    entries: tuple[Link, ...]
    at: int
    body: str | None = None
    is_moved_only: bool = False
    parts: tuple[PartRow, ...] = ()
    bodies: Mapping[int, str] = field(default_factory=dict)
    moved: Container[int] = frozenset()
    made: tuple[PartRow, ...] = ()
    gone: tuple[int, ...] = ()
    links: tuple[tuple[int, int, int], ...] = ()
    conditions: tuple[Condition, ...] = ()
    tags: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    skill: SkillMove | None = None
    documents: tuple[Document, ...] = ()
    closed: tuple[Closed, ...] = ()
    opened: tuple[Opened, ...] = ()
    card: Card | None = None
    leases: Mapping[int, int] = field(default_factory=dict)
    lasts: int | None = None
    stops: bool = False
    overdue: int | None = None
    deleted_at: int | None = None
    key: Key | None = None
    reply: str = ""
    # The queues that this has stirred, by kind and status: their heads may be others now.
    kinds: Kinds = ()
    # A new unit that is made in the same commit, of the same tenant, without a key of its own.
    beside: "Change | None" = None


class Touch(NamedTuple):
    """Extend a lease and write nothing else; the decision was made on this version and fence."""

    tenant: str
    unit: str
    version: int
    number: int
    fence: int
    lease_ms: int
    reply: str


class Nothing(NamedTuple):
    """Write nothing; the script has its answer already, maybe the one given to ``asked`` before."""

    reply: str
    asked: str = ""


Outcome = Change | Touch | Nothing
Script = Generator[Ask, Answer, Outcome]


class Committed(NamedTuple):
    """The command is durable, or was before: ``is_replay`` tells an earlier answer given again.

    Then ``asked`` says to what it was the answer; the service compares.
    """

    reply: str
    is_replay: bool = False
    asked: str = ""


class Stale(Exception):
    """Somebody else changed the unit in between; decide again."""


class NotDue(Exception):
    """What was to lapse or to end has been given more time in between."""


class SkillMoved(Exception):
    """The execution of a skill that goes with a command stands elsewhere by now."""
