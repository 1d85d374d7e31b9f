"""The parts of a unit as lines: where each stands, what it came to, who works on it until when.

Made from a snapshot, so that the same lines show the present and any moment of the past.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from interlock.doors.web.chips import Chip, chip
from interlock.kernel.machine import Machine
from interlock.kernel.seen import Part
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from interlock.service.cards import titled
from interlock.store.gates import GateRow
from interlock.store.rows import part_id

SORTS: Final = ("step_type", "tool", "role")
COME_TO: Final = ("failure", "error", "summary")
"""The fields of parts that say of which sort they are, and what they came to."""

NOTE_MAX: Final = 240


class Line(NamedTuple):
    """One part as it is listed."""

    id: str
    order: int
    depth: int
    title: str
    sort: str
    chip: Chip
    is_ended: bool
    come_to: str
    confidence: object
    attempt: int
    # What it depends on, and which of that is not done yet.
    needs: tuple[int, ...]
    waits: tuple[int, ...]
    holder: str
    until: int | None
    is_silent: bool
    gate: str


class Around(NamedTuple):
    """What is known beside a snapshot: when claims run out, and which gates are open."""

    due: Mapping[str, int]
    gates: Sequence[GateRow]


NOTHING: Final = Around({}, ())
"""What is known beside a snapshot of the past."""


def lines(flow: Workflow, snapshot: Snapshot, around: Around = NOTHING) -> list[Line]:
    """Tell the parts of a unit in their order, each below the one that it belongs to."""
    open_gates = {part_id(one.unit, one.part): one.id for one in around.gates if one.is_open}
    orders = {str(name): order for order, name in enumerate(snapshot.ids, 1)}
    closed = {kind.name: kind.closed for kind in flow.parts}
    done = {
        order for order, part in enumerate(snapshot.parts, 1) if part.status in closed[part.kind]
    }
    # There are few machines and statuses, and may be a thousand parts.
    machines = {machine.name: _chips(machine) for machine in flow.machines()}
    children: dict[str | None, list[int]] = {}
    for place, part in enumerate(snapshot.parts):
        children.setdefault(None if part.parent is None else str(part.parent), []).append(place)

    def tell(above: str | None, depth: int) -> Iterator[Line]:
        for place in children.get(above, ()):
            part, name = snapshot.parts[place], snapshot.ids[place]
            look, is_ended = machines[part.kind][part.status]
            line = _line(part, name, (orders, depth), (look, is_ended), around, open_gates)
            yield line if done.isdisjoint(line.waits) else _without(line, done)
            yield from tell(name, depth + 1)

    return list(tell(None, 0))


def _chips(machine: Machine) -> dict[str, tuple[Chip, bool]]:
    return {row.name: (chip(machine, row.name), row.kind == "terminal") for row in machine.statuses}


def _line(
    part: Part,
    name: str,
    place: tuple[Mapping[str, int], int],
    shown: tuple[Chip, bool],
    around: Around,
    gates: Mapping[str, str],
) -> Line:
    fields, (orders, depth), (look, is_ended) = part.fields, place, shown
    attempt = fields.get("attempt")
    needs = tuple(sorted(orders[str(need)] for need in part.needs if str(need) in orders))
    return Line(
        id=name, order=orders[name], depth=depth, title=titled(fields) or _unnamed(part, name),
        sort=_first(fields, SORTS) or part.kind, chip=look, is_ended=is_ended,
        come_to=_first(fields, COME_TO)[:NOTE_MAX] if is_ended else "",
        confidence=_rounded(fields.get("confidence")),
        attempt=attempt if isinstance(attempt, int) else 1,
        needs=needs, waits=needs,
        holder=str(fields.get("holder") or ""), until=around.due.get(name),
        is_silent=bool(fields.get("lapsed")), gate=gates.get(name, ""),
    )  # fmt: skip


def _without(line: Line, done: set[int]) -> Line:
    """Return a line that waits only for what is not done."""
    return line._replace(waits=tuple(order for order in line.waits if order not in done))


def _unnamed(part: Part, name: str) -> str:
    """Call a part by what is to be done and by whom, else by its number."""
    task, member = part.fields.get("task"), part.fields.get("member")
    if task:
        return f"{task}, {member}" if member else str(task)
    return f"{part.kind.replace('_', ' ')} {name.rpartition('.')[2]}"


def _rounded(value: object) -> object:
    return round(value, 2) if isinstance(value, float) else value


def _first(fields: Mapping[str, object], names: Sequence[str]) -> str:
    return next((str(fields[name]) for name in names if fields.get(name)), "")
