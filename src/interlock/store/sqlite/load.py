"""Answer what a script asks for, from a SQLite connection inside a transaction."""

import json
from collections.abc import Iterable
from typing import assert_never

from interlock.store.rows import (
    PartRow,
    Tally,
    part_id,
    part_number,
    read_fields,
    read_part,
    read_unit,
)
from interlock.store.script import (
    Answer,
    Around,
    Artifact,
    Ask,
    Branching,
    Find,
    Found,
    Gap,
    GateAt,
    Heads,
    Key,
    Kinds,
    Latest,
    Load,
    Loaded,
    Place,
    Reply,
    Surroundings,
)
from interlock.store.sqlite.gates import find_gate
from interlock.store.sqlite.session import Row, Session, Values

NUMBER_BITS = 62
"""A larger number cannot even be asked for."""


def answer(session: Session, ask: Ask, incarnation: str) -> Answer:
    """Answer one question of a script."""
    match ask:
        case Load():
            return load(session, ask, incarnation)
        case Heads():
            return find_heads(session, ask.unit, ask.kinds, ask.without)
        case Around():
            return _around(session, ask)
        case Find():
            return tuple(read_part(ask.unit, row) for row in _find(session, ask))
        case Gap() | Place() | Latest():
            return _number(session, ask)
        case GateAt():
            return find_gate(session, ask)
        case _:
            assert_never(ask)


def _number(session: Session, ask: Gap | Place | Latest) -> int | None:
    """Answer a question after a number; nothing is 0, and after the last part comes none."""
    statement = NUMBERS[type(ask)]
    row = session.row(statement, {**ask._asdict()})
    if row and isinstance(row[0], int):
        return row[0]
    return None if isinstance(ask, Gap) else 0


NUMBERS = {Gap: "next_ord", Place: "count_to_ord", Latest: "latest_artifact"}


def load(session: Session, ask: Load, incarnation: str) -> Loaded | None:
    """Load a unit with the part and the heads that were asked for; None if there is none."""
    reply = load_reply(session, ask.key)
    found = session.row("load_unit", {"id": ask.unit})
    if found is None:
        return None
    part = None if ask.part is None else load_part(session, ask.unit, ask.part)
    heads = find_heads(session, ask.unit, ask.kinds)
    return Loaded(read_unit(found), part, heads, reply, incarnation)


def load_reply(session: Session, key: Key | None) -> Reply | None:
    """Return the answer that was given to the key, if there was one."""
    if key is None:
        return None
    row = session.row("load_reply", {"principal": key.principal, "request": key.request})
    return None if row is None else Reply(str(row[0]), str(row[1]))


def find_artifact(session: Session, unit: str, artifact: Artifact) -> int | None:
    """Return the version under which the same is kept with the same mark."""
    values: Values = {
        "unit": unit, "part": artifact.part, "name": artifact.name, "digest": artifact.digest,
        "mark": artifact.mark,
    }  # fmt: skip
    row = session.row("find_artifact", values)
    return row[0] if row and isinstance(row[0], int) else None


def load_part(session: Session, unit: str, part: str) -> PartRow | None:
    """Load one part; a name that names none finds none."""
    try:
        number = part_number(part)
    except ValueError:
        return None
    if part_id(unit, number) != part or number.bit_length() > NUMBER_BITS:
        return None
    row = _row(session, unit, number)
    return None if row is None else read_part(unit, row)


def find_heads(session: Session, unit: str, kinds: Kinds, without: tuple[int, ...] = ()) -> Found:
    """Return for each queue the best part of each status, passing over some parts."""
    found = {}
    for kind, statuses in kinds:
        heads = (find_head(session, unit, kind, status, without) for status in statuses)
        found[kind] = tuple(head for head in heads if head is not None)
    return found


def find_head(
    session: Session, unit: str, kind: str, status: str, without: tuple[int, ...] = ()
) -> PartRow | None:
    """Return the best part of one status of a queue, passing over some parts."""
    values: Values = {"unit": unit, "kind": kind, "status": status}
    if without:
        row = session.row("find_head_without", {**values, "without": json.dumps(without)})
    else:
        row = session.row("find_head", values)
    return None if row is None else read_part(unit, row)


def _find(session: Session, ask: Find) -> Iterable[Row]:
    of = 0 if ask.of is None else part_number(ask.of)
    values: Values = {"unit": ask.unit, "kind": ask.kind}
    if ask.whom == "all":
        return session.rows("find_all", values)
    if ask.whom == "children":
        return session.rows("find_children", {**values, "parent": of})
    if ask.whom == "dependents":
        return session.rows("find_dependents", {**values, "need": of})
    if ask.whom == "range":
        low, high = _ord(session, ask.unit, of), 0
        if ask.to is not None:
            high = _ord(session, ask.unit, part_number(ask.to))
        return session.rows("find_range", {**values, "low": low, "high": high})
    found = (_row(session, ask.unit, part_number(name)) for name in ask.ids)
    return [row for row in found if row is not None]


def _row(session: Session, unit: str, number: int) -> Row | None:
    return session.row("load_part", {"unit": unit, "number": number})


def _ord(session: Session, unit: str, number: int) -> int:
    row = session.row("part_place", {"unit": unit, "number": number})
    return row[1] if row and isinstance(row[1], int) else 0


def _around(session: Session, ask: Around) -> Surroundings:
    found = Surroundings()
    part = ask.part
    unit = ask.unit
    for name in ask.sees:
        if name == "current" and ask.current is not None:
            found = found._replace(current=load_part(session, unit, ask.current))
        elif name == "children" and ask.head is not None:
            rows = session.rows("count_children", {"unit": unit, "parent": part_number(ask.head)})
            found = found._replace(children=_tally(rows))
        elif part is None:
            continue
        elif name == "parent" and part.part.parent is not None:
            found = found._replace(parent=load_part(session, unit, str(part.part.parent)))
        elif name == "dependents" and part.feeds:
            rows = session.rows("count_dependents", {"unit": unit, "need": part.number})
            found = found._replace(dependents=_tally(rows))
        elif name == "conditions" and part.branches:
            found = found._replace(conditions=_conditions(session, unit, part))
    return found


def _tally(rows: Iterable[Row]) -> Tally:
    tally: dict[str, dict[str, int]] = {}
    for kind, status, count in rows:
        if isinstance(count, int):
            tally.setdefault(str(kind), {})[str(status)] = count
    return tally


def _conditions(session: Session, unit: str, part: PartRow) -> tuple[Branching, ...]:
    rows = list(session.rows("part_conditions", {"unit": unit, "part": part.number}))
    return tuple(_branching(session, unit, part, row) for row in rows)


def _branching(session: Session, unit: str, part: PartRow, row: Row) -> Branching:
    expression, action, params, target = row
    bare = Branching(str(expression), str(action), read_fields(str(params)))
    if not isinstance(target, int):
        return bare
    place = session.row("part_place", {"unit": unit, "number": target})
    if place is None:
        return bare
    status, order = place
    if not isinstance(order, int):
        return bare
    values: Values = {"unit": unit, "kind": part.part.kind, "low": part.ord, "high": order}
    between = {
        str(one): count
        for one, count in session.rows("count_range", values)
        if isinstance(count, int)
    }
    return bare._replace(
        target=part_id(unit, target),
        target_status=str(status),
        is_later=order > part.ord,
        between=between,
    )
