"""Tokens: who is behind a secret, and what they may do. The secret itself is shown once.

A token is ``il_`` and 40 hexadecimal characters; the database keeps its SHA-256. Agents and
workers can never hold the scope ``decide``: the database refuses it too.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Final

from interlock.kernel.rules import AGENT, USER, WORKER
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, NotAllowed, NotFound, Unauthenticated
from interlock.service.roles import GIVES
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
ENDS_MAX: Final = 253_402_300_799_999
"""The end of the year 9999; what lasts longer does not expire."""


async def create_token(
    engine: Engine,
    caller: Principal,
    name: str,
    kind: str = AGENT,
    scopes: Iterable[str] = (),
    expires_at: int | None = None,
) -> tuple[str, TokenRow]:
    """Make a token; return the secret, which nobody can read again, and what is kept."""
    require(caller, "admin", "Making a token")
    held = tuple(scopes) or USUAL.get(kind, ())
    _check(name, kind, held, expires_at, engine.store.now())
    _check_giver(caller, kind, held)
    secret = PREFIX + engine.clock.secret()
    row = TokenRow(
        caller.tenant, engine.clock.new_id("token"), name, kind,
        " ".join(scope for scope in SCOPES if scope in held), secret[:SHOWN],
        engine.store.now(), expires_at, None,
        caller.id if caller.kind == USER else caller.on_behalf_of,
    )  # fmt: skip
    told = {"name": name, "kind": kind, "scopes": row.scopes}
    act = act_of(engine, caller, "token_made", row.id, told)
    await engine.store.add_token(row, digest(secret), act)
    return secret, row


def _check(name: str, kind: str, scopes: tuple[str, ...], ends: int | None, now: int) -> None:
    wrong = []
    if not 0 < len(name) <= NAME_MAX or not name.isprintable():
        wrong.append(f"a name has 1 to {NAME_MAX} characters, all of them printable")
    if kind not in KINDS:
        wrong.append(f"the kind {kind[:40]!r} is none of {', '.join(KINDS)}")
    unknown = [repr(scope[:40]) for scope in scopes if scope not in SCOPES]
    if unknown:
        wrong.append(f"{', '.join(unknown)} is no scope; there are {', '.join(SCOPES)}")
    if kind in (AGENT, WORKER) and "decide" in scopes:
        wrong.append(f"{kind} tokens can never decide; people decide as people")
    if ends is not None and not now < ends <= ENDS_MAX:
        wrong.append("it would have expired already, or would never expire")
    if wrong:
        message = "The token cannot be made: " + "; ".join(wrong) + "."
        raise InvalidInput(message, fix="Correct what is named and try again.")


def _check_giver(caller: Principal, kind: str, scopes: tuple[str, ...]) -> None:
    """Refuse to give what the caller does not have: else an agent could make itself a person."""
    missing = [scope for scope in scopes if scope not in caller.scopes]
    if missing:
        message = f"You cannot give what you do not have: {', '.join(missing)}."
        raise NotAllowed(message, fix="Ask somebody who has it to make the token.")
    if kind == USER and caller.kind != USER:
        message = f"Only a person makes a token for a person; you are {caller.kind}."
        raise NotAllowed(message, fix="Ask a person who is an admin to make the token.")


async def authenticate(engine: Engine, secret: str, session: str = "") -> Principal:
    """Return who is behind a token that is good; every other one looks the same."""
    is_one = secret.startswith(PREFIX) and secret.isascii()
    row = await engine.store.find_token(digest(secret)) if is_one else None
    if row is None or not is_good(row, engine.store.now()):
        message = "The token is unknown, expired or revoked."
        raise Unauthenticated(message, fix="Ask for a new one: interlock token create.")
    return _behind(row, session)


def is_good(row: TokenRow, now: int) -> bool:
    """Say whether a token lets anybody in: it does not where who made it is shut out."""
    if row.revoked_at is not None or row.owner_disabled_at is not None:
        return False
    return row.expires_at is None or row.expires_at > now


@lru_cache(maxsize=1024)
def _behind(row: TokenRow, session: str) -> Principal:
    """Return who acts by a token; it gives no more than the role of who made it does now.

    A person's token is that person. An agent's is an agent, on behalf of who made it.
    """
    scopes = frozenset(row.scopes.split())
    owner = row.owner or ""
    if row.owner_role is not None:
        scopes &= GIVES[row.owner_role]
    if row.kind != USER:
        return Principal(row.tenant, row.kind, row.id, scopes, session, owner)
    return Principal(row.tenant, USER, owner or row.id, scopes, session, role=row.owner_role or "")


def as_agent(caller: Principal) -> Principal:
    """Return who an AI client acts as: an agent, on behalf of the person whose token it has.

    What a model sends is not what a person said, whoever lent it the token.
    """
    if caller.kind != USER:
        return caller
    scopes = caller.scopes.intersection(USUAL[AGENT])
    return replace(caller, kind=AGENT, scopes=scopes, on_behalf_of=caller.id, role="")


async def revoke_token(engine: Engine, caller: Principal, name: str) -> None:
    """Revoke a token for good."""
    require(caller, "admin", "Revoking a token")
    is_name = name.isascii() and name.isprintable()
    now, act = engine.store.now(), act_of(engine, caller, "token_revoked", name)
    if not is_name or not await engine.store.revoke_token(caller.tenant, name, now, act):
        raise NotFound(name)


async def list_tokens(engine: Engine, caller: Principal) -> tuple[TokenRow, ...]:
    """List the tokens of the caller's tenant, without their secrets."""
    require(caller, "admin", "Listing tokens")
    return await engine.store.tokens(caller.tenant)


def require(caller: Principal, scope: str, what: str) -> None:
    """Raise unless the caller has a scope; ``what`` is what needs it."""
    if scope not in caller.scopes:
        message = f"{what} needs the scope {scope!r}, which your token does not have."
        raise NotAllowed(message, fix="Use a token that has it.")


def digest(secret: str) -> str:
    """Return the SHA-256 that a token is kept under."""
    return sha256(secret.encode()).hexdigest()
