"""Reads of PostgreSQL: whole units, lists, the audit, the feed, artifacts, tokens.

Each function is one trip and sees one moment. A position in the feed is text: the incarnation of
the database, the transaction, the unit, and the number of the entry.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from interlock.kernel.seen import Part
from interlock.store.chain import Link
from interlock.store.heads import HeadRow, RestoreRow
from interlock.store.port import (
    ArtifactRow,
    AuditRow,
    Due,
    Filter,
    LeaseRow,
    Listed,
    Offer,
    TokenRow,
    Which,
    Whole,
)
from interlock.store.postgres.trips import Row, Trips
from interlock.store.rows import BareRow, part_id, read_fields, read_listed, read_part, read_unit
from interlock.store.script import Branching

LAST: Final = 2**63 - 1
"""Later than any instant: where a list of what changed last begins."""

# Where the columns of a unit begin in the rows of load.
LOADED_AT: Final = 4
# Where columns begin in the rows of whole.
UNIT_AT: Final = 1
PART_AT: Final = 14
DUE_AT: Final = 28
CONDITION_AT: Final = 30
UNIT_DUE_AT: Final = 35
TAGS_AT: Final = 36


async def whole(trips: Trips, tenant: str, unit: str) -> Whole | None:
    """Read a unit with all that belongs to it."""
    rows = await trips.read("call_whole", tenant, unit)
    if not rows:
        return None
    first = rows[0]
    parts, conditions = [], []
    due = {} if first[UNIT_DUE_AT] is None else {unit: first[UNIT_DUE_AT]}
    for row in rows[1:]:
        if row[CONDITION_AT] is not None:
            conditions.append(_condition(unit, row[CONDITION_AT:UNIT_DUE_AT]))
            continue
        bare = read_part(unit, row[PART_AT:DUE_AT])
        ends, needs = row[DUE_AT:CONDITION_AT]
        wants = tuple(part_id(unit, need) for need in needs or ())
        told = bare.part
        told = Part(told.kind, told.status, told.fields, told.parent, wants)
        parts.append(replace(bare, part=told))
        if ends is not None:
            due[bare.id] = ends
    whole, tags = read_unit(first[UNIT_AT:PART_AT]), tuple(first[TAGS_AT])
    return Whole(whole, tuple(parts), tuple(conditions), due, first[0], tags)


def _condition(unit: str, row: Row) -> tuple[str, Branching]:
    part, expression, action, params, target = row
    to = None if target is None else part_id(unit, target)
    return part_id(unit, part), Branching(expression, action, read_fields(params), to)


async def units(
    trips: Trips,
    tenant: str,
    workflow: str,
    before: tuple[int, str] | None,
    limit: int,
    which: Which,
) -> tuple[Listed, ...]:
    """List units, the last changed first."""
    changed_at, name = before or (LAST, "")
    rows = await trips.read("call_units", tenant, workflow, changed_at, name, limit, *which)
    found = ((*read_listed(row[:-1]), tuple(row[-1])) for row in rows)
    return tuple(Listed(row, tags, wrong) for row, wrong, tags in found)


async def bare(trips: Trips, tenant: str, unit: str) -> BareRow | None:
    """Read the columns of a unit, whatever is in them."""
    first, *_ = await trips.read("call_load", tenant, unit, None, None, None, None, None)
    columns = first[LOADED_AT : LOADED_AT + len(BareRow._fields)]
    return None if columns[0] is None else BareRow(*columns)


async def bare_open(
    trips: Trips, tenant: str, workflow: str, before: tuple[int, str] | None, limit: int
) -> tuple[BareRow, ...]:
    """List units of a workflow that have not ended, whatever is in their columns."""
    changed_at, name = before or (LAST, "")
    which = Which(is_open=True)
    rows = await trips.read("call_units", tenant, workflow, changed_at, name, limit, *which)
    return tuple(BareRow(*row[:-1]) for row in rows)


class Position(NamedTuple):
    """A place in the feed; the empty one is before everything."""

    incarnation: str = ""
    xid: str = "0"
    unit: str = ""
    sequence: int = 0


def read_position(text: str) -> Position:
    """Read a position; text that is none means the beginning."""
    incarnation, _, rest = text.partition(":")
    xid, _, rest = rest.partition(":")
    unit, _, sequence = rest.rpartition(":")
    for number in (xid, sequence):
        is_number = number.isascii() and number.isdigit() and len(number) <= len(str(LAST))
        if not is_number or int(number) > LAST:
            return Position()
    return Position(incarnation, xid, unit, int(sequence))


async def audit(
    trips: Trips, tenant: str, unit: str, after: int, limit: int
) -> tuple[AuditRow, ...]:
    """Read entries of one unit."""
    return _entries(tenant, await trips.read("call_audit", tenant, unit, after, limit))


async def feed(trips: Trips, tenant: str, after: str, limit: int) -> tuple[AuditRow, ...]:
    """Read entries of all units of a tenant from a position on."""
    return _entries(tenant, await trips.read("call_feed", tenant, *read_position(after), limit))


async def feed_end(trips: Trips) -> str:
    """Return the position before everything that has not committed yet."""
    ((name, xid),) = await trips.read("feed_end")
    return f"{name}:{xid}::0"


def _entries(tenant: str, rows: Iterable[Row]) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(f"{name}:{xid}:{unit}:{sequence}", tenant, unit, Link(sequence, at, body, digest))
        for name, xid, unit, sequence, at, body, digest in rows
    )


async def heads(trips: Trips, tenant: str, after: str, limit: int) -> tuple[HeadRow, ...]:
    """List where the audits of units end, in the order of their ids."""
    return tuple(
        HeadRow(*row) for row in await trips.read("call_audit_heads", tenant, after, limit)
    )


async def restores(trips: Trips) -> tuple[RestoreRow, ...]:
    """List the restores of this database, the oldest first."""
    return tuple(RestoreRow(*row) for row in await trips.read("list_restores"))


async def offers(trips: Trips, tenant: str, wanted: Filter, limit: int) -> tuple[Offer, ...]:
    """Find units whose queues may have work."""
    rows = await trips.read("call_offers", tenant, *wanted, limit)
    return tuple(Offer(*row) for row in rows)


async def leases(
    trips: Trips, tenant: str, unit: str, after: tuple[int, str, int] | None, limit: int
) -> tuple[LeaseRow, ...]:
    """List leases, the one that ends first at the top."""
    place = after or (0, "", 0)
    rows = await trips.read("call_leases", tenant, unit, *place, limit)
    return tuple(LeaseRow(*row) for row in rows)


async def artifacts(trips: Trips, tenant: str, unit: str) -> tuple[ArtifactRow, ...]:
    """List what is kept for a unit."""
    return tuple(ArtifactRow(*row) for row in await trips.read("call_artifacts", tenant, unit))


async def tokens(trips: Trips, tenant: str) -> tuple[TokenRow, ...]:
    """List the tokens of a tenant."""
    return tuple(TokenRow(*row) for row in await trips.read("call_tokens", tenant))


async def find_token(trips: Trips, digest: str) -> TokenRow | None:
    """Find the token with this hash, in any tenant."""
    rows = await trips.read("call_token", digest)
    return TokenRow(*rows[0]) if rows else None


async def due(trips: Trips, limit: int) -> tuple[Due, ...]:
    """Find leases of any tenant that have run out by the database's clock."""
    return tuple(Due(*row) for row in await trips.read("call_due", limit))
