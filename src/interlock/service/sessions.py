"""Coming in: with a password, by a login link, and staying in with a session.

A session is a secret that only the browser knows; the database keeps its SHA-256. It is made anew
whenever somebody comes in, so that no one can prepare it for them. Who is shut out is out at
once, because a person is read anew with every request. How a secret travels is a door's affair.
"""

from dataclasses import dataclass, field
from typing import Final

from interlock.service.access import PREFIX, digest, require
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import LinkNotGood, NotFound, TooManyTries, Unauthenticated
from interlock.service.passwords import hash_password, is_outdated, is_password
from interlock.service.roles import as_person, require_gift, require_person, require_rank
from interlock.store.people import LoginRow, SessionRow, UserRow

MINUTE_MS: Final = 60_000
DAY_MS: Final = 24 * 60 * MINUTE_MS
IDLE_MS: Final = 14 * DAY_MS
"""How long a session is good that nobody uses."""

LASTS_MS: Final = 90 * DAY_MS
"""How long a session is good at all."""

TOUCH_MS: Final = 5 * MINUTE_MS
"""How often it is noted that a session was used."""

LINK_MS: Final = 15 * MINUTE_MS
TRIES_MAX: Final = 10
"""How many passwords may be tried for an account within a minute."""

EMAIL_MAX: Final = 254
CANDIDATES_MAX: Final = 8
"""In how many tenants the same e-mail is tried at most."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who is in: who they are, and the session that says so."""

    principal: Principal
    person: UserRow
    session: SessionRow
    secret: str = field(repr=False)


async def log_in(engine: Engine, email: str, password: str, channel: str = "") -> Visit:
    """Let somebody in by their password; whatever is wrong, the answer is the same."""
    known = normal(email)
    await _count(engine, known)
    people = engine.store.people
    found = await people.find_users(known, None)
    candidates = [row for row in found if row.disabled_at is None][:CANDIDATES_MAX]
    for row in candidates:
        kept = await people.password(row.tenant, row.id)
        if await is_password(kept, password):
            await _refresh(engine, row, kept or "", password)
            return await let_in(engine, row, "password", channel)
    if not candidates:
        # It takes as long as if there were somebody.
        await is_password(None, password)
    message = "E-mail or password is wrong."
    raise Unauthenticated(message, fix="Try again, or ask an admin for a login link.")


async def _refresh(engine: Engine, row: UserRow, kept: str, password: str) -> None:
    """Keep a password as it would be kept today."""
    if is_outdated(kept):
        better, now = await hash_password(password), engine.store.now()
        await engine.store.people.set_password(row, better, now, keep=None, act=None)


def normal(email: str) -> str:
    """Return an e-mail as it is kept: there is one way to write it."""
    return email.strip().lower()[: EMAIL_MAX + 1]


async def _count(engine: Engine, email: str) -> None:
    """Count a try; an account that does not exist is slowed down like one that does."""
    minute = engine.store.now() // MINUTE_MS
    key = digest(f"login {email.encode(errors='replace').decode()}")
    if await engine.store.people.count_try(key, minute) > TRIES_MAX:
        message = "Too many tries for this account."
        raise TooManyTries(message, fix="Wait a minute, then try again.")


async def let_in(engine: Engine, row: UserRow, way: str, channel: str = "") -> Visit:
    """Begin a session for somebody, with a secret that nobody has seen before."""
    now, secret = engine.store.now(), engine.clock.secret()
    name = engine.clock.new_id("session")
    session = SessionRow(row.tenant, name, row.id, now, now, now + IDLE_MS)
    caller = as_person(row)
    caller = Principal(caller.tenant, caller.kind, caller.id, channel=channel)
    act = act_of(engine, caller, "logged_in", row.id, {"by": way, "session": name})
    await engine.store.people.add_session(session, digest(secret), act)
    return Visit(as_person(row), row, session, secret)


