"""Orders: what a caller wants of a unit, and what has come of it.

An order is events about a unit, in order, and a way to word the answer. These are plain values;
they are made for every command, so they are tuples.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final, NamedTuple

from interlock.kernel.entries import Decision
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.seen import Actor, Unit
from interlock.kernel.workflow import LEASE_MS
from interlock.service.engine import Running
from interlock.service.errors import StaleVersion
from interlock.store.gates import Opened
from interlock.store.rows import PartRow, UnitRow
from interlock.store.script import Key

Reply = dict[str, object]
NO_PLACES: Final[Mapping[str, int]] = MappingProxyType({})


class Kept(NamedTuple):
    """Content that came with an event, to be kept as an artifact of its part."""

    name: str
    content: bytes
    media_type: str = "application/json"

    @property
    def digest(self) -> str:
        """What it is known by."""
        return sha256(self.content).hexdigest()


class Hung(NamedTuple):
    """A branch as a part is given it; ``target`` is another part's name."""

    expression: str
    action: str
    params: Mapping[str, object] = NO_ARGS
    target: str | None = None


class Branches(NamedTuple):
    """All the branches that a part has from now on."""

    part: str
    rows: tuple[Hung, ...]


class Arrangement(NamedTuple):
    """Parts of a kind in the order they have from now on; together they stand where they stood."""

    kind: str
    parts: tuple[str, ...]


class Filled(NamedTuple):
    """Fields that no rule reads, as they are from now on, and what is kept.

    ``part`` is whose they are; the name of the unit means the unit itself.
    """

    part: str
    fields: Mapping[str, object]
    kept: tuple[Kept, ...] = ()


class Asked(NamedTuple):
    """An event to be decided. ``kind`` in place of a part: the head of that queue is meant.

    ``verb`` in place of an event: what the part's kind calls it. ``lease`` is what the caller
    proves with that the part is theirs. With ``is_optional`` an empty queue or a refusal is no
    reason to give up what came before. ``gate`` is the one that a decision is about. ``told``
    goes into the audit. ``also`` is what the event changes that no rule looks at, provided it is
    accepted.
    """

    event: str = ""
    part: str | None = None
    kind: str = ""
    verb: str = ""
    args: Mapping[str, object] = NO_ARGS
    lease: str = ""
    is_optional: bool = False
    gate: str = ""
    kept: tuple[Kept, ...] = ()
    told: Mapping[str, object] = NO_ARGS
    also: tuple[Branches | Arrangement | Filled, ...] = ()


class Done(NamedTuple):
    """What one event of a turn has come to."""

    decision: Decision
    part: PartRow | None


class Result(NamedTuple):
    """What a turn has come to, for whoever words the answer."""

    running: Running
    unit: UnitRow
    done: tuple[Done, ...]
    at: int
    incarnation: str
    # What kind of principal the answer is for.
    caller: str
    # All parts in their order, where the unit was just made or the order asks for them. Those of
    # a unit that was there before do not know their needs.
    parts: tuple[PartRow, ...] = ()
    # By part the place it has among its kind, where the order asks for it.
    places: Mapping[str, int] = NO_PLACES
    # The gates that the command has opened.
    opened: tuple[Opened, ...] = ()

    def lease(self, part: PartRow) -> Reply | None:
        """Return the lease of a part, as its holder is given it; None where nobody holds it."""
        fields = part.part.fields
        if fields.get("holder") is None or fields.get("lapsed"):
            return None
        lasts = lease_ms(self.running, self.unit, part)
        token = f"{self.incarnation}.{fields['fence']}"
        told = {"token": token, "holder": fields["holder"], "expires_at": self.at + lasts}
        return told | {"lasts_ms": lasts}


Worded = Callable[[Result], Reply]


@dataclass(slots=True)
class Order:
    """What a caller wants of a unit: events, and how the answer is worded.

    ``version`` is the one the caller has seen, where that matters. ``is_clock`` marks the lapse
    of a lease or the end of a timer: it is committed only if that is due by the database's clock.
    With ``tells_parts`` the answer is worded knowing all parts, which costs more the more of them
    there are; where ``tells_places`` holds for the unit, knowing the places of those the events
    were about. With ``is_dry`` everything is decided as it would be, and nothing is written.
    """

    tenant: str
    actor: Actor
    unit: str
    asked: tuple[Asked, ...]
    word: Worded
    key: Key | None = None
    version: int | None = None
    is_clock: bool = False
    tells_parts: bool = False
    tells_places: Callable[[Unit], bool] | None = None
    is_dry: bool = False

    @property
    def about(self) -> str:
        """What the caller has named: a part, else the unit."""
        for asked in self.asked:
            if asked.part:
                return asked.part
        return self.unit


class Emptied(Exception):
    """The queue that was asked for has nothing to hand out now."""

    def __init__(self, unit: UnitRow) -> None:
        """Keep the unit as it was seen."""
        super().__init__(unit.id)
        self.unit = unit


def require_version(unit: UnitRow, seen: int | None) -> None:
    """Raise unless a unit is still at the version that the caller has seen, if they say one."""
    if seen is not None and seen != unit.version:
        message = f"The unit is at version {unit.version}, not at {seen}."
        raise StaleVersion(message, fix="Read it again, then decide on what it says now.")


def fence_of(lease: str, incarnation: str) -> int:
    """Return the number of a lease; one of another incarnation of the database never fits."""
    name, _, number = lease.rpartition(".")
    is_ours = name == incarnation and number.isascii() and number.isdigit()
    return int(number[:18]) if is_ours else -1


def lease_ms(running: Running, unit: UnitRow, part: PartRow) -> int:
    """Return how long a lease is good: as the part says, or its unit; else as the settings say.

    A kind may have a shorter one than the settings, never a longer one.
    """
    told = part.part.fields.get("lease_ms") or unit.unit.fields.get("lease_ms")
    if isinstance(told, int) and told > 0:
        return told
    lasts = running.flow.kind(part.part.kind).lease_ms
    return running.lease_ms if lasts == LEASE_MS else min(lasts, running.lease_ms)
