"""People of a tenant: who they are, how they are invited, what role they have, and who is shut out.

Only people change people. Every change is an act that is kept; that a tenant never loses its last
owner is seen to by the database. How somebody comes in is in ``sessions``.
"""

import re
from typing import Final

from interlock.service.access import PREFIX, digest, require
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import (
    Conflict,
    EmailTaken,
    InvalidInput,
    LastOwner,
    LinkNotGood,
    NotFound,
)
from interlock.service.passwords import hash_password
from interlock.service.roles import OWNER, ROLES, require_gift, require_person, require_rank
from interlock.service.sessions import DAY_MS, EMAIL_MAX, Visit, let_in, normal
from interlock.store.people import Entrant, InvitationRow, Outcome, TenantRow, UserRow

INVITATION_MS: Final = 7 * DAY_MS
NAME_MAX: Final = 100
EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+")
FIRST: Final = "owner"
"""The id of the person who owns a data folder: the first of its tenant."""


async def ensure_owner(engine: Engine, tenant: str) -> None:
    """Make the first person of a tenant, unless there is one."""
    now = engine.store.now()
    row = UserRow(tenant, FIRST, "owner@localhost", "Owner", OWNER, None, now, None)
    await engine.store.people.add_first(row)


async def list_users(engine: Engine, caller: Principal) -> tuple[UserRow, ...]:
    """List the people of the caller's tenant."""
    require(caller, "admin", "Listing people")
    return await engine.store.people.users(caller.tenant)


async def invite(
    engine: Engine, caller: Principal, email: str, role: str
) -> tuple[str, InvitationRow]:
    """Invite somebody; return the secret of the link, which nobody can read again."""
    require(caller, "admin", "Inviting people")
    require_person(caller, "Inviting people")
    known = normal(email)
    _check(known, role)
    require_gift(caller, role, "This invites an owner")
    people, now = engine.store.people, engine.store.now()
    if any(row.email == known for row in await people.users(caller.tenant)):
        raise EmailTaken(f"{known} is here already.", fix="List who is here: interlock user list.")
    secret = PREFIX + engine.clock.secret()
    row = InvitationRow(
        caller.tenant, engine.clock.new_id("invitation"), known, role, caller.id, now,
        now + INVITATION_MS,
    )  # fmt: skip
    act = act_of(engine, caller, "invited", row.id, {"email": known, "role": role})
    await people.add_invitation(row, digest(secret), act)
    return secret, row


def _check(email: str, role: str) -> None:
    if not EMAIL.fullmatch(email) or len(email) > EMAIL_MAX or not email.isprintable():
        raise InvalidInput("This is no e-mail address.", fix="Write it like name@example.org.")
    check_role(role)


def check_role(role: str) -> None:
    """Raise unless there is such a role."""
    if role not in ROLES:
        message = f"There is no role {role[:40]!r}."
        raise InvalidInput(message, fix=f"The roles are {', '.join(ROLES)}.")


async def list_invitations(engine: Engine, caller: Principal) -> tuple[InvitationRow, ...]:
    """List the invitations that stand."""
    require(caller, "admin", "Listing invitations")
    now = engine.store.now()
    rows = await engine.store.people.invitations(caller.tenant)
    return tuple(row for row in rows if is_good(row, now))


def is_good(row: InvitationRow, now: int) -> bool:
    """Say whether an invitation can still be accepted."""
    return row.accepted_at is None and row.withdrawn_at is None and row.expires_at > now


async def withdraw(engine: Engine, caller: Principal, name: str) -> None:
    """Withdraw an invitation."""
    require(caller, "admin", "Withdrawing an invitation")
    require_person(caller, "Withdrawing an invitation")
    act = act_of(engine, caller, "invitation_withdrawn", name)
    now = engine.store.now()
    if not await engine.store.people.withdraw(caller.tenant, name, now, act):
        raise NotFound(name)


async def invitation(engine: Engine, secret: str) -> InvitationRow:
    """Return the invitation behind a link that is still good; every other one looks the same."""
    is_one = secret.startswith(PREFIX) and secret.isascii()
    row = await engine.store.people.find_invitation(digest(secret)) if is_one else None
    if row is None or not is_good(row, engine.store.now()):
        raise _no_invitation()
    return row


async def accept(engine: Engine, secret: str, name: str, password: str, channel: str = "") -> Visit:
    """Become a person of the tenant that invites, with the e-mail and role of the invitation."""
    row = await invitation(engine, secret)
    check_name(name)
    entrant = Entrant(engine.clock.new_id("user"), name.strip(), await hash_password(password))
    return await _enter(engine, row, entrant, "password", channel)


