"""Read a snapshot from plain data (a JSON document), and say precisely what is wrong with it.

All mistakes are told at once, each with its place and the nearest right name.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from interlock.errors import InterlockError
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.validate import nearest
from interlock.kernel.workflow import Workflow


class InvalidSnapshot(InterlockError):
    """A snapshot does not fit its workflow."""

    code = "INVALID_SNAPSHOT"
    http = 422


def read_snapshot(flow: Workflow, data: object) -> Snapshot:
    """Return the snapshot that ``data`` describes, or raise ``InvalidSnapshot``.

    The shape is ``{"unit": {"status", "fields"?}, "parts"?: [{"id", "kind", "status",
    "fields"?, "parent"?, "needs"?}]}``.
    """
    wrong = list(_mistakes(flow, data))
    if wrong or not isinstance(data, Mapping):
        raise InvalidSnapshot(
            "; ".join(wrong), fix="Mend what the message names and send it again."
        )
    unit = data["unit"]
    rows = data.get("parts", [])
    return Snapshot(
        Unit(unit["status"], {**flow.defaults(), **unit.get("fields", {})}),
        tuple(_part(flow, row) for row in rows),
        tuple(row["id"] for row in rows),
    )


def _part(flow: Workflow, row: Mapping[str, object]) -> Part:
    kind = str(row["kind"])
    fields = row.get("fields", {})
    needs = row.get("needs", ())
    parent = row.get("parent")
    return Part(
        kind,
        str(row["status"]),
        {**flow.kind(kind).defaults(), **(dict(fields) if isinstance(fields, Mapping) else {})},
        None if parent is None else str(parent),
        tuple(map(str, needs)) if isinstance(needs, list) else (),
    )


def _mistakes(flow: Workflow, data: object) -> Iterator[str]:
    if not isinstance(data, Mapping) or not isinstance(data.get("unit"), Mapping):
        yield 'the snapshot must be an object with a "unit"'
        return
    yield from _thing(flow, data["unit"], flow.unit.name, "unit")
    rows = data.get("parts", [])
    if not isinstance(rows, list):
        yield "parts: must be a list"
        return
    ids = [row.get("id") for row in rows if isinstance(row, Mapping)]
    for place, row in enumerate(rows):
        yield from _row(flow, row, f"parts[{place}]", ids)


def _row(flow: Workflow, row: object, where: str, ids: list[object]) -> Iterator[str]:
    kinds = frozenset(kind.name for kind in flow.parts)
    if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
        yield f'{where}: must be an object with an "id"'
        return
    if ids.count(row["id"]) > 1:
        yield f"{where}: the id {row['id']!r} is used twice"
    kind = row.get("kind")
    if kind not in kinds:
        yield f"{where}: kind {kind!r} is not known; {nearest(str(kind), kinds)}"
        return
    yield from _thing(flow, row, str(kind), where)
    for name in ("parent", "needs"):
        value = row.get(name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            if one not in ids:
                yield f"{where}.{name}: there is no part {one!r}"


def _thing(flow: Workflow, row: Mapping[str, object], kind: str, where: str) -> Iterator[str]:
    names = frozenset(flow.machine(kind).names())
    status = row.get("status")
    if status not in names:
        yield f"{where}.status: a {kind} has no status {status!r}; {nearest(str(status), names)}"
    known = flow.defaults() if kind == flow.unit.name else flow.kind(kind).defaults()
    fields = row.get("fields", {})
    if not isinstance(fields, Mapping):
        yield f"{where}.fields: must be an object"
        return
    for name in fields:
        if name not in known:
            close = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            yield f"{where}.fields: {name!r} is not a field of a {kind}; {hint}"