async def resume(engine: Engine, secret: str) -> Visit:
    """Return who is behind the secret of a session; raises ``Unauthenticated``."""
    found = await engine.store.people.find_session(digest(secret)) if secret.isascii() else None
    now = engine.store.now()
    if found is None or found[0].ended_at is not None or found[0].expires_at <= now:
        raise Unauthenticated("You are not logged in.", fix="Log in again.")
    session, row = found
    if row.disabled_at is not None:
        raise Unauthenticated("You are not logged in.", fix="Log in again.")
    if now - session.seen_at >= TOUCH_MS:
        ends = min(now + IDLE_MS, session.created_at + LASTS_MS)
        session = session._replace(seen_at=now, expires_at=ends)
        await engine.store.people.touch_session(session)
    return Visit(as_person(row), row, session, secret)


async def log_out(engine: Engine, visit: Visit) -> None:
    """End the session that somebody came with."""
    act = act_of(engine, visit.principal, "logged_out", visit.person.id)
    people, now = engine.store.people, engine.store.now()
    await people.end_session(visit.session.tenant, visit.session.id, now, act)


async def list_sessions(engine: Engine, caller: Principal, person: str) -> tuple[SessionRow, ...]:
    """List sessions that are still good; of one person where one is named."""
    now = engine.store.now()
    if person and await engine.store.people.user(caller.tenant, person) is None:
        raise NotFound(person)
    rows = await engine.store.people.sessions(caller.tenant)
    return tuple(
        row for row in rows if row.expires_at > now and (not person or row.person == person)
    )


async def end_session(engine: Engine, caller: Principal, name: str) -> None:
    """End somebody's session; an owner's only as an owner, or as themselves."""
    require_person(caller, "Ending a session")
    people, now = engine.store.people, engine.store.now()
    row = next((row for row in await people.sessions(caller.tenant) if row.id == name), None)
    whose = None if row is None else await people.user(caller.tenant, row.person)
    if whose is None:
        raise NotFound(name)
    if whose.id != caller.id:
        require_rank(caller, whose.role, "This is the session of an owner")
    act = act_of(engine, caller, "session_ended", whose.id, {"session": name})
    if not await people.end_session(caller.tenant, name, now, act):
        raise NotFound(name)


async def set_password(engine: Engine, visit: Visit, old: str, new: str) -> None:
    """Give somebody another password; every other session of theirs ends."""
    people, row = engine.store.people, visit.person
    kept = await people.password(row.tenant, row.id)
    if kept is not None:
        await _count(engine, row.email)
        if not await is_password(kept, old):
            message = "This is not your password."
            raise Unauthenticated(message, fix="Type the password that you have now.")
    better = await hash_password(new)
    act = act_of(engine, visit.principal, "password_set", row.id)
    now = engine.store.now()
    await people.set_password(row, better, now, keep=visit.session.id, act=act)


async def make_login(engine: Engine, caller: Principal, name: str = "") -> tuple[str, LoginRow]:
    """Make a login link for oneself, or as an admin for somebody; return its secret."""
    require_person(caller, "Making a login link")
    row = await engine.store.people.user(caller.tenant, name or caller.id)
    if row is None or row.disabled_at is not None:
        raise NotFound(name or caller.id)
    if row.id != caller.id:
        require(caller, "admin", "Making a login link for somebody else")
    require_gift(caller, row.role, "This is an owner")
    now, secret = engine.store.now(), PREFIX + engine.clock.secret()
    login = LoginRow(row.tenant, engine.clock.new_id("login"), row.id, now, now + LINK_MS)
    act = act_of(engine, caller, "login_link_made", row.id)
    await engine.store.people.add_login(login, digest(secret), act)
    return secret, login


async def use_login(engine: Engine, secret: str, channel: str = "") -> Visit:
    """Let somebody in by a login link, once."""
    is_one = secret.startswith(PREFIX) and secret.isascii()
    now = engine.store.now()
    row = await engine.store.people.use_login(digest(secret), now) if is_one else None
    if row is None or row.disabled_at is not None:
        message = "This link was used before, has expired, or never was one."
        raise LinkNotGood(message, fix="Ask for a new one: interlock login-link.")
    return await let_in(engine, row, "link", channel)
