"""Reads of a SQLite file: whole units, lists, the audit, the feed, artifacts, tokens.

Each function runs on a connection of the reader's and sees one moment: what was committed before
it began, and nothing that comes later.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

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
    Waiting,
    Which,
    Whole,
)
from interlock.store.rows import BareRow, part_id, read_fields, read_listed, read_part, read_unit
from interlock.store.script import Branching
from interlock.store.sqlite.session import Row, Session, Values


def whole(session: Session, unit: str, incarnation: str) -> Whole | None:
    """Read a unit with all that belongs to it."""
    found = session.row("load_unit", {"id": unit})
    if found is None:
        return None
    needs: dict[object, list[str]] = {}
    for part, need in session.rows("all_links", {"unit": unit}):
        needs.setdefault(part, []).append(part_id(unit, _number(need)))
    parts, due = [], {}
    for *columns, ends in session.rows("all_parts", {"unit": unit}):
        row = read_part(unit, columns)
        bare = row.part
        wants = tuple(needs.get(row.number, ()))
        told = Part(bare.kind, bare.status, bare.fields, bare.parent, wants)
        parts.append(replace(row, part=told))
        if isinstance(ends, int):
            due[row.id] = ends
    for (ends,) in session.rows("unit_due", {"id": unit}):
        due[unit] = _number(ends)
    conditions = tuple(
        _condition(unit, row) for row in session.rows("all_conditions", {"unit": unit})
    )
    tags = _tags(session, unit)
    return Whole(read_unit(found), tuple(parts), conditions, due, incarnation, tags)


def _condition(unit: str, row: Row) -> tuple[str, Branching]:
    part, expression, action, params, target = row
    to = None if target is None else part_id(unit, _number(target))
    told = read_fields(str(params))
    return part_id(unit, _number(part)), Branching(str(expression), str(action), told, to)


def units(
    session: Session, workflow: str, before: tuple[int, str] | None, limit: int, which: Which
) -> tuple[Listed, ...]:
    """List units, the last changed first."""
    changed_at, name = before or (None, "")
    values: Values = {"workflow": workflow, "changed_at": changed_at, "id": name, "limit": limit}
    values |= {"status": which.status, "tag": which.tag}
    said = "list_open_units" if which.is_open else "list_units"
    rows = [read_listed(row) for row in session.rows(said, values)]
    return tuple(Listed(row, _tags(session, row.id), wrong) for row, wrong in rows)


def bare(session: Session, unit: str) -> BareRow | None:
    """Read the columns of a unit, whatever is in them."""
    found = session.row("load_unit", {"id": unit})
    return None if found is None else _made(BareRow, found)


def bare_open(
    session: Session, workflow: str, before: tuple[int, str] | None, limit: int
) -> tuple[BareRow, ...]:
    """List units of a workflow that have not ended, whatever is in their columns."""
    changed_at, name = before or (None, "")
    values: Values = {"workflow": workflow, "changed_at": changed_at, "id": name, "limit": limit}
    rows = session.rows("list_open_units", {**values, "status": "", "tag": ""})
    return tuple(_made(BareRow, row) for row in rows)


def _tags(session: Session, unit: str) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in session.rows("unit_tags", {"unit": unit}))


def audit(session: Session, unit: str, after: int, limit: int) -> tuple[AuditRow, ...]:
    """Read entries of one unit."""
    values: Values = {"unit": unit, "after": after, "limit": limit}
    return _entries(session, session.rows("unit_audit", values))


def feed(session: Session, after: int, limit: int) -> tuple[AuditRow, ...]:
    """Read entries of all units of a tenant from a position on."""
    return _entries(session, session.rows("feed_audit", {"after": after, "limit": limit}))


def feed_end(session: Session) -> str:
    """Return the position of the last entry there is."""
    row = session.row("feed_end", {})
    return "" if row is None or row[0] is None else str(row[0])


def _entries(session: Session, rows: Iterable[Row]) -> tuple[AuditRow, ...]:
    return tuple(
        AuditRow(
            str(position), session.tenant, str(unit),
            Link(_number(sequence), _number(at), str(body), str(digest)),
        )
        for position, unit, sequence, at, body, digest in rows
    )  # fmt: skip


def heads(session: Session, after: str, limit: int) -> tuple[HeadRow, ...]:
    """List where the audits of units end, in the order of their ids."""
    rows = session.rows("list_heads", {"after": after, "limit": limit})
    return tuple(_made(HeadRow, row) for row in rows)


def restores(session: Session) -> tuple[RestoreRow, ...]:
    """List the restores of this file, the oldest first."""
    return tuple(_made(RestoreRow, row) for row in session.rows("list_restores", {}))


def offers(session: Session, wanted: Filter, limit: int) -> tuple[Offer, ...]:
    """Find units whose queues may have work."""
    values: Values = {
        **wanted._asdict(),
        "tags": json.dumps(wanted.tags),
        "limit": limit,
    }
    rows = session.rows("list_offers", values)
    return tuple(Offer(str(u), str(w), str(k), _number(n)) for u, w, k, n in rows)


def leases(
    session: Session, unit: str, after: tuple[int, str, int] | None, limit: int
) -> tuple[LeaseRow, ...]:
    """List leases, the one that ends first at the top."""
    due, name, number = after or (None, "", 0)
    values: Values = {"unit": unit, "due": due, "after": name, "number": number, "limit": limit}
    return tuple(_made(LeaseRow, row) for row in session.rows("list_leases", values))


def artifacts(session: Session, unit: str) -> tuple[ArtifactRow, ...]:
    """List what is kept for a unit."""
    return tuple(_made(ArtifactRow, row) for row in session.rows("list_artifacts", {"unit": unit}))


def tokens(session: Session) -> tuple[TokenRow, ...]:
    """List the tokens of a tenant."""
    return tuple(_made(TokenRow, row) for row in session.rows("list_tokens", {}))


def find_token(session: Session, digest: str) -> TokenRow | None:
    """Find the token with this hash, in any tenant."""
    row = session.row("find_token", {"hash": digest})
    return None if row is None else _made(TokenRow, row)


def due(session: Session, now: int, limit: int) -> tuple[Due, ...]:
    """Find leases and timers of any tenant that have run out."""
    rows = session.rows("due_parts", {"now": now, "limit": limit})
    return tuple(_made(Due, row[:-1]) for row in rows)


def count_waiting(session: Session) -> Waiting:
    """Count what waits, over all tenants."""
    (row,) = session.rows("count_waiting", {})
    found: Waiting = _made(Waiting, row)
    return found


def _made(shape: Any, row: Row) -> Any:  # noqa: ANN401  a STRICT table has the types the shape says
    return shape(*row)


def _number(value: object) -> int:
    if isinstance(value, int):
        return value
    message = f"a row holds {value!r} where a number must be"
    raise TypeError(message)
