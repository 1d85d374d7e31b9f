"""Read a snapshot from plain data (a JSON document), and say precisely what is wrong with it.

All mistakes are told at once, each with its place and the nearest right name.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from interlock.errors import InterlockError
from interlock.kernel.machine import Machine
from interlock.kernel.seen import Part, Unit
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.validate import nearest
from interlock.kernel.workflow import Field, Workflow

Known = tuple[object, object]
"""The id and the kind of a part, as they were written."""


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
        Unit(unit["status"], {**flow.defaults(), **_plain(unit.get("fields", {}))}),
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
        {**flow.kind(kind).defaults(), **_plain(fields)},
        None if parent is None else str(parent),
        tuple(map(str, needs)) if isinstance(needs, list) else (),
    )


def _plain(fields: object) -> dict[str, object]:
    """Return fields as rules know them: what is a list in a document is a tuple here."""
    given = fields if isinstance(fields, Mapping) else {}
    return {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}


def _mistakes(flow: Workflow, data: object) -> Iterator[str]:
    if not isinstance(data, Mapping) or not isinstance(data.get("unit"), Mapping):
        yield 'the snapshot must be an object with a "unit"'
        return
    yield from _keys(data, ("unit", "parts"), "the snapshot")
    yield from _keys(data["unit"], ("status", "fields"), "unit")
    yield from _thing(flow, data["unit"], flow.unit.name, "unit")
    rows = data.get("parts", [])
    if not isinstance(rows, list):
        yield "parts: must be a list"
        return
    kinds = [(row.get("id"), row.get("kind")) for row in rows if isinstance(row, Mapping)]
    for place, row in enumerate(rows):
        yield from _row(flow, row, f"parts[{place}]", kinds)
    yield from _current(flow, data["unit"], kinds)


def _keys(row: Mapping[str, object], known: tuple[str, ...], where: str) -> Iterator[str]:
    for name in row:
        if name not in known:
            yield f"{where}: {name!r} means nothing here; {nearest(str(name), frozenset(known))}"


def _current(flow: Workflow, unit: Mapping[str, object], all_of: list[Known]) -> Iterator[str]:
    """Look for what ``current`` points at: a part that other parts stand under, where there are."""
    fields = unit.get("fields")
    pointer = fields.get("current") if isinstance(fields, Mapping) else None
    if pointer is None:
        return
    heads = sorted({kind.parent for kind in flow.parts if kind.parent})
    ids = [known for known, kind in all_of if kind in heads or not heads]
    if pointer not in ids:
        what = " or ".join(heads) or "part"
        yield f"unit.fields.current: there is no {what} {pointer!r}; {_nearest(pointer, ids)}"


def _row(flow: Workflow, row: object, where: str, all_of: list[Known]) -> Iterator[str]:
    kinds = frozenset(kind.name for kind in flow.parts)
    if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
        yield f'{where}: must be an object with an "id"'
        return
    ids = [known for known, _ in all_of]
    if ids.count(row["id"]) > 1:
        yield f"{where}: the id {row['id']!r} is used twice"
    kind = row.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        yield f"{where}: kind {kind!r} is not known; {nearest(str(kind), kinds)}"
        return
    yield from _keys(row, ("id", "kind", "status", "fields", "parent", "needs"), where)
    yield from _thing(flow, row, str(kind), where)
    needs = row.get("needs", [])
    if not isinstance(needs, list):
        yield f"{where}.needs: must be a list"
        return
    for need in needs:
        if need not in ids:
            yield f"{where}.needs: there is no part {need!r}; {_nearest(need, ids)}"
    yield from _under(flow, row, where, all_of)


def _under(
    flow: Workflow, row: Mapping[str, object], where: str, all_of: list[Known]
) -> Iterator[str]:
    parent, kind = row.get("parent"), str(row["kind"])
    above = flow.kind(kind).parent
    if parent is None:
        return
    if not above:
        yield f"{where}.parent: a {kind} stands under nothing but the unit"
    elif (parent, above) not in all_of:
        ids = [known for known, of in all_of if of == above]
        yield f"{where}.parent: there is no {above} {parent!r}; {_nearest(parent, ids)}"


def _nearest(name: object, ids: list[object]) -> str:
    return nearest(str(name), frozenset(map(str, ids))) if ids else "there are none"


def _thing(flow: Workflow, row: Mapping[str, object], kind: str, where: str) -> Iterator[str]:
    names = frozenset(flow.machine(kind).names())
    status = row.get("status")
    if not isinstance(status, str) or status not in names:
        yield f"{where}.status: a {kind} has no status {status!r}; {nearest(str(status), names)}"
    rows = flow.fields if kind == flow.unit.name else flow.kind(kind).fields
    known = {field.name: field for field in rows}
    fields = row.get("fields", {})
    if not isinstance(fields, Mapping):
        yield f"{where}.fields: must be an object"
        return
    for name, value in fields.items():
        if name not in known:
            close = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"
            yield f"{where}.fields: {name!r} is not a field of a {kind}; {hint}"
        else:
            wrong = _value(flow.machine(kind), known[name], value, status)
            yield from (f"{where}.fields.{name}: {text}" for text in wrong)


def _value(machine: Machine, field: Field, value: object, status: object) -> Iterator[str]:
    wanted = _unlike(field, value)
    if wanted:
        yield f"must be {wanted}, not {value!r}"
    elif field.during and status not in field.during and value not in (field.default, []):
        yield f"has a value only while the {machine.name} is {' or '.join(field.during)}"
    elif isinstance(value, str) and field.name in {edge.target_field for edge in machine.edges}:
        names = frozenset(machine.names())
        if value not in names:
            yield f"{value!r} is no status of a {machine.name}; {nearest(value, names)}"


def _unlike(field: Field, value: object) -> str:
    """Say what a field must be where a value is something else, judged by its default."""
    default = field.default
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        return "" if type(value) is int and value >= 0 else "a whole number"
    if isinstance(default, str):
        return "" if isinstance(value, str) else "a text"
    if isinstance(default, tuple):
        is_list = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return "" if is_list else "a list of texts"
    is_fine = not field.is_read or value is None or type(value) in (int, str)
    return "" if is_fine else "a text, a whole number or null"
