"""Plant a snapshot in a store: the rows that say so, and an audit that begins there.

Planted is what a store would hold if the unit had come to where it stands; how it came there is
left out. One planting serves many tenants: only the hashes of the audit differ.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from interlock.kernel.gates import policy_of
from interlock.kernel.replay import begun
from interlock.kernel.seen import Actor, Part
from interlock.kernel.snapshot import Snapshot, waits
from interlock.kernel.tally import tally
from interlock.service.cards import card_of
from interlock.service.engine import Running
from interlock.service.gates import Moment, at_gates, gated
from interlock.service.record import begun_texts, read_body
from interlock.store.chain import chain, genesis
from interlock.store.gates import Opened
from interlock.store.rows import ORD_GAP, PartRow, UnitRow, dump, part_number
from interlock.store.script import Change, Condition, Script

PLANTED_MS: Final = 7_777
"""How long a timer that was planted has left: as long as none that begins anew."""

GARDENER = Actor("system", "gardener")


@dataclass(slots=True)
class Planting:
    """A unit that stands as a snapshot says, ready to be planted."""

    running: Running
    unit: str
    snapshot: Snapshot
    at: int
    rows: tuple[PartRow, ...] = field(init=False)
    bodies: tuple[str, ...] = field(init=False)
    takes: str = field(init=False)

    def __post_init__(self) -> None:
        """Make the rows, once for all tenants."""
        self.rows = tuple(part_rows(self.running, self.snapshot))
        records = begun(self.running.flow, self.snapshot, GARDENER, self.at)
        self.bodies = tuple(begun_texts(records, {}))
        self.takes = taken(self.running, self.snapshot)

    def due(self) -> dict[str, int]:
        """Return when the timers run out that run as it is planted."""
        flow, unit = self.running.flow, self.snapshot.unit
        found = {row.id: self.at + PLANTED_MS for row in self.rows if self._is_timed(row)}
        if flow.timer is not None and flow.timer.lasts_ms(unit):
            found[self.unit] = self.at + PLANTED_MS
        return found

    def _is_timed(self, row: PartRow) -> bool:
        timer = self.running.flow.kind(row.part.kind).timer
        is_open = self._ended_at() is None
        return is_open and timer is not None and bool(timer.lasts_ms(row.part))

    @property
    def version(self) -> int:
        """The version that the unit is planted with."""
        return len(self.bodies)

    def script(self, tenant: str) -> Script:
        """Plant the unit for a tenant."""
        yield from ()
        return self._change(tenant)

    def _change(self, tenant: str) -> Change:
        entries = tuple(chain(genesis(tenant, self.unit), 0, self.at, self.bodies))
        row = UnitRow(
            self.unit, self.running.flow.name, self.running.digest, self.snapshot.unit,
            tally(self.snapshot.parts), self.version, entries[-1].hash, len(self.rows),
            self.takes, self.at, self.at, self._ended_at(),
        )  # fmt: skip
        return Change(
            tenant, 0, row, entries, self.at, body=dump(self.snapshot.unit.fields), made=self.rows,
            links=tuple(self._links()), conditions=tuple(self._conditions()), opened=self._gates(),
            card=card_of(self.running.flow.held, self.unit, self.snapshot.unit.fields, self.at),
            leases={row.number: PLANTED_MS for row in self.rows if self._is_timed(row)},
            lasts=PLANTED_MS if self.unit in self.due() else None,
        )  # fmt: skip

    def _gates(self) -> tuple[Opened, ...]:
        """Return the gates that the unit and its parts stand at."""
        unit = self.snapshot.unit
        moved = at_gates(
            self.running, (None, unit), dict.fromkeys(row.id for row in self.rows),
            {row.id: row for row in self.rows},
        )  # fmt: skip
        bodies = [read_body(text) for text in self.bodies]
        told = Moment(self.unit, GARDENER, self.at, 0, bodies, policy_of(unit.fields))
        return gated(self.running, moved, told).opened

    def _ended_at(self) -> int | None:
        is_over = self.snapshot.unit.status in self.running.flow.table.terminal
        return self.at if is_over else None

    def _links(self) -> Iterator[tuple[int, int, int]]:
        for number, part in enumerate(self.snapshot.parts, 1):
            for place, need in enumerate(part.needs):
                yield number, part_number(str(need)), place

    def _conditions(self) -> Iterator[Condition]:
        for part, rows in self.snapshot.conditions.items():
            for place, row in enumerate(rows, 1):
                target = None if row.target is None else part_number(str(row.target))
                yield Condition(
                    part_number(str(part)), place, row.expression.source, row.action,
                    dump(row.params), target,
                )  # fmt: skip


def part_rows(running: Running, snapshot: Snapshot) -> Iterator[PartRow]:
    """Yield the rows of a snapshot's parts, every column as it ought to be."""
    flow = running.flow
    feeds = Counter(need for part in snapshot.parts for need in part.needs)
    for place, part in enumerate(snapshot.parts):
        name = str(snapshot.name(place))
        held = waits(flow, snapshot, part)
        queue = running.queues.get(part.kind)
        bare = Part(part.kind, part.status, part.fields, part.parent)
        yield PartRow(
            name, part_number(name), bare, (place + 1) * ORD_GAP, held, feeds[name],
            len(snapshot.conditions.get(name, ())),
            None if queue is None else queue.rank(part, held),
            part.kind if part.status in flow.kind(part.kind).alone else None,
        )  # fmt: skip


def taken(running: Running, snapshot: Snapshot) -> str:
    """Name the kinds whose queues may hand something out."""
    counts = tally(snapshot.parts)
    queues = running.queues.items()
    return ",".join(kind for kind, queue in queues if queue.takes(snapshot.unit, counts))
