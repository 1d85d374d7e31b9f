"""Links to a decision: signed, for one person and one content, good until decided or expired.

A link names a gate, what is shown there, and who may decide by it; it is signed with a key of the
tenant that nobody is shown. Whoever opens it acts as that person, so it is theirs alone. Opening
it changes nothing. Another key makes every link void.
"""

import base64
import hmac
import json
from hashlib import sha256
from typing import Final, NamedTuple

from interlock.service.access import require
from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, LinkNotGood, NotAllowed, NotFound
from interlock.service.roles import GIVES, as_person, require_person
from interlock.store.gates import GateRow
from interlock.store.people import UserRow
from interlock.store.rows import dump

LASTS_MS: Final = 7 * 24 * 3600 * 1000
LASTS_MS_MAX: Final = 30 * 24 * 3600 * 1000
SIGNED_MAX: Final = 2_000
WORD_MAX: Final = 300
CHANNEL: Final = "link"


class Link(NamedTuple):
    """A link that is good: who acts by it, and on what."""

    person: Principal
    gate: str
    digest: str
    expires_at: int


async def make_link(
    engine: Engine, caller: Principal, gate: GateRow, person: str = "", lasts_ms: int = LASTS_MS
) -> tuple[str, int]:
    """Return what follows ``/decide/`` in a link, and when it expires.

    Everybody makes one for themselves; for somebody else an admin does.
    """
    require_person(caller, "Making a link to a decision")
    require(caller, "decide", "Making a link to a decision")
    name = person or caller.id
    if name != caller.id:
        require(caller, "admin", "Making a link for somebody else")
    if not 0 < lasts_ms <= LASTS_MS_MAX:
        message = "A link to a decision is good for 1 second to 30 days."
        raise InvalidInput(message, fix="Choose a shorter time.")
    if not gate.is_open:
        raise InvalidInput("The gate is closed.", fix="List what is open: list_gates.")
    row = await engine.store.people.user(caller.tenant, name)
    if row is None:
        raise NotFound(name)
    if not _may_decide(row):
        message = f"{row.id} may not decide here."
        raise NotAllowed(message, fix="Give them another role, or ask somebody else.")
    now = engine.store.now()
    key = await engine.store.hooks.link_key(caller.tenant, engine.clock.secret(), now)
    ends = now + lasts_ms
    said = dump([caller.tenant, gate.id, gate.digest, name, ends]).encode()
    return f"{_text(said)}.{_text(_mac(key, said))}", ends


async def read_link(engine: Engine, signed: str) -> Link:
    """Return what a link says and who acts by it; every one that is not good looks the same."""
    said, mac = _parted(signed)
    tenant, gate, digest, name, ends = _words(said)
    key = await engine.store.hooks.link_key(tenant, "", 0)
    if not key or not hmac.compare_digest(_mac(key, said), mac) or ends <= engine.store.now():
        raise _not_good()
    row = await engine.store.people.user(tenant, name)
    if row is None or not _may_decide(row):
        raise _not_good()
    person = as_person(row)
    acting = Principal(
        tenant, person.kind, person.id, person.scopes, channel=CHANNEL, role=person.role
    )
    return Link(acting, gate, digest, ends)


async def replace_key(engine: Engine, caller: Principal) -> None:
    """Make every link void that was made before."""
    require_person(caller, "Making links void")
    require(caller, "admin", "Making links void")
    act = act_of(engine, caller, "links_made_void", caller.tenant)
    fresh, now = engine.clock.secret(), engine.store.now()
    await engine.store.hooks.link_key(caller.tenant, fresh, now, is_other=True, act=act)


def _may_decide(row: UserRow) -> bool:
    return row.disabled_at is None and "decide" in GIVES[row.role]


def _mac(key: str, said: bytes) -> bytes:
    return hmac.new(key.encode(), b"decide:" + said, sha256).digest()


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _parted(signed: str) -> tuple[bytes, bytes]:
    first, _, second = signed.partition(".")
    if len(signed) > SIGNED_MAX or not signed.isascii():
        raise _not_good()
    try:
        said, mac = (
            base64.b64decode(one + "=" * (-len(one) % 4), altchars=b"-_", validate=True)
            for one in (first, second)
        )
    except ValueError as exc:
        raise _not_good() from exc
    # Bits that mean nothing may not differ either: a link is spelled in one way.
    if (_text(said), _text(mac)) != (first, second):
        raise _not_good()
    return said, mac


def _words(said: bytes) -> tuple[str, str, str, str, int]:
    try:
        words = json.loads(said)
    except ValueError as exc:
        raise _not_good() from exc
    match words:
        case [str(tenant), str(gate), str(digest), str(name), int(ends)]:
            texts = (tenant, gate, digest, name)
            if all(len(one) <= WORD_MAX and one.isprintable() for one in texts):
                return tenant, gate, digest, name, ends
        case _:
            pass
    raise _not_good()


def _not_good() -> LinkNotGood:
    message = "This link is not good: it is wrong, expired or was made void."
    return LinkNotGood(message, fix="Ask for a new one, or decide in the inbox.")
