"""The work sheet of one command: rows as they will be, while its decisions are carried out.

A decision speaks of roles; here they become rows. What the command has changed lies over what the
store holds, so that a second decision of the same command sees the first. Records are written as
the audit will keep them. Nothing is written to a database here: asking it is yielding.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from interlock.kernel.entries import Decision, Drop, Entry, Move, New, Write
from interlock.kernel.offer import Queue
from interlock.kernel.seen import Event, Part, Unit
from interlock.kernel.workflow import Workflow
from interlock.service.record import Records
from interlock.service.written import Written
from interlock.store.rows import (
    ORD_GAP,
    PartRow,
    part_id,
    part_number,
    with_part,
)
from interlock.store.script import Answer, Ask, Condition, Find, Found, Gap, Heads, Loaded

LINKS_MAX: Final = 10_000
"""More links than one command makes."""

PLAIN: Final = frozenset({Move, Write})
OWN: Final = frozenset({"unit", "part"})

Asking = Generator[Ask, Answer, None]
Rows = tuple[PartRow, ...]


class Sheet:
    """The rows that one command changes, and the records of it."""

    def __init__(self, flow: Workflow, queues: "dict[str, Queue[PartRow]]", loaded: Loaded) -> None:
        """Begin with what was loaded."""
        self.flow = flow
        self.queues = queues
        self.name = loaded.unit.id
        self.unit = loaded.unit.unit
        self.tally = loaded.unit.tally
        self.made = loaded.unit.made
        self.heads = loaded.heads
        # As they stand now, and as they stood before the command (None: it made them).
        self.rows: dict[str, PartRow] = {}
        self.before: dict[str, PartRow | None] = {}
        self.gone: dict[str, PartRow] = {}
        self.links: list[tuple[int, int, int]] = []
        self.conditions: list[Condition] = []
        self.records = Records()
        self._touched: dict[str, PartRow | None] = {}
        # The links that the decision at hand has made: what each lets wait is counted at its end.
        self._fresh: set[tuple[int, int]] = set()
        self._is_spread = False

    # -- reading -------------------------------------------------------------------------------

    def row(self, part: PartRow) -> PartRow | None:
        """Return a part that was loaded as it stands now; None once it is gone."""
        return None if part.id in self.gone else self.rows.get(part.id, part)

    def head(self, kind: str) -> Generator[Ask, Answer, PartRow | None]:
        """Return the part that a queue would hand out now."""
        found: Iterable[PartRow] = self.heads.get(kind, ())
        if not self.rows and not self.gone:  # nothing was done yet, as almost always
            return self.queues[kind].head(self.unit, self.tally, found)
        if any(part.id in self.rows or part.id in self.gone for part in found):
            queue = self.queues[kind]
            without = tuple(part_number(name) for name in (*self.rows, *self.gone))
            again = yield Heads(self.name, ((kind, queue.statuses),), without)
            found = cast("Found", again)[kind]
        own = (r for r in self.rows.values() if r.part.kind == kind and r.offer is not None)
        return self.queues[kind].head(self.unit, self.tally, (*found, *own))

    def written(self, leases: Mapping[int, int]) -> Written:
        """Return what there is to write; a lease that runs anew is enough to write a part."""
        rows = Written()
        for name, before in self.before.items():
            after = self.rows.get(name)
            if before is None:
                if after is not None:
                    rows.add_new(after)
            elif after is None:
                rows.add_gone(before)
            elif after.part is not before.part or after != before or after.number in leases:
                rows.add_changed(before, after)
        return rows

    # -- carrying out --------------------------------------------------------------------------

    def carry_out(self, decision: Decision, part: PartRow | None) -> Asking:
        """Turn the entries of a decision into rows and records."""
        self.records.begin(decision)
        self._touched = {}
        self._fresh = set()
        if part is not None:
            self._know(part)
        yield from self._change_all(decision)
        self.unit, self.tally = decision.unit, decision.tally
        yield from self._count_waits()
        for name in self._touched:
            row = self.rows.get(name)
            if row is not None:
                self.rows[name] = self._queued(row, row.part)

    def has_carried_out(self, decision: Decision, part: PartRow | None) -> bool:
        """Carry out a decision about the unit and one part alone, as almost all are.

        Nothing need be asked for that; says whether it was such a decision.
        """
        entries = _plain(decision.entries)
        if entries is None or (part is not None and part.feeds):
            return False
        records = self.records
        records.begin(decision)
        ids = () if part is None else (part.id,)
        for entry in entries:
            records.add(entry, ids if entry.who == "part" else ())
        self.unit, self.tally = decision.unit, decision.tally
        if part is not None and decision.part is not None:
            self.before.setdefault(part.id, part)
            self.rows[part.id] = self._queued(part, decision.part)
        return True

    def _change_all(self, decision: Decision) -> Asking:
        made: list[str] = []
        for entry in decision.entries:
            if isinstance(entry, New):
                made.append((yield from self._new(entry, decision.event, made)))
            else:
                yield from self._change(entry, decision.event)

    def _change(self, entry: Move | Write | Drop, event: Event) -> Asking:
        who = entry.who
        if who == "unit":
            self._change_unit(entry)
            self.records.add(entry, ())
            return
        if who in ("part", "parent", "current"):
            rows = yield from self._one(who, event)
        else:
            rows = yield from self._many(entry, event)
        self.records.add(entry, tuple(row.id for row in rows))
        for row in rows:
            if isinstance(entry, Drop):
                self._drop(row)
            else:
                self.put(replace(row, part=self._changed(row.part, entry)))

    def _change_unit(self, entry: Move | Write | Drop) -> None:
        """Keep the unit true within a decision: later entries may speak of its current part."""
        unit = self.unit
        if isinstance(entry, Write):
            self.unit = Unit(unit.status, {**unit.fields, entry.field: entry.value})
        elif isinstance(entry, Move) and entry.source != entry.target:
            kind = self.flow.unit.name
            fields = self.flow.table.cleared(kind, unit.status, entry.target, unit.fields)
            self.unit = Unit(entry.target, fields)

    def _changed(self, part: Part, entry: Move | Write) -> Part:
        if isinstance(entry, Write):
            fields = {**part.fields, entry.field: entry.value}
            return Part(part.kind, part.status, fields, part.parent)
        if entry.source == entry.target:
            return part
        fields = self.flow.table.cleared(part.kind, part.status, entry.target, part.fields)
        return Part(part.kind, entry.target, fields, part.parent)

    def _one(self, who: str, event: Event) -> Generator[Ask, Answer, Rows]:
        """Find the part that a role stands for, if there is one."""
        if not who:
            return ()
        name = event.part
        if who == "current":
            name = cast("str | None", self.unit.fields.get("current"))
        elif who == "parent" and isinstance(name, str):
            name = self.rows[name].part.parent if name in self.rows else None
        if name is None:
            return ()
        known = self.rows.get(str(name))
        return (known,) if known is not None else (yield from self.find(ids=(str(name),)))

    def _many(self, entry: Move | Write | Drop, event: Event) -> Generator[Ask, Answer, Rows]:
        """Find the parts a bulk entry is about, as they stand at this point of the command."""
        statuses: tuple[str, ...] = ()
        if isinstance(entry, Move):
            statuses = (entry.source,)
        elif isinstance(entry, Drop):
            statuses = entry.sources
        of = None if event.part is None else str(event.part)
        to = None
        if entry.who == "children":
            of = self._family_head(event)
        elif entry.who == "range" and isinstance(entry, Move):
            to = self.targets[entry.branch]
        elif entry.who == "all":
            of = None
            known = self._known(entry)
            if known:
                return known
        found = yield from self.find(entry.who, entry.kind, of, to)
        return tuple(r for r in found if not statuses or r.part.status in statuses)

    def _known(self, entry: Move | Write | Drop) -> Rows:
        """Return all parts that a move is about where each of them is at hand, else none.

        What a command has just made need not be looked for among all that there is.
        """
        if not isinstance(entry, Move):
            return ()
        own = (
            row
            for row in self.rows.values()
            if row.part.kind == entry.kind and row.part.status == entry.source
        )
        found = tuple(sorted(own, key=lambda row: row.ord))
        return found if len(found) == entry.size else ()

    targets: tuple[str | None, ...] = ()
    """Where the branches of the part at hand lead; set before a decision that may take them."""

    def _family_head(self, event: Event) -> str | None:
        pointer = event.part if event.part is not None else self.unit.fields.get("current")
        if not isinstance(pointer, str):
            return None
        row = self.rows.get(pointer)
        if row is not None and self.flow.kind(row.part.kind).parent and row.part.parent:
            return str(row.part.parent)
        return pointer

    def find(
        self,
        whom: str = "ids",
        kind: str = "",
        of: str | None = None,
        to: str | None = None,
        ids: tuple[str, ...] = (),
    ) -> Generator[Ask, Answer, Rows]:
        """Ask the store for parts, and lay over them what the command has changed."""
        if whom == "ids" and not ids:
            return ()
        found = cast("Rows", (yield Find(self.name, whom, kind, of, to, (), ids)))
        rows = {row.id: row for row in found if row.id not in self.gone}
        for row in rows.values():
            self._know(row)
        # Parts that were asked for by name come in the order of the names.
        names = list(ids or rows)
        if whom in ("all", "children"):
            names += [n for n in self._made_here(kind, of) if n not in rows]
        elif whom == "dependents" and of is not None:
            number = part_number(of)
            names += [part_id(self.name, part) for part, need, _ in self.links if need == number]
        chosen = [self.rows[n] for n in names if n in self.rows]
        return tuple(r for r in chosen if not kind or r.part.kind == kind)

    def _made_here(self, kind: str, of: str | None) -> list[str]:
        return [
            name
            for name, before in self.before.items()
            if before is None
            and name in self.rows
            and self.rows[name].part.kind == kind
            and (of is None or self.rows[name].part.parent == of)
        ]

    # -- writing -------------------------------------------------------------------------------

    def _know(self, row: PartRow) -> None:
        """Take a row up as it was loaded, unless it is known already."""
        if row.id not in self.rows and row.id not in self.gone:
            self.rows[row.id] = row
            self.before[row.id] = row
        self._touched.setdefault(row.id, self.rows.get(row.id))

    def put(self, row: PartRow) -> None:
        """Let a row stand like this from now on."""
        self._touched.setdefault(row.id, self.rows.get(row.id))
        self.rows[row.id] = row

    def _drop(self, row: PartRow) -> None:
        self._touched.setdefault(row.id, row)
        self.gone[row.id] = self.rows.pop(row.id, row)
        self.links = [link for link in self.links if row.number not in link[:2]]
        self._fresh = {link for link in self._fresh if row.number not in link}

    def _new(self, entry: New, event: Event, made: list[str]) -> Generator[Ask, Answer, str]:
        self.made += 1
        number = self.made
        name = part_id(self.name, number)
        after, order = yield from self._place(entry, event, made)
        above = yield from self._one(entry.parent, event)
        uses = yield from self.find(ids=tuple(map(str, entry.uses)))
        feeds = yield from self.find(ids=tuple(map(str, entry.feeds)))
        parent = above[0].id if above else None
        self.before[name] = self._touched[name] = None
        part = Part(entry.kind, entry.status, entry.fields, parent)
        self.rows[name] = PartRow(name, number, part, order)
        needs = (*(made[place] for place in entry.needs), *(row.id for row in uses))
        for need in needs:
            self._link(name, need)
        for row in feeds:
            self._link(row.id, name)
        self.records.add_new(entry, name, after, parent, needs)
        return name

    def _link(self, part: str, need: str) -> None:
        """Let a part need another one."""
        row, needed = self.rows[part], self.rows[need]
        self.put(replace(needed, feeds=needed.feeds + 1))
        # Grows with every part that is made, so a part's needs keep the order they came in.
        place = self.made * LINKS_MAX + len(self.links)
        self.links.append((row.number, needed.number, place))
        self._fresh.add((row.number, needed.number))

    def _place(
        self, entry: New, event: Event, made: list[str]
    ) -> Generator[Ask, Answer, tuple[str | None, int]]:
        """Find out after which part a new one stands, and its order."""
        if not entry.after:
            return None, self.made * ORD_GAP
        (row,) = yield from self._one(entry.after, event)
        # Several new parts after the same one stand in the order they were made in.
        last = self.rows[made[-1]] if made and row.id == event.part else row
        known = [row.ord for row in self.rows.values() if row.ord > last.ord]
        if not self._is_spread:
            following = cast("int | None", (yield Gap(self.name, last.ord)))
            known += [] if following is None else [following]
        nearest = min(known, default=None)
        if nearest is None:
            return last.id, max(self.made * ORD_GAP, last.ord + 1)
        if nearest - last.ord > 1:
            return last.id, (last.ord + nearest) // 2
        yield from self._spread()
        return (yield from self._place(entry, event, made))

    def _spread(self) -> Asking:
        """Give every part an order far from its neighbours': there was no room between two."""
        yield from self.find("all")
        # From here on every part is known, and the store's orders are not true any more.
        self._is_spread = True
        ordered = sorted(self.rows.values(), key=lambda row: row.ord)
        for place, row in enumerate(ordered, 1):
            self.put(replace(row, ord=place * ORD_GAP))

    # -- what follows --------------------------------------------------------------------------

    def _count_waits(self) -> Asking:
        """Let those who need a part know that it has closed, opened again, or gone."""
        for name, before in tuple(self._touched.items()):
            if before is None or not before.feeds:
                continue
            row = self.rows.get(name)
            was, now = self._is_closed(before), row is None or self._is_closed(row)
            if was == now:
                continue
            for one in (yield from self.find("dependents", of=name)):
                held = self.rows[one.id]
                if (held.number, part_number(name)) not in self._fresh:
                    self.put(replace(held, waits=held.waits + (1 if was else -1)))
        for part, need in self._fresh:
            held = self.rows[part_id(self.name, part)]
            if not self._is_closed(self.rows[part_id(self.name, need)]):
                self.put(replace(held, waits=held.waits + 1))

    def _is_closed(self, row: PartRow) -> bool:
        return row.part.status in self.flow.kind(row.part.kind).closed

    def _queued(self, row: PartRow, part: Part) -> PartRow:
        """Return a part as it stands now, with its rank in the queue and the place it has alone."""
        kind = part.kind
        queue = self.queues.get(kind)
        offer = None if queue is None else queue.rank(part, row.waits)
        slot = kind if part.status in self.flow.kind(kind).alone else None
        return with_part(row, part, offer, slot)


def _plain(entries: tuple[Entry, ...]) -> tuple[Move | Write, ...] | None:
    """Return the entries if all of them move or write the unit or the part of the event."""
    for entry in entries:
        # Both begin with whom they are about.
        if entry.__class__ not in PLAIN or entry[0] not in OWN:
            return None
    return cast("tuple[Move | Write, ...]", entries)
