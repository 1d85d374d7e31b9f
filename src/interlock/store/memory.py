"""What this process remembers of the units it last committed, so that it need not load them again.

Deciding from memory is safe: the unit's version guards every commit, and nothing that a decision
reads changes without the version. A refusal decided from memory is decided again from the
database, because no commit guards it. Only what was committed is remembered.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from interlock.store.port import Recall
from interlock.store.rows import PartRow, UnitRow, part_id
from interlock.store.script import Around, Change, Found, Kinds, Load, Loaded, Surroundings
from interlock.store.weight import part_weight, unit_weight

BYTES_MAX: Final = 32 * 1024 * 1024
"""How much memory all of it takes at most: some 20,000 parts, or fewer large ones."""
UNITS_MAX: Final = 4096
PARTS_MAX: Final = 64
"""How many parts of one unit are remembered: as many as may be worked on at once."""

Queue = tuple[str, str]
"""Where parts of a kind wait in one status."""


class Remembered:
    """One unit: its row, some of its parts, and the heads of its queues where they are known."""

    __slots__ = ("_weight", "_weights", "bytes", "heads", "parts", "row")

    def __init__(self, row: UnitRow) -> None:
        """Begin with the unit alone."""
        self.row = row
        self.bytes = self._weight = unit_weight(row)
        self.parts: OrderedDict[str, PartRow] = OrderedDict()
        self._weights: dict[str, int] = {}
        # Names of parts that are remembered; None where nothing is offered. What is not here is
        # not known.
        self.heads: dict[Queue, str | None] = {}

    def renew(self, row: UnitRow, *, is_new: bool) -> None:
        """Remember the unit as it stands now; it is weighed where its body is new."""
        if is_new:
            before, self._weight = self._weight, unit_weight(row)
            self.bytes += self._weight - before
        self.row = row

    def found(self, kinds: Kinds) -> Found:
        """Return the heads of queues that are known."""
        found = {}
        for kind, statuses in kinds:
            heads = [self.head(kind, status) for status in statuses]
            found[kind] = tuple([head for head in heads if head is not None])
        return found

    def head(self, kind: str, status: str) -> PartRow | None:
        """Return the head of a queue that is known."""
        name = self.heads[kind, status]
        return None if name is None else self.parts[name]

    def keep_head(self, kind: str, status: str, part: PartRow | None) -> None:
        """Remember the head of one queue, or that there is none."""
        if part is not None:
            self.keep(part)
        self.heads[kind, status] = None if part is None else part.id

    def keep_heads(self, kinds: Kinds, heads: Found) -> None:
        """Remember the heads of some queues."""
        for kind, statuses in kinds:
            for status in statuses:
                self.heads[kind, status] = None
            for part in heads.get(kind, ()):
                self.keep_head(kind, part.part.status, part)

    def keep(self, part: PartRow, *, is_new: bool = True) -> None:
        """Remember a part as it stands now; it is weighed where its body is new, or it is."""
        before = self._weights.get(part.id)
        if is_new or before is None:
            weight = self._weights[part.id] = part_weight(part)
            self.bytes += weight - (before or 0)
        self.parts[part.id] = part
        self.parts.move_to_end(part.id)
        if len(self.parts) > PARTS_MAX:
            self.drop(next(iter(self.parts)))

    def drop(self, name: str) -> None:
        """Forget a part, and that it is the head of a queue."""
        part = self.parts.pop(name, None)
        if part is None:
            return
        self.bytes -= self._weights.pop(name)
        for queue in [queue for queue, head in self.heads.items() if head == name]:
            del self.heads[queue]


class Memory:
    """The units this process last committed, the longest unused forgotten first."""

    def __init__(self, incarnation: str) -> None:
        """Begin knowing nothing."""
        self.incarnation = incarnation
        # How often what was asked for was remembered, and how often not.
        self.hits = self.misses = 0
        self._units: OrderedDict[tuple[str, str], Remembered] = OrderedDict()
        # What all of them take.
        self.bytes = 0

    def count(self, *, is_hit: bool) -> None:
        """Count an answer from memory, or one that had to be looked up."""
        if is_hit:
            self.hits += 1
        else:
            self.misses += 1

    def recall(self) -> Recall:
        """Say how well it serves, and what it takes."""
        return Recall(self.hits, self.misses, self.bytes)

    def find(self, tenant: str, ask: Load) -> Remembered | None:
        """Return a unit if it and the part are remembered; not all the heads need be."""
        known = self._units.get((tenant, ask.unit))
        if known is None or ask.is_fresh:
            return None
        return known if ask.part is None or ask.part in known.parts else None

    def load(self, tenant: str, ask: Load) -> Loaded | None:
        """Answer from memory, or None where something is not remembered."""
        known = self.find(tenant, ask)
        if known is None:
            return None
        for kind, statuses in ask.kinds:
            for status in statuses:
                if (kind, status) not in known.heads:
                    return None
        part = None if ask.part is None else known.parts[ask.part]
        heads = known.found(ask.kinds)
        return Loaded(known.row, part, heads, None, self.incarnation, is_cached=True)

    def around(self, tenant: str, ask: Around) -> Surroundings | None:
        """Answer from memory, or None where something is not remembered."""
        known = self._units.get((tenant, ask.unit))
        parent = current = None
        for name in ask.sees:
            if name == "conditions" and ask.part is not None and not ask.part.branches:
                continue
            if known is None or name not in ("parent", "current"):
                return None
            wanted = ask.current if name == "current" else ask.part and ask.part.part.parent
            found = known.parts.get(str(wanted))
            if wanted is not None and found is None:
                return None
            if name == "parent":
                parent = found
            else:
                current = found
        return Surroundings(parent, current)

    def loaded(self, tenant: str, answer: Loaded, kinds: Kinds = ()) -> None:
        """Remember what was loaded with the heads of these queues, unless newer is known."""
        key = (tenant, answer.unit.id)
        known = self._units.get(key)
        if answer.unit.ended_at is not None:
            self.forget(*key)
            return
        if known is None or known.row.version < answer.unit.version:
            known = self._remember(key, answer.unit)
        elif known.row.version > answer.unit.version:
            return
        before = known.bytes
        if answer.part is not None:
            known.keep(answer.part)
        known.keep_heads(kinds, answer.heads)
        self._bound(known.bytes - before)

    def learn(self, known: Remembered, heads: Mapping[Queue, PartRow | None]) -> None:
        """Remember the heads of some queues of a unit that was just found here."""
        before = known.bytes
        for (kind, status), head in heads.items():
            known.keep_head(kind, status, head)
        self._bound(known.bytes - before)

    def committed(self, change: Change, heads: Found | None = None) -> None:
        """Remember what a commit has made of a unit; of one that has ended nothing more is asked.

        ``heads`` are those of the queues that it has stirred, where they are known; those of
        others stand as they were.
        """
        if change.deleted_at is not None or change.unit.ended_at is not None:
            self.forget(change.tenant, change.unit.id)
        else:
            self._keep(change, heads)

    def _keep(self, change: Change, heads: Found | None) -> None:
        key = (change.tenant, change.unit.id)
        known = self._units.get(key)
        if known is None or known.row.version != change.before:
            known = self._remember(key, change.unit)
        before = known.bytes
        known.renew(change.unit, is_new=change.body is not None)
        for part in change.parts:
            known.keep(part, is_new=part.number in change.bodies)
        # Of more than that the first would be forgotten again at once.
        for part in change.made[-PARTS_MAX:]:
            known.keep(part)
        for number in change.gone:
            known.drop(part_id(change.unit.id, number))
        if heads is not None:
            known.keep_heads(change.kinds, heads)
        else:
            for kind, statuses in change.kinds:
                for status in statuses:
                    known.heads.pop((kind, status), None)
        self._units.move_to_end(key)
        self._bound(known.bytes - before)

    def forget(self, tenant: str, unit: str) -> None:
        """Forget a unit that somebody else has changed."""
        known = self._units.pop((tenant, unit), None)
        if known is not None:
            self.bytes -= known.bytes

    def clear(self) -> None:
        """Forget everything."""
        self._units.clear()
        self.bytes = 0

    def _remember(self, key: tuple[str, str], row: UnitRow) -> Remembered:
        self.forget(*key)
        known = self._units[key] = Remembered(row)
        self.bytes += known.bytes
        return known

    def _bound(self, more: int) -> None:
        """Count bytes that came or went, and forget what is beyond the bounds."""
        self.bytes += more
        while len(self._units) > UNITS_MAX or self.bytes > BYTES_MAX:
            _, gone = self._units.popitem(last=False)
            self.bytes -= gone.bytes
