"""Tokens: who is behind a secret, and what they may do. The secret itself is shown once.

A token is ``il_`` and 40 hexadecimal characters; the database keeps its SHA-256. Agents and
workers can never hold the scope ``decide``: the database refuses it too.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from interlock.kernel.rules import AGENT, USER, WORKER
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, NotAllowed, NotFound, Unauthenticated
from interlock.store.port import TokenRow

PREFIX: Final = "il_"
SHOWN: Final = 11
"""How much of a token is kept to recognise it by."""

SCOPES: Final = ("read", "work", "decide", "admin")
KINDS: Final = (USER, AGENT, WORKER)
USUAL: Final = {
    USER: ("read", "work", "decide"),
    AGENT: ("read", "work"),
    WORKER: ("read", "work"),
}
NAME_MAX: Final = 100


async def create_token(
    engine: Engine,
    caller: Principal,
    name: str,
    kind: str = AGENT,
    scopes: Iterable[str] = (),
    expires_at: int | None = None,
) -> tuple[str, TokenRow]:
    """Make a token; return the secret, which nobody can read again, and what is kept."""
    if "admin" not in caller.scopes:
        raise NotAllowed("Only an admin makes tokens.", fix="Ask an admin of this tenant.")
    held = tuple(scopes) or USUAL.get(kind, ())
    _check(name, kind, held, expires_at, engine.store.now())
    secret = PREFIX + engine.clock.secret()
    row = TokenRow(
        caller.tenant, engine.clock.new_id("token"), name, kind,
        " ".join(scope for scope in SCOPES if scope in held), secret[:SHOWN],
        engine.store.now(), expires_at, None,
    )  # fmt: skip
    await engine.store.add_token(row, digest(secret))
    return secret, row


def _check(name: str, kind: str, scopes: tuple[str, ...], ends: int | None, now: int) -> None:
    wrong = []
    if not 0 < len(name) <= NAME_MAX:
        wrong.append(f"a name has 1 to {NAME_MAX} characters")
    if kind not in KINDS:
        wrong.append(f"the kind {kind!r} is none of {', '.join(KINDS)}")
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown:
        wrong.append(f"{', '.join(unknown)} is no scope; there are {', '.join(SCOPES)}")
    if kind != USER and "decide" in scopes:
        wrong.append(f"a token for a {kind} can never decide; people decide as people")
    if ends is not None and ends <= now:
        wrong.append("it would have expired already")
    if wrong:
        message = "The token cannot be made: " + "; ".join(wrong) + "."
        raise InvalidInput(message, fix="Correct what is named and try again.")


async def authenticate(engine: Engine, secret: str, session: str = "") -> Principal:
    """Return who is behind a token that is good; every other one looks the same."""
    row = await engine.store.find_token(digest(secret)) if secret.startswith(PREFIX) else None
    now = engine.store.now()
    is_good = (
        row is not None
        and row.revoked_at is None
        and (row.expires_at is None or row.expires_at > now)
    )
    if row is None or not is_good:
        message = "The token is unknown, expired or revoked."
        raise Unauthenticated(message, fix="Ask for a new one: interlock token create.")
    scopes = frozenset(row.scopes.split())
    return Principal(row.tenant, row.kind, row.id, scopes, session)


async def revoke_token(engine: Engine, caller: Principal, name: str) -> None:
    """Revoke a token for good."""
    if "admin" not in caller.scopes:
        raise NotAllowed("Only an admin revokes tokens.", fix="Ask an admin of this tenant.")
    if not await engine.store.revoke_token(caller.tenant, name, engine.store.now()):
        raise NotFound(name)


def digest(secret: str) -> str:
    """Return the SHA-256 that a token is kept under."""
    return sha256(secret.encode()).hexdigest()
