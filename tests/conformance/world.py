"""The model: units in memory, changed by the kernel alone, answering as the service must."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from interlock.kernel.decide import decide
from interlock.kernel.look import look, next_part
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.replay import apply
from interlock.kernel.seen import Actor, Event, PartId
from interlock.kernel.snapshot import Condition, Snapshot, begin, new_part
from interlock.kernel.workflow import Workflow
from interlock.service.around import read_condition
from interlock.service.create import NewUnit
from interlock.service.engine import Principal
from interlock.service.order import Asked, fence_of
from interlock.store.rows import part_id, unit_of
from interlock.store.script import Key
from interlock.workflows.built_in import BUILT_IN
from tests.conformance.compare import frozen

HERE: Final = "@here"
"""Stands for the incarnation of whatever database a command is sent to."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: events for a unit, or a new unit."""

    by: Principal
    unit: str
    asked: tuple[Asked, ...]
    key: Key | None = None
    version: int | None = None
    new: NewUnit | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What is said to a command: a code, and where things stand then."""

    code: str
    status: str = ""
    part: str = ""
    part_status: str = ""
    is_replay: bool = False


class No(Exception):
    """The command is refused with a code."""


@dataclass(slots=True)
class Kept:
    """A unit as the model has it; ``made`` counts its parts, also those that are gone."""

    flow: Workflow
    snapshot: Snapshot
    made: int

    @property
    def is_over(self) -> bool:
        """Whether the unit has ended."""
        return self.snapshot.unit.status in self.flow.table.terminal


@dataclass(slots=True)
class World:
    """All units of all tenants, and the answers that were given to request ids."""

    units: dict[tuple[str, str], Kept] = field(default_factory=dict)
    keys: dict[tuple[str, str, str], tuple[str, Said]] = field(default_factory=dict)
    # The command that a request id was last sent with, so that it can be sent again.
    sent: dict[tuple[str, str, str], Command] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)

    def next_name(self, workflow: str) -> str:
        """Return the name that the next unit of a workflow gets."""
        return f"{workflow}-{self.named.get(workflow, 0) + 1:012d}"

    def play(self, command: Command) -> Said:
        """Carry a command out; return what is said to it."""
        key = None
        if command.key is not None:
            key = (command.by.tenant, command.by.id, command.key.request)
            self.sent[key] = command
        try:
            said = self._play(command, key)
        except No as no:
            return Said(str(no))
        if key is not None and command.key is not None and not said.is_replay:
            self.keys[key] = (command.key.asked, said)
        return said

    def _play(self, command: Command, key: tuple[str, str, str] | None) -> Said:
        if command.new is not None:
            return self._make(command, command.new, key)
        held = self.units.get((command.by.tenant, command.unit))
        about = next((one.part for one in command.asked if one.part), command.unit)
        if held is None or unit_of(about) != command.unit:
            raise No("NOT_FOUND")
        if key is not None and key in self.keys:
            return self._again(command, key)
        if command.version is not None:
            raise No("STALE_VERSION")
        return self._send(command, held)

    def _again(self, command: Command, key: tuple[str, str, str]) -> Said:
        asked, said = self.keys[key]
        if command.key is not None and command.key.asked != asked:
            raise No("IDEMPOTENCY_MISMATCH")
        return replace(said, is_replay=True)

    def _make(self, command: Command, new: NewUnit, key: tuple[str, str, str] | None) -> Said:
        # A name is drawn before anybody knows whether it is needed.
        unit = self.next_name(new.workflow)
        self.named[new.workflow] = self.named.get(new.workflow, 0) + 1
        if key is not None and key in self.keys:
            return self._again(command, key)
        flow = BUILT_IN[new.workflow].flow
        snapshot = first_snapshot(flow, unit, new)
        self.units[command.by.tenant, unit] = Kept(flow, snapshot, len(snapshot.parts))
        return Said("OK", snapshot.unit.status)

    def _send(self, command: Command, held: Kept) -> Said:
        flow = held.flow
        now = Kept(flow, held.snapshot, held.made)
        part, is_done = "", False
        for asked in command.asked:
            name = _part(flow, now.snapshot, asked)
            if name is None and (asked.kind or asked.part is not None):
                if asked.is_optional:
                    continue
                raise No("EMPTIED" if asked.kind else "NOT_FOUND")
            try:
                event = asked_event(asked, name, command.by.actor())
                self._decide(flow, now, command.unit, event)
            except No:
                if not asked.is_optional:
                    raise
                continue
            part, is_done = name or "", True
        if not is_done:
            raise No("EMPTIED")
        self.units[command.by.tenant, command.unit] = now
        stands = now.snapshot.part(part).status if part in now.snapshot.ids else ""
        return Said("OK", now.snapshot.unit.status, part if stands else "", stands)

    def _decide(self, flow: Workflow, now: Kept, unit: str, event: Event) -> None:
        def name_of(kind: str, number: int) -> str:
            del kind, number
            now.made += 1
            return part_id(unit, now.made)

        try:
            decision = decide(flow, look(flow, now.snapshot, event), event)
        except Refusal as no:
            raise No(no.code) from no
        except BrokenTable as broken:
            raise No("CORRUPT_STATE") from broken
        after = apply(flow, now.snapshot, decision, name_of)
        now.snapshot = _without_loose_ends(after)

    def probe(self, command: Command) -> tuple[bool, bool]:
        """Say whether a command would be accepted, and whether it would end its unit."""
        place = (command.by.tenant, command.unit)
        before = self.units[place]
        try:
            self._send(command, before)
        except No:
            return False, False
        is_end = self.units[place].is_over and not before.is_over
        self.units[place] = before
        return True, is_end


def _part(flow: Workflow, snapshot: Snapshot, asked: Asked) -> str | None:
    if asked.kind:
        head = next_part(flow, snapshot, flow.kind(asked.kind))
        return None if head is None else str(head)
    return asked.part if asked.part in snapshot.ids else None


def asked_event(asked: Asked, part: str | None, actor: Actor) -> Event:
    """Return the event that the kernel decides."""
    args: Mapping[str, object] = asked.args
    if asked.lease:
        args = {**args, "fence": fence_of(asked.lease, HERE)}
    return Event(asked.event, actor, part, args)


def first_snapshot(flow: Workflow, unit: str, new: NewUnit) -> Snapshot:
    """Return a unit as it begins."""
    ids = tuple(part_id(unit, place + 1) for place in range(len(new.parts)))
    parts = tuple(
        new_part(
            flow, one.kind, one.fields,
            parent=None if one.parent is None else ids[one.parent],
            needs=tuple(ids[place] for place in one.needs),
        )
        for one in new.parts
    )  # fmt: skip
    conditions: dict[PartId, tuple[Condition, ...]] = {}
    for row in new.branches:
        target = None if row.target is None else ids[row.target]
        from_text = _condition(flow, row.expression, row.action, row.params, target)
        conditions[ids[row.part]] = (*conditions.get(ids[row.part], ()), from_text)
    first = begin(flow, unit=new.fields)
    return replace(first, parts=parts, ids=ids, conditions=conditions)


def _condition(
    flow: Workflow, text: str, action: str, params: Mapping[str, object], target: str | None
) -> Condition:
    told = frozen(params)
    return Condition(
        read_condition(flow, text), action, told if isinstance(told, dict) else {}, target
    )


def _without_loose_ends(snapshot: Snapshot) -> Snapshot:
    """Take away branches that hang on a part that is gone, or lead to one."""
    ids = set(snapshot.ids)
    kept: dict[PartId, tuple[Condition, ...]] = {
        part: tuple(row for row in rows if row.target is None or row.target in ids)
        for part, rows in snapshot.conditions.items()
        if part in ids
    }
    return snapshot.with_conditions(kept)
