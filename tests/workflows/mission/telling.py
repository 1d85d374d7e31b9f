"""How the stories of missions are told: a snapshot in a line, an event in a line, what changed.

A snapshot is ``STATUS field=value; part STATUS field=value; ...``: what a part is, its name says
(``h`` hop, ``s`` tool step under hop ``h``, all else an asset). An event is ``actor event part
field=value``. What changed is told in full: a status as ``part STATUS``, a field as
``part.field=value``, a new part with a plus, one that is gone with a minus; a refusal as its code.
An attempt is told as ``number:class``, and an error that has a class as that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.refusal import Refusal
from interlock.kernel.replay import apply
from interlock.kernel.seen import Actor, Event, Part, PartId, Unit
from interlock.kernel.snapshot import Snapshot, new_part
from interlock.kernel.workflow import Workflow

TUPLES = frozenset({"ready", "outputs", "inputs", "makes", "needs"})
WORDS: Mapping[str, object] = {"True": True, "False": False, "None": None}
AGENT = "a"
"""The session of the agent that holds leases in the stories; a stranger has another one."""
ACTORS = {
    "user": Actor("user", "person"),
    "agent": Actor("agent", "agent", AGENT),
    "stranger": Actor("agent", "stranger", "z"),
    "worker": Actor("worker", "worker", "w"),
    "system": Actor("system", "system"),
}


@dataclass(frozen=True, slots=True)
class Story:
    """Given a snapshot, when an event comes, then this is what changes, or why it is refused."""

    name: str
    given: str
    when: str
    then: str
    args: Mapping[str, object] = field(default_factory=dict)

    @property
    def event(self) -> str:
        """The name of the event."""
        return self.when.split()[1]

    @property
    def is_refused(self) -> bool:
        """Whether the event is refused: then nothing is told but a code."""
        return self.then.replace("_", "").isalpha() and self.then.isupper()


def tell(flow: Workflow, story: Story) -> str:
    """Return what is wrong with a story as a workflow has it; the empty string if nothing is."""
    try:
        happened = outcome(flow, story)
    except Exception as error:  # noqa: BLE001  a workflow that lacks a row may break in any way
        happened = {f"{type(error).__name__}: {error}"}
    expected = {part.strip() for part in story.then.split(";") if part.strip()}
    if happened == expected:
        return ""
    return (
        f"{story.name}: {'; '.join(sorted(happened)) or 'nothing'}, not {story.then or 'nothing'}"
    )


def outcome(flow: Workflow, story: Story) -> set[str]:
    """Return what an event changes, or the code it is refused with."""
    before = snapshot(flow, story.given)
    event = read_event(story.when, story.args)
    try:
        decision = decide(flow, look(flow, before, event), event)
    except Refusal as refusal:
        return {refusal.code}
    after = apply(flow, before, decision, lambda kind, number: f"{kind}{number}")
    return set(changes(flow, before, after))


def snapshot(flow: Workflow, text: str) -> Snapshot:
    """Read a snapshot."""
    head, *rows = [part.split() for part in text.split(";")]
    fields = {**flow.defaults(), "shown": "d", **read_fields(head[1:])}
    parts = tuple(_part(flow, row) for row in rows)
    return Snapshot(Unit(head[0], fields), parts, tuple(row[0] for row in rows))


def _part(flow: Workflow, row: list[str]) -> Part:
    name, status, *told = row
    kind = {"h": "hop", "s": "tool_step"}.get(name[0], "asset")
    fields = read_fields(told)
    needs = fields.pop("needs", ())
    parent = fields.pop("under", "h" if kind == "tool_step" else None)
    assert isinstance(needs, tuple)
    assert parent is None or isinstance(parent, str)
    if kind == "hop":
        fields = {"shown": "d", "concept": "d", **fields}
    blank = new_part(flow, kind, fields, parent=parent, needs=needs)
    return Part(kind, status, blank.fields, parent, needs)


def read_fields(words: list[str]) -> dict[str, object]:
    """Read ``name=value`` words; a bare name is true."""
    pairs = [word.partition("=")[::2] for word in words]
    return {name: _value(name, text) for name, text in pairs}


def _value(name: str, text: str) -> object:
    if name in TUPLES:
        return tuple(text.split(",")) if text else ()
    if not text:
        return True
    return int(text) if text.isdigit() else WORDS.get(text, text)


def read_event(text: str, args: Mapping[str, object]) -> Event:
    """Read an event."""
    actor, name, *words = text.split()
    part: PartId | None = None
    if words and "=" not in words[0]:
        part = words.pop(0)
    return Event(name, ACTORS[actor], part, {**read_fields(words), **args})


def changes(flow: Workflow, before: Snapshot, after: Snapshot) -> list[str]:
    """Tell what changed between two snapshots."""
    told = _thing("unit", before.unit, after.unit)
    old = dict(zip(before.ids, before.parts, strict=True))
    new = dict(zip(after.ids, after.parts, strict=True))
    told += [f"-{name}" for name in old if name not in new]
    for name, part in new.items():
        was = old.get(name)
        if was is None:
            told.append(f"+{name} {part.status}" + (f" under {part.parent}" if part.parent else ""))
            was = Part(part.kind, part.status, flow.kind(part.kind).defaults())
        told += _thing(name, was, part)
        if was.needs != part.needs:
            told.append(f"{name}.needs={_text(part.needs)}")
    return told


def _thing(name: str, before: Unit | Part, after: Unit | Part) -> list[str]:
    told = [] if before.status == after.status else [f"{name} {after.status}"]
    told += [
        f"{name}.{key}={_text(value)}"
        for key, value in after.fields.items()
        if value != before.fields[key]
    ]
    return told


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    if isinstance(value, Mapping) and "class" in value:
        return f"{value['attempt']}:{value['class']}"
    if isinstance(value, Mapping):
        return ",".join(f"{key}:{one}" for key, one in value.items())
    return str(value)