async def accept_as(
    engine: Engine, secret: str, email: str, subject: str, name: str, channel: str = ""
) -> Visit:
    """Become one as whom an identity provider vouches for; the e-mail must be the one invited."""
    row = await invitation(engine, secret)
    if normal(email) != row.email:
        message = "This invitation is for another e-mail address."
        raise LinkNotGood(message, fix="Log in at the identity provider as whom was invited.")
    known = name.strip()[:NAME_MAX] or row.email
    entrant = Entrant(engine.clock.new_id("user"), known, None, subject)
    return await _enter(engine, row, entrant, "provider", channel)


async def _enter(
    engine: Engine, row: InvitationRow, entrant: Entrant, way: str, channel: str
) -> Visit:
    people, now = engine.store.people, engine.store.now()
    caller = Principal(row.tenant, "user", entrant.id, channel=channel)
    told = {"invitation": row.id, "email": row.email, "role": row.role}
    outcome = await people.accept(
        row, entrant, now, act_of(engine, caller, "joined", entrant.id, told)
    )
    if outcome == "taken":
        raise EmailTaken("You are here already.", fix="Log in.")
    joined = await people.user(row.tenant, entrant.id) if outcome == "done" else None
    if joined is None:
        raise _no_invitation()
    return await let_in(engine, joined, way, channel)


def _no_invitation() -> LinkNotGood:
    message = "This invitation was accepted before, has expired, was withdrawn, or never was one."
    return LinkNotGood(message, fix="Ask who invited you for a new one.")


def check_name(name: str) -> None:
    """Raise unless a name is one that we take."""
    known = name.strip()
    if not 0 < len(known) <= NAME_MAX or not known.isprintable():
        message = f"A name has 1 to {NAME_MAX} characters, all of them printable."
        raise InvalidInput(message, fix="Write the name that others know you by.")


async def set_role(engine: Engine, caller: Principal, name: str, role: str) -> UserRow:
    """Give somebody another role."""
    check_role(role)
    row = await _about(engine, caller, name, "Changing roles")
    require_gift(caller, role, "This makes an owner")
    told: dict[str, object] = {"role": role, "before": row.role}
    return await _change(engine, caller, row, (role, row.disabled_at), ("role_set", told))


async def disable(engine: Engine, caller: Principal, name: str) -> UserRow:
    """Shut somebody out: their sessions, links and tokens are no good any more."""
    row = await _about(engine, caller, name, "Disabling people")
    if row.disabled_at is not None:
        return row
    now = engine.store.now()
    return await _change(engine, caller, row, (row.role, now), ("disabled", {}))


async def enable(engine: Engine, caller: Principal, name: str) -> UserRow:
    """Let somebody in again; their tokens are good again, their sessions are not."""
    row = await _about(engine, caller, name, "Enabling people")
    if row.disabled_at is None:
        return row
    return await _change(engine, caller, row, (row.role, None), ("enabled", {}))


async def _about(engine: Engine, caller: Principal, name: str, what: str) -> UserRow:
    require(caller, "admin", what)
    require_person(caller, what)
    row = await engine.store.people.user(caller.tenant, name)
    if row is None and "@" in name:
        known = normal(name)
        rows = await engine.store.people.users(caller.tenant)
        row = next((one for one in rows if one.email == known), None)
    if row is None:
        raise NotFound(name)
    require_rank(caller, row.role, "This is an owner")
    return row


async def _change(
    engine: Engine,
    caller: Principal,
    row: UserRow,
    after: tuple[str, int | None],
    done: tuple[str, dict[str, object]],
) -> UserRow:
    role, disabled_at = after
    act = act_of(engine, caller, done[0], row.id, done[1])
    people, now = engine.store.people, engine.store.now()
    _raise(await people.change_user(row, role, disabled_at, now, act), row)
    return row._replace(role=role, disabled_at=disabled_at)


def _raise(outcome: Outcome, row: UserRow) -> None:
    if outcome == "last":
        message = f"{row.name} is the only owner; somebody must be."
        raise LastOwner(message, fix="Make somebody else an owner first.")
    if outcome != "done":
        message = f"Somebody else changed {row.id} just now; nothing was applied."
        raise Conflict(message, fix="Look how things stand, then send it again.")


async def get_tenant(engine: Engine, caller: Principal) -> TenantRow:
    """Return the caller's tenant."""
    row = await engine.store.people.tenant(caller.tenant)
    if row is None:
        raise NotFound(caller.tenant)
    return row


async def rename_tenant(engine: Engine, caller: Principal, name: str) -> TenantRow:
    """Give the caller's tenant another name; only an owner does."""
    require_person(caller, "Renaming")
    require_rank(caller, OWNER, "This renames everything here")
    check_name(name)
    row = await get_tenant(engine, caller)
    act = act_of(engine, caller, "renamed", caller.tenant, {"name": name, "before": row.name})
    await engine.store.people.rename_tenant(caller.tenant, name.strip(), engine.store.now(), act)
    return row._replace(name=name.strip())
