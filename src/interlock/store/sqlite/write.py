"""Write what a script returned, on a SQLite connection inside a transaction."""

from interlock.store.library import INDEX
from interlock.store.rows import (
    PartRow,
    Value,
    dump,
    lease_columns,
    part_body,
    part_columns,
    part_number,
)
from interlock.store.script import Artifact, Change, NotDue, SkillMoved, Stale, Touch
from interlock.store.sqlite.session import Session

COLUMNS = (
    "status", "ord", "waits", "feeds", "branches", "offer", "slot", "role", "member",
    "site", "holder", "fence", "lapsed",
)  # fmt: skip


class Known(Exception):
    """The request was answered before; nothing of it may be carried out again."""


def write(session: Session, change: Change, now: int) -> None:
    """Write a change; whatever it raises, nothing of it may be committed.

    That is ``Stale``, ``NotDue``, ``SkillMoved`` or ``Known``.
    """
    unit = change.unit.id
    if change.overdue is not None:
        _require_due(session, unit, change.overdue, now)
    _unit(session, change, now)
    _parts(session, change, now)
    _beside(session, change)
    _gates(session, change)
    for sequence, at, body, digest in change.entries:
        session.write(
            "insert_entry",
            {"unit": unit, "sequence": sequence, "at": at, "body": body, "hash": digest},
        )
    if change.deleted_at is not None:
        session.write("mark_deleted", {"id": unit, "at": change.deleted_at})
        # What finds its documents is not needed any more; what they say stays.
        for name in ("forget_words", "forget_chunks", "forget_jobs"):
            session.write(name, {"unit": unit})
    if change.key is not None:
        principal, request, asked = change.key
        values: dict[str, Value] = {
            "principal": principal, "request": request, "asked": asked, "unit": unit,
            "text": change.reply, "at": change.at,
        }  # fmt: skip
        if not session.change("insert_reply", values):
            raise Known


def _require_due(session: Session, unit: str, number: int, now: int) -> None:
    values: dict[str, Value] = {"unit": unit, "number": number, "now": now}
    if session.row("is_due" if number else "is_unit_due", values) is None:
        raise NotDue


def _beside(session: Session, change: Change) -> None:
    """Write what belongs to a unit beside its parts."""
    unit = change.unit.id
    for part, need, place in change.links:
        session.write("insert_link", {"unit": unit, "part": part, "need": need, "place": place})
    for condition in change.conditions:
        name = "insert_condition" if condition.place else "cut_branches"
        session.write(name, {"unit": unit, **condition._asdict()})
    for tag in change.tags:
        session.write("tag_unit", {"unit": unit, "tag": tag})
    for artifact in change.artifacts:
        keep(session, unit, artifact, change.at)
    if change.skill is not None:
        moved: dict[str, Value] = {**change.skill._asdict(), "unit": unit}
        if not session.change("move_skill", moved):
            raise SkillMoved
    for document in change.documents:
        session.write("insert_document", {"unit": unit, "at": change.at, **document._asdict()})
        values: dict[str, Value] = {"kind": INDEX, "about": document.id}
        session.write("insert_job", {**values, "due": change.at, "at": change.at})


def _gates(session: Session, change: Change) -> None:
    """Close gates and open others; who makes room comes first. Write what a board shows."""
    unit = change.unit.id
    if change.card is not None:
        session.write("write_card", {"unit": unit, **change.card._asdict()})
    for closed in change.closed:
        session.write("close_gate", {"unit": unit, **closed._asdict()})
    for opened in change.opened:
        about: dict[str, Value] = {"unit": unit, "workflow": change.unit.workflow}
        session.write("insert_gate", {**about, **opened._asdict()})


def _unit(session: Session, change: Change, now: int) -> None:
    row = change.unit
    values: dict[str, Value] = {
        "id": row.id,
        "status": row.unit.status,
        "version": row.version,
        "head": row.head,
        "made": row.made,
        "takes": row.takes,
        "tally": dump(row.tally),
        "fields": change.body,
        "changed_at": row.changed_at,
        "ended_at": row.ended_at,
        "due": _due(change.lasts, now),
    }
    if change.before:
        values["before"] = change.before
        name = "move_unit" if change.is_moved_only and change.lasts is None else "update_unit"
        if not session.change(name, values):
            raise Stale
        return
    values |= {"workflow": row.workflow, "digest": row.digest, "created_at": row.created_at}
    session.write("insert_unit", values)


def _parts(session: Session, change: Change, now: int) -> None:
    unit = change.unit.id
    for number in change.gone:
        session.write("remove_part", {"unit": unit, "number": number, "at": change.at})
        for name in ("cut_links", "cut_conditions"):
            session.write(name, {"unit": unit, "number": number})
    # Who gives a place up comes before who takes it: at most one may have it at any time.
    for row in sorted(change.parts, key=_takes_a_place):
        due = _due(change.leases.get(row.number), now)
        if row.number in change.moved:
            holder, fence, lapsed = lease_columns(row.part)
            values: dict[str, Value] = {
                "unit": unit, "number": row.number, "status": row.part.status, "offer": row.offer,
                "holder": holder, "fence": fence, "lapsed": lapsed, "due": due,
                "fields": change.bodies.get(row.number),
            }  # fmt: skip
            session.write("move_part", values)
            continue
        values = dict(zip(COLUMNS, part_columns(row), strict=True))
        values |= {"unit": unit, "number": row.number, "due": due}
        values["fields"] = change.bodies.get(row.number)
        session.write("update_part", values)
    for row in change.made:
        parent = row.part.parent
        values = dict(zip(COLUMNS, part_columns(row), strict=True))
        values |= {
            "unit": unit,
            "number": row.number,
            "kind": row.part.kind,
            "parent": None if parent is None else part_number(str(parent)),
            "fields": part_body(row.part),
            "due": _due(change.leases.get(row.number), now),
        }
        session.write("insert_part", values)
    if change.stops:
        session.write("stop_timers", {"unit": unit})


def _due(lasts: int | None, now: int) -> int | None:
    """Return when something ends that lasts so long; what is no duration stays as it is."""
    return lasts if lasts is None or lasts <= 0 else now + lasts


def _takes_a_place(row: PartRow) -> bool:
    return row.slot is not None


def keep(session: Session, unit: str, artifact: Artifact, at: int) -> None:
    """Keep an artifact under the next version of its name."""
    digest = artifact.digest
    size = len(artifact.content)
    session.write("insert_content", {"digest": digest, "size": size, "bytes": artifact.content})
    session.write(
        "insert_artifact",
        {
            "unit": unit, "part": artifact.part, "name": artifact.name, "digest": digest,
            "media_type": artifact.media_type, "mark": artifact.mark,
            "author": artifact.author, "at": at,
        },
    )  # fmt: skip


def touch(session: Session, ask: Touch, now: int) -> None:
    """Extend a lease; raises ``Stale`` if the unit or the lease is not what was decided on."""
    version = session.row("unit_version", {"id": ask.unit})
    values: dict[str, Value] = {
        "unit": ask.unit,
        "number": ask.number,
        "fence": ask.fence,
        "due": now + ask.lease_ms,
    }
    if version is None or version[0] != ask.version or not session.change("touch_part", values):
        raise Stale
