"""What the page of a mission shows: its hops as a path, their tool steps, its assets, a repair.

Made from a snapshot, so the same panels show the present and the past. Nothing is read here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from interlock.doors.web.chips import Chip, chip
from interlock.doors.web.outline import Piece, pieces
from interlock.doors.web.parts import Line
from interlock.kernel.machine import Machine
from interlock.kernel.seen import Part
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from interlock.service.cards import titled

WORKFLOW: Final = "mission"
SAID: Final = ("goal", "description", "rationale", "success_criteria")
"""What a proposal says, in the order in which it is read."""


class Attempt(NamedTuple):
    """An attempt of a tool step that has failed."""

    number: int
    at: int
    failure: str
    message: str


class Step(NamedTuple):
    """A tool step of a hop."""

    line: Line
    tool: str
    description: str
    tries: int
    inputs: tuple[str, ...]
    makes: tuple[str, ...]
    error: str
    attempts: tuple[Attempt, ...]


class Hop(NamedTuple):
    """A hop of the path."""

    line: Line
    sequence: int
    is_final: bool
    is_current: bool
    said: tuple[Piece, ...]
    inputs: tuple[str, ...]
    output: str
    error: str
    steps: tuple[Step, ...]


class Asset(NamedTuple):
    """Something that is made or needed: in which role, where it stands, where its content is."""

    id: str
    name: str
    role: str
    chip: Chip
    digest: str
    description: str
    # When it expires.
    until: int | None


class Mission(NamedTuple):
    """A mission as its page shows it."""

    hops: tuple[Hop, ...]
    assets: tuple[Asset, ...]
    # The hop whose failure a person may repair; none where nothing is to be repaired.
    held: Hop | None
    # When the time for the repair ends.
    until: int | None
    reset_of: str
    superseded_by: str


def mission(
    flow: Workflow, snapshot: Snapshot, lines: Sequence[Line], until: int | None = None
) -> Mission:
    """Lay a mission out; ``until`` is when the time of the mission itself is up."""
    told = {line.id: line for line in lines}
    parts = dict(zip(snapshot.ids, snapshot.parts, strict=True))
    names = {name: titled(part.fields) or name for name, part in parts.items()}
    current = str(snapshot.unit.fields.get("current") or "")
    hops = tuple(
        _hop(parts, told, names, name, is_current=name == current)
        for name, part in sorted(parts.items(), key=lambda one: _sequence(one[1]))
        if part.kind == "hop"
    )
    fields = snapshot.unit.fields
    is_held = bool(fields.get("held"))
    return Mission(
        hops=hops, assets=_assets(flow.machine("asset"), parts, snapshot.unit.fields, told),
        held=next((hop for hop in hops if hop.is_current), None) if is_held else None,
        until=until if is_held else None,
        reset_of=str(fields.get("reset_of") or ""),
        superseded_by=str(fields.get("superseded_by") or ""),
    )  # fmt: skip


def _sequence(part: Part) -> int:
    return cast("int", part.fields.get("sequence") or 0)


def _hop(
    parts: Mapping[str, Part],
    told: Mapping[str, Line],
    names: Mapping[str, str],
    name: str,
    *,
    is_current: bool,
) -> Hop:
    fields = parts[name].fields
    steps = tuple(
        _step(part, told[one], names)
        for one, part in parts.items()
        if part.kind == "tool_step" and part.parent == name
    )
    return Hop(
        line=told[name], sequence=_sequence(parts[name]), is_final=bool(fields.get("is_final")),
        is_current=is_current, said=pieces({word: fields.get(word) for word in SAID}),
        inputs=_named(cast("Iterable[object]", fields.get("inputs") or ()), names),
        output=names.get(str(fields.get("output")), ""), error=_error(fields.get("error")),
        steps=steps,
    )  # fmt: skip


def _step(part: Part, line: Line, names: Mapping[str, str]) -> Step:
    fields = part.fields
    return Step(
        line=line, tool=str(fields.get("tool") or ""),
        description=str(fields.get("description") or ""),
        tries=cast("int", fields.get("tries") or 0), inputs=_named(part.needs, names),
        makes=_named(cast("Iterable[object]", fields.get("makes") or ()), names),
        error=_error(fields.get("error")), attempts=tuple(_attempts(fields.get("attempts"))),
    )  # fmt: skip


def _attempts(told: object) -> Iterator[Attempt]:
    for one in cast("Iterable[Mapping[str, object]]", told or ()):
        number, at = cast("int", one["attempt"]), cast("int", one["at"])
        yield Attempt(number, at, str(one["class"]), str(one["message"]))


def _named(ids: Iterable[object], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(str(one), str(one)) for one in ids)


def _error(value: object) -> str:
    """Return what went wrong, in a sentence where one was given."""
    if isinstance(value, Mapping):
        return str(value.get("message") or value)
    return str(value or "")


def _assets(
    machine: Machine,
    parts: Mapping[str, Part],
    fields: Mapping[str, object],
    told: Mapping[str, Line],
) -> tuple[Asset, ...]:
    outputs = set(map(str, cast("Iterable[object]", fields.get("outputs") or ())))
    made = {
        str(one)
        for part in parts.values()
        for one in cast("Iterable[object]", part.fields.get("makes") or ())
    }
    return tuple(
        Asset(
            name,
            titled(part.fields) or name,
            _role(name, part, outputs, made),
            chip(machine, part.status),
            str(part.fields.get("content") or ""),
            str(part.fields.get("description") or ""),
            told[name].until,
        )
        for name, part in parts.items()
        if part.kind == "asset"
    )


def _role(name: str, part: Part, outputs: set[str], made: set[str]) -> str:
    """Return what an asset is to the mission; a role belongs to the relation, not to the asset."""
    if name in outputs:
        return "output"
    if part.parent is not None:
        return "scratch"
    return "intermediate" if name in made else "input"
