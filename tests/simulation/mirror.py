"""What the audit says, entry by entry, beside the engine: units as they must stand, and what is odd.

This is no replay of ours: it knows no rules. It keeps statuses and leases by what the entries say,
for actors to choose by, and says at once what no history of ours may say: a gap, an edge that does
not exist, a part with two holders, a lease that ended too soon, an end that was no end.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from interlock.kernel.rules import SYSTEM, USER
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running
from interlock.store.chain import genesis, linked

NAMED: Final = "request"
"""Under this name an entry says which command it belongs to: once for each command."""

KEPT: Final = ("fence", "holder", "lapsed", "shown", "policy", "review_policy")
"""The fields that actors choose by."""

TAKES_OVER: Final = "take_over"

Stand = tuple[str, str, str]
"""Where something stands: its workflow, its kind, its status."""


class Row(NamedTuple):
    """An entry as a store has it."""

    tenant: str
    unit: str
    sequence: int
    body: str
    hash: str


@dataclass(slots=True)
class Thing:
    """A unit or a part: where it stands, some of its fields, and the gate it waits at."""

    name: str
    kind: str
    status: str
    fields: dict[str, Any] = field(default_factory=dict)
    gate: str = ""
    # What it needs, as far as it is there; where it was before it came here and by which
    # entry it did, and what was shown.
    needs: tuple[str, ...] = ()
    came: str = ""
    moved: int = 0
    shown_before: str = ""
    # Until when its holder was told that it is theirs, and with which fence.
    until: int = 0
    told: int = 0

    @property
    def fence(self) -> int:
        """The number of its last claim."""
        return int(self.fields.get("fence") or 0)

    @property
    def shown(self) -> str:
        """The digest of what is to be decided on."""
        return str(self.fields.get("shown") or "")


@dataclass(slots=True)
class Unit:
    """A unit with its parts, and the hash of each entry."""

    tenant: str
    flow: Workflow
    me: Thing
    parts: dict[str, Thing] = field(default_factory=dict)
    hashes: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.me.status in self.flow.table.terminal


class Mirror:
    """All units, as the audit tells of them."""

    def __init__(self, flows: Mapping[str, Running]) -> None:
        """Begin with none."""
        self.flows = flows
        self.units: dict[str, Unit] = {}
        self.findings: list[str] = []
        # By command: how many entries it has left, how often it says its name, what it claimed.
        self.entries: Counter[str] = Counter()
        self.named: Counter[str] = Counter()
        self.claims: Counter[str] = Counter()
        # By command: the fence that its part had when it was carried out, and whose unit it was.
        self.fences: dict[tuple[str, str], int] = {}
        self.owners: dict[str, str] = {}
        # By command and thing: what was shown for a decision before it was carried out, at a gate.
        self.shown: dict[tuple[str, str], str | None] = {}
        # By command its first entry; by gate the command that closed it, and the entry.
        self.begun: dict[str, int] = {}
        self.closed: dict[str, tuple[str, int]] = {}
        self._heard: list[str] = []
        self.events: Counter[str] = Counter()
        # How often something came to stand where: workflow, kind, status.
        self.reached: Counter[Stand] = Counter()
        # Added to the time of an entry to get the time that actors go by.
        self.shift = 0
        self.slack = 0

    def find(self, about: str, what: str) -> None:
        """Note something that must not be."""
        self.findings.append(f"{about}: {what}")

    def live(self, tenant: str) -> list[Unit]:
        """Return the units of a tenant that have not ended."""
        return [one for one in self.units.values() if one.tenant == tenant and not one.is_over]

    def first_heard(self) -> list[str]:
        """Return the commands that the audit has told of since one last asked."""
        heard, self._heard = self._heard, []
        return heard

    def take(self, row: Row) -> None:
        """Take the next entry of a unit."""
        body = json.loads(row.body)
        unit = self.units.get(row.unit)
        if unit is None:
            unit = self._begin(row, body)
        self._link(unit, row)
        self.events[body["event"]] += 1
        tag = body["actor"].get("channel", "")
        if tag:
            self._sign(unit, tag, body)
        elif body["actor"]["kind"] != SYSTEM:
            self.find(row.unit, f"nobody of ours did {body['event']} (entry {row.sequence})")
        self._apply(unit, body, row.sequence)

    def _begin(self, row: Row, body: dict[str, Any]) -> Unit:
        flow = self.flows[row.unit.partition("-")[0]].flow
        unit = Unit(row.tenant, flow, Thing(row.unit, flow.unit.name, str(body.get("target"))))
        self.units[row.unit] = unit
        if body["change"] != "begin":
            self.find(row.unit, f"begins with {body['change']}")
        return unit

    def _link(self, unit: Unit, row: Row) -> None:
        before = unit.hashes[-1] if unit.hashes else genesis(row.tenant, row.unit)
        if row.sequence != len(unit.hashes) + 1:
            self.find(row.unit, f"entry {row.sequence} follows {len(unit.hashes)}")
        if row.tenant != unit.tenant or row.hash != linked(before, row.body):
            self.find(row.unit, f"entry {row.sequence} does not hang on the one before")
        unit.hashes.append(row.hash)

    def _sign(self, unit: Unit, tag: str, body: dict[str, Any]) -> None:
        if tag not in self.entries:
            self._heard.append(tag)
        self.entries[tag] += 1
        self.named[tag] += body.get(NAMED) == tag
        self.claims[tag] += "fence" in body.get("set", ())
        self.owners[tag] = unit.tenant
        self.begun.setdefault(tag, len(unit.hashes))
        me = unit.me
        self.shown.setdefault((tag, me.name), me.shown if me.gate else None)
        for name in body.get("ids", ()):
            part = unit.parts.get(name)
            if part is not None:
                self.fences.setdefault((tag, name), part.fence)
                self.shown.setdefault((tag, name), part.shown if part.gate else None)
        if max(self.named[tag], self.claims[tag]) > 1:
            self.find(unit.me.name, f"{tag} happened twice")

    # -- what changes --------------------------------------------------------------------------

    def _apply(self, unit: Unit, body: dict[str, Any], sequence: int) -> None:
        change = body["change"]
        if change == "begin":
            self._enter(unit.me, body["target"], body["fields"], f"{unit.me.name}:{sequence}")
            return
        if change == "new":
            for part in body["ids"]:
                thing = unit.parts[part] = Thing(part, body["kind"], "")
                thing.needs = tuple(body.get("needs", ()))
                self._enter(thing, body["target"], body["fields"], f"{part}:{sequence}")
            return
        for thing in self._about(unit, body, sequence):
            if "fence" in body.get("set", ()):
                self._claim(thing, body["set"]["fence"], body["event"])
            if change == "move":
                self._begin_work(unit, thing, body)
                self._move(unit, thing, body, sequence)
            elif change == "drop":
                del unit.parts[thing.name]
            self._write(unit, thing, body)

    def _about(self, unit: Unit, body: dict[str, Any], sequence: int) -> list[Thing]:
        """Return what an entry is about; whatever it speaks of must be there."""
        about = [unit.me] if body.get("unit") else []
        for part in body.get("ids", ()):
            if part in unit.parts:
                about.append(unit.parts[part])
            elif body["change"] != "note":
                self.find(unit.me.name, f"entry {sequence} speaks of {part}, which there is not")
        return about

    def _enter(self, thing: Thing, status: str, fields: Mapping[str, Any], gate: str) -> None:
        thing.status = status
        thing.fields.update({one: fields[one] for one in KEPT if one in fields})
        flow = thing.name.partition("-")[0]
        self.reached[flow, thing.kind, status] += 1
        running = self.flows[flow]
        if (thing.kind, status) in running.gates:
            thing.gate = gate

    def _claim(self, thing: Thing, fence: int, event: str) -> None:
        is_held = thing.fields.get("holder") is not None and not thing.fields.get("lapsed")
        if fence != thing.fence + 1:
            self.find(thing.name, f"fence {fence} follows {thing.fence}")
        if is_held and event != TAKES_OVER:
            self.find(thing.name, f"has two holders ({event})")

    def _begin_work(self, unit: Unit, thing: Thing, body: dict[str, Any]) -> None:
        """Work that is begun by whoever takes it waits for nothing that is there.

        What somebody had begun already is put back and begun again in one command.
        """
        tag = body["actor"].get("channel", "")
        if "fence" not in body.get("set", ()) or thing.moved >= self.begun.get(tag, 0):
            return
        for name in thing.needs:
            need = unit.parts.get(name)
            if need is not None and need.status not in unit.flow.kind(need.kind).closed:
                told = f"was begun, and needs {name}, which is {need.status} ({body['event']})"
                self.find(thing.name, told)

    def _move(self, unit: Unit, thing: Thing, body: dict[str, Any], sequence: int) -> None:
        source, signal, target = body["source"], body["signal"], body["target"]
        at = f"entry {sequence}, {body['event']}"
        if source != thing.status:
            self.find(thing.name, f"moves from {source} and stood at {thing.status} ({at})")
        edge = unit.flow.table.edges[thing.kind].get((source, signal))
        if edge is None or (edge.target[0] != "@" and edge.target != target):
            self.find(thing.name, f"{source} --{signal}--> {target} is no edge ({at})")
        if edge is not None and edge.target[0] == "@" and target != thing.came:
            self.find(thing.name, f"goes back to {target}, and came from {thing.came} ({at})")
        is_unit = thing is unit.me
        if is_unit and source in unit.flow.table.terminal and body["actor"]["kind"] != USER:
            self.find(thing.name, f"left its end {source} without a person ({at})")
        if source != target:
            if thing.gate:
                tag = body["actor"].get("channel", "")
                self.closed[thing.gate] = (tag, sequence)
                thing.gate = ""
            thing.came = source
            cleared = unit.flow.table.ended(thing.kind, source, target)
            thing.fields.update({one: value for one, value in cleared.items() if one in KEPT})
        thing.moved = sequence
        self._enter(thing, target, {}, f"{thing.name}:{sequence}")

    def _write(self, unit: Unit, thing: Thing, body: dict[str, Any]) -> None:
        written = body.get("set")
        if not written:
            return
        at, event = body["at"] + self.shift, body["event"]
        is_told = thing.told == thing.fence and thing.until
        if written.get("lapsed") and is_told and at + self.slack < thing.until:
            early = thing.until - at
            self.find(thing.name, f"its lease ended {early} ms before its time ({event})")
        if "shown" in written:
            thing.shown_before = thing.shown
        thing.fields.update({one: value for one, value in written.items() if one in KEPT})
        if "shown" in written and thing.gate:
            thing.gate = f"{thing.name}:{len(unit.hashes)}"
