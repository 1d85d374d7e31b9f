"""Records beside the units on a SQLite file: skills, feedback, the log of calls.

What writes runs on the writer's thread inside its transaction; what reads runs on the reader's.
"""

from collections.abc import Sequence
from typing import Any

from interlock.store.port import CallRow, FeedbackRow, SkillRow, WhichCalls
from interlock.store.script import Committed, Key, SkillMove, SkillMoved
from interlock.store.sqlite.load import load_reply
from interlock.store.sqlite.session import Row, Session, Values
from interlock.store.sqlite.writer import Writer

NOBODY = ""
"""Whom the bell is rung for when calls were logged: nobody waits for those."""


def add_skill(writer: Writer, row: SkillRow, key: Key | None, reply: str) -> Committed:
    """Keep an execution that has begun."""
    session = Session(writer.connection, row.tenant)
    known = _known(session, key)
    if known is not None:
        return known
    writer.begin_writing(row.tenant)
    session.write("insert_skill", _values(row))
    _answer(session, key, row.id, reply, row.started_at)
    return Committed(reply)


def move_skill(
    writer: Writer, tenant: str, move: SkillMove, at: int, key: Key | None, reply: str
) -> Committed:
    """End an execution that has no unit; raises ``SkillMoved``."""
    session = Session(writer.connection, tenant)
    known = _known(session, key)
    if known is not None:
        return known
    found = find_skill(session, "load_skill", {"id": move.id})
    if found is None or found.unit is not None or found.status != move.before:
        raise SkillMoved
    writer.begin_writing(tenant)
    session.write("move_skill", {**move._asdict(), "unit": None})
    _answer(session, key, move.id, reply, at)
    return Committed(reply)


def add_feedback(writer: Writer, row: FeedbackRow, key: Key | None, reply: str) -> Committed | None:
    """Keep feedback; None if there is no such unit."""
    session = Session(writer.connection, row.tenant)
    if session.row("unit_version", {"id": row.unit}) is None:
        return None
    known = _known(session, key)
    if known is not None:
        return known
    writer.begin_writing(row.tenant)
    session.write("insert_feedback", _values(row))
    _answer(session, key, row.unit, reply, row.at)
    return Committed(reply)


def add_calls(writer: Writer, tenant: str, rows: Sequence[CallRow]) -> None:
    """Keep calls of tools."""
    session = Session(writer.connection, tenant)
    writer.begin_writing(NOBODY)
    for row in rows:
        session.write("insert_call", _values(row))


def prune_calls(writer: Writer, before: int, limit: int) -> int:
    """Forget calls that are older than an instant."""
    writer.begin_writing(NOBODY)
    session = Session(writer.connection, NOBODY)
    return session.change("prune_calls", {"before": before, "limit": limit})


def find_skill(session: Session, name: str, values: Values) -> SkillRow | None:
    """Read an execution by one of the statements that find one."""
    row = session.row(name, values)
    return None if row is None else _made(SkillRow, row)


def feedback(session: Session, unit: str) -> tuple[FeedbackRow, ...]:
    """List what was said of a unit."""
    return tuple(_made(FeedbackRow, row) for row in session.rows("list_feedback", {"unit": unit}))


def calls(
    session: Session, before: tuple[int, str] | None, limit: int, which: WhichCalls
) -> tuple[CallRow, ...]:
    """List calls, the newest first."""
    at, name = before or (None, "")
    values: Values = {"at": at, "id": name, "limit": limit, **which._asdict()}
    return tuple(_made(CallRow, row) for row in session.rows("list_calls", values))


def _known(session: Session, key: Key | None) -> Committed | None:
    found = load_reply(session, key)
    return None if found is None else Committed(found.text, is_replay=True, asked=found.asked)


def _answer(session: Session, key: Key | None, about: str, reply: str, at: int) -> None:
    if key is not None:
        values: Values = {**key._asdict(), "unit": about, "text": reply, "at": at}
        session.write("insert_reply", values)


def _values(row: SkillRow | FeedbackRow | CallRow) -> Values:
    return dict(row._asdict())


def _made(shape: Any, row: Row) -> Any:  # noqa: ANN401  a STRICT table has the types the shape says
    return shape(*row)
