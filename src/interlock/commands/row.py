"""The row of a command: what it is called, what it takes, who may call it, and what runs it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, Generic, Literal, TypeVar

from interlock.kernel.refusal import Legal
from interlock.service.engine import Engine, Principal
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.store.rows import dump
from interlock.store.script import Key
from interlock.wire.envelope import Shape

Scope = Literal["read", "work", "decide", "admin"]

EVERY: Final = "every"
"""The toolset of a command that belongs to all of them."""

PEOPLE: Final = "people"
"""The toolset of what only people do: no agent is offered it."""

T = TypeVar("T", bound=Shape)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a command: by whom, with which request id, on which engine."""

    engine: Engine
    caller: Principal
    key: Key | None = None

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
    # It changes nothing, though it needs more than the scope to read.
    is_look: bool = False

    @property
    def is_read(self) -> bool:
        """Whether it changes nothing."""
        return self.is_look or self.scope == "read"


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


def moves(legal: tuple[Legal, ...]) -> list[Reply]:
    """Return what is legal now, for an envelope; what only the clock may send is left out."""
    return [
        {"command": row.command, "event": row.event, "actors": row.actors}
        for row in legal
        if row.command
    ]


def done(data: Reply, action: str = "") -> Reply:
    """Return the answer of a command that moves no unit."""
    reply: Reply = {"status": "ok", "next_action": action, "legal_moves": []}
    return reply | {"data": data, "warnings": []}
