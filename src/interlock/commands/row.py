"""The row of a command: what it is called, what it takes, who may call it, and what runs it."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, Generic, Literal, TypeVar

from interlock.kernel.offered import Where, offered
from interlock.kernel.refusal import Legal
from interlock.service.engine import Engine, Principal, Running
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.store.rows import PartRow, UnitRow, dump
from interlock.store.script import Key
from interlock.wire.envelope import Shape

Scope = Literal["read", "work", "decide", "admin"]

EVERY: Final = "every"
"""The toolset of a command that belongs to all of them."""

OF_UNITS: Final = frozenset(
    {"plan_id", "step_id", "part_id", "id", "mission_id", "hop_id", "asset_id", "ticket_id"}
)
"""Fields that name a unit or a part of one."""

IN_PATH: Final = re.compile(r"\{(\w+)\}")

PEOPLE: Final = "people"
"""The toolset of what only people do: no agent is offered it."""

T = TypeVar("T", bound=Shape)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a command: by whom, with which request id, on which engine."""

    engine: Engine
    caller: Principal
    key: Key | None = None
    # The version of the unit that the caller has seen, where they want no other changed.
    version: int | None = None

    @property
    def tenant(self) -> str:
        """Whose data is meant."""
        return self.caller.tenant


@dataclass(frozen=True, slots=True)
class Command(Generic[T]):
    """One command. ``event`` is what it sends to the unit; reads send none."""

    name: str
    takes: type[T]
    run: Callable[[Call, T], Awaitable["Answer | Reply"]]
    scope: Scope
    toolset: str
    doc: str
    # Its place over HTTP, below the version: a read is a GET, its arguments are in the query;
    # everything else has a body. Names in braces are fields of its shape.
    http: str
    event: str = ""
    # How a person says it: `interlock plan next`.
    words: str = ""
    # It only ever adds: nothing that stood before is taken away, ended or replaced. A row that
    # does not say so is told to clients as one that may destroy.
    adds_only: bool = False
    # A read that may still note what it meets on the way: a lease that ran out, a new session.
    marks: bool = False
    # It asks somebody beyond this server: a model, the web.
    reaches_out: bool = False
    # How much of a caller's rate it takes: as much as so many plain commands.
    weight: int = 1

    @property
    def method(self) -> str:
        """How it is called over HTTP."""
        return self.http.partition(" ")[0]

    @property
    def path(self) -> str:
        """Where it is found over HTTP."""
        return self.http.partition(" ")[2]

    @property
    def in_path(self) -> tuple[str, ...]:
        """Which fields of its shape stand in its path."""
        return tuple(IN_PATH.findall(self.path))

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing; some reads are for admins alone, so no scope says it."""
        return self.method == "GET"

    @property
    def takes_version(self) -> bool:
        """Whether it changes one unit that is named, so that a caller can say which version."""
        return bool(self.event) and not OF_UNITS.isdisjoint(self.takes.model_fields)

    @property
    def makes_unit(self) -> bool:
        """Whether what it names afterwards was not there before."""
        return self.event == "begin"


AnyCommand = Command[Any]


def key_of(command: str, caller: Principal, asked: Shape) -> Key | None:
    """Return the key of a request id; it is good for one principal and one question."""
    request = getattr(asked, "request_id", None)
    if not isinstance(request, str):
        return None
    body = asked.model_dump(mode="json", exclude={"request_id", "session_id"})
    digest = sha256(dump([command, body]).encode()).hexdigest()
    return Key(caller.id, request, digest)


def in_session(caller: Principal, asked: Shape) -> Principal:
    """Return the caller as the session that the call names."""
    session = getattr(asked, "session_id", None)
    return replace(caller, session=session) if isinstance(session, str) else caller


def named(*legal: Legal) -> list[str]:
    """Name what may be sent; what only the clock may send has no name."""
    return list(dict.fromkeys(row.command for row in legal if row.command))


def where_of(unit: UnitRow, caller: str, part: PartRow | None = None) -> Where:
    """Return where a unit stands for a kind of caller, with a part in hand if there is one."""
    return Where(caller, unit.unit, unit.tally, None if part is None else part.part)


def moves(
    running: Running, unit: UnitRow, caller: str, part: PartRow | None = None, *more: Legal
) -> list[str]:
    """Name what a kind of caller may send now: about a part in hand, then ``more``, then the unit.

    What is sure to be refused is not named.
    """
    flow, where = running.flow, where_of(unit, caller, part)
    own = () if part is None else offered(flow, where, part.part.kind)
    return named(*own, *more, *offered(flow, where._replace(part=None), flow.unit.name))


def done(data: Reply, action: str = "") -> Reply:
    """Return the answer of a command that moves no unit."""
    reply: Reply = {"status": "ok", "next_action": action, "legal_moves": []}
    return reply | {"data": data, "warnings": []}
