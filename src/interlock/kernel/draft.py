"""The work sheet of one decision: things as they stand so far, and the entries written so far.

A draft starts as the slice and is changed by the walk, then by settling. It keeps tallies true
as it goes, so that asking about all parts never means visiting them. What it wrote becomes the
``Decision``; the slice itself is never changed. Functions that a workflow registers work on a
draft through the verbs here, and through nothing else.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from interlock.kernel.entries import Cause, Decision, Drop, Entry, Move, New, Write, make
from interlock.kernel.refusal import BrokenWalk
from interlock.kernel.seen import (
    NO_PART,
    Branch,
    Event,
    Part,
    Seen,
    SliceError,
    Unit,
    Unseen,
    loaded,
)
from interlock.kernel.tally import NO_PARTS, shift

if TYPE_CHECKING:
    from interlock.kernel.fold import Path
    from interlock.kernel.machine import Edge
    from interlock.kernel.workflow import Workflow


SESSIONS_MAX: Final = 1_000
"""How many sessions a unit remembers."""


class Draft:
    """One decision in the making."""

    # Most decisions never touch these, so they are set on first use only.
    notes: Mapping[str, object] = {}
    reactions: tuple[int, ...] = ()
    _parent: Part | None = None
    _current: Part | None = None
    _tally: dict[str, Mapping[str, int]] | None = None
    _children: dict[str, Mapping[str, int]] | None = None

    def __init__(self, flow: "Workflow", seen: Seen, event: Event, now: int) -> None:
        """Begin from what was seen."""
        self.flow = flow
        self.table = flow.table
        self.seen = seen
        self.event = event
        self.now = now
        # What was seen stays as it is: the unit is copied when it first changes, which it mostly
        # does not, the part at once.
        self.unit = seen.unit
        self.entries: list[Entry] = []
        self.cause: Cause | None = None
        part = seen.part
        if type(part) is Part:
            self.part = Part(part.kind, part.status, part.fields, part.parent, part.needs)
        else:
            self.part = NO_PART

    # -- reading -------------------------------------------------------------------------------

    def live(self, who: str) -> Unit | Part | None:
        """Return a thing by its role, or None where there is none."""
        return self.unit if who == "unit" else self.live_part(who)

    def live_part(self, who: str) -> Part | None:
        """Return a part by its role, or None where there is none."""
        if who == "part":
            return None if self.part is NO_PART else self.part
        if who == "parent":
            if self._parent is None:
                self._parent = _alive(self.seen.parent)
            return self._parent
        return self._current_part()

    def kind_of(self, live: Unit | Part) -> str:
        """Return the kind of a thing under change."""
        return live.kind if isinstance(live, Part) else self.flow.unit.name

    def _own(self, live: Unit | Part) -> Unit | Part:
        """Return a thing that may be changed."""
        if live is self.seen.unit:
            live = self.unit = Unit(live.status, live.fields)
        return live

    def _role(self, live: Unit | Part) -> str:
        """Return under which name entries speak of a thing; one that has two goes by the first."""
        if live is self.unit:
            return "unit"
        if live is self.part:
            return "part"
        return "parent" if live is self._parent else "current"

    def is_loaded(self, who: str) -> bool:
        """Say whether the slice names the parent or the current part at all."""
        return not isinstance(self.seen.parent if who == "parent" else self.seen.current, Unseen)

    def _current_part(self) -> Part | None:
        if self._current is None:
            # The part or its parent may be the current one; it must not exist twice here.
            pointer = self.unit.fields.get("current")
            if pointer is None:
                return None
            if pointer == self.event.part:
                # It may have become the current one just now.
                self._current = self.live_part("part")
            elif self.is_loaded("parent") and pointer == self.part.parent:
                self._current = self.live_part("parent")
            else:
                self._current = _alive(self.seen.current)
        return self._current

    def counts(self, kind: str, of: str = "unit") -> Mapping[str, int]:
        """Return status -> number of parts of a kind, in the unit or in the part's family."""
        if of == "unit":
            if self._tally is None:
                self._tally = dict(self.seen.tally)
            return self._tally.get(kind, NO_PARTS)
        if self._children is None:
            self._children = dict(loaded(self.seen.children))
        return self._children.get(kind, NO_PARTS)

    def presence(self, kinds: tuple[str, ...]) -> tuple[object, ...]:
        """Return where the unit stands and which statuses occur among parts of these kinds.

        In whatever order they stand in the tally: a few keys more cost less than sorting.
        """
        tally = self.seen.tally if self._tally is None else self._tally
        if len(kinds) == 1:
            return (self.unit.status, tuple(tally.get(kinds[0], NO_PARTS)))
        return (self.unit.status, *[tuple(tally.get(kind, NO_PARTS)) for kind in kinds])

    def branches(self) -> tuple[Branch, ...]:
        """Return the conditions that hang on the part."""
        conditions = self.seen.conditions
        if isinstance(conditions, Unseen):
            raise SliceError(self.event.name)
        return conditions

    def gate_digest(self) -> str:
        """Return the digest of what a person was shown."""
        gate = self.seen.gate
        if isinstance(gate, Unseen):
            raise SliceError(self.event.name)
        return gate

    # -- writing -------------------------------------------------------------------------------

    def fire(self, who: str, signal: str, *, maybe: bool = False, reason: str = "") -> bool:
        """Take the edge ``signal`` of a thing; say whether there was one."""
        live = self.live(who)
        edge = None
        if live is not None:
            edge = self.table.edges[self.kind_of(live)].get((live.status, signal))
        if live is None or edge is None:
            if maybe:
                return False
            where = "nowhere" if live is None else live.status
            message = f"{self.event.name}: {who} has no edge {signal} from {where}"
            raise BrokenWalk(message)
        self.take(live, edge, reason)
        return True

    def follow(self, path: "Path") -> None:
        """Take the moves of a walk that were certain beforehand, all at once."""
        unit, part = self.unit, self.part
        # A walk may come back to where it began and still end what lives in a status.
        if path.unit_status != unit.status or path.clears_unit:
            self.unit = Unit(path.unit_status, unit.fields | path.clears_unit)
        if path.shifts:
            kind = part.kind
            if kind in self.table.child_kinds:
                self._shift(kind, part.status, path.part_status, 1, is_child=True)
            else:
                # ``shift`` for one part, without the call: almost every decision comes by here.
                tally = self._tally = dict(self.seen.tally)
                counts = dict(tally.get(kind, NO_PARTS))
                left = counts.pop(part.status, 1) - 1
                if left:
                    counts[part.status] = left
                counts[path.part_status] = counts.get(path.part_status, 0) + 1
                tally[kind] = counts
            part.status = path.part_status
        if path.clears_part:
            part.fields = part.fields | path.clears_part
        self.entries.extend(path.moves)
        self.reactions = path.reactions

    def take(self, live: Unit | Part, edge: "Edge", reason: str) -> None:
        """Move a thing along an edge and keep the tallies true."""
        live = self._own(live)
        source, target = live.status, edge.target
        kind = self.kind_of(live)
        if target[0] == "@":
            target = self._remembered(kind, str(live.fields[target[1:]]), edge)
        live.status = target
        if source != target:
            live.fields = self.table.cleared(kind, source, target, live.fields)
            if isinstance(live, Part):
                self._shift(kind, source, target, 1, is_child=self._is_child(live))
        self._record(Move(self._role(live), kind, edge.on, source, target, self._why(), reason))

    def _remembered(self, kind: str, status: str, edge: "Edge") -> str:
        if status not in self.flow.machine(kind).names():
            message = f"{self.event.name}: {edge.on} leads to {edge.target}, which names no status"
            raise BrokenWalk(message)
        return status

    def _why(self) -> Cause:
        return self.cause or Cause("event", self.event.name)

    def _record(self, move: Move) -> None:
        reactive = self.table.reactive
        if (move.kind, move.target) in reactive or (move.kind, move.source) in reactive:
            self.reactions = (*self.reactions, len(self.entries))
        self.entries.append(move)

    def write(self, who: str, name: str, value: object) -> None:
        """Set a field of a thing; a value it has already is not written again."""
        live = self.live(who)
        if live is None:
            message = f"{self.event.name}: no {who} to write {name} to"
            raise BrokenWalk(message)
        if name not in live.fields:
            raise SliceError(name)
        if live.fields[name] == value and type(live.fields[name]) is type(value):
            return
        live = self._own(live)
        live.fields = {**live.fields, name: value}
        self.entries.append(Write(self._role(live), self.kind_of(live), name, value))

    def write_all(self, kind: str, name: str, value: object) -> None:
        """Set a field of every part of a kind."""
        for live in self._lives(kind):
            live.fields = {**live.fields, name: value}
        self.entries.append(Write("all", kind, name, value))

    def move_all(self, kind: str, signal: str, reason: str = "", branch: int = -1) -> int:
        """Take the edge ``signal`` for every part of a kind that has it where it stands.

        With ``branch`` only those between the part and that branch's target move.
        """
        moved = 0
        edges = self.table.edges[kind]
        counts = self.counts(kind)
        if branch >= 0:
            target = self.branches()[branch].target
            counts = {} if target is None else target.between
        # A tally has no order of its own; the entries must have one.
        for source, count in sorted(counts.items()):
            edge = edges.get((source, signal))
            if edge is None:
                continue
            if branch < 0:
                self._move_lives(kind, source, edge.target)
                self._shift_family(kind, source, edge.target)
            self._shift(kind, source, edge.target, count, is_child=False)
            who = "all" if branch < 0 else "range"
            self._record(
                Move(who, kind, signal, source, edge.target, self._why(), reason, count, branch)
            )
            moved += count
        return moved

    def move_children(self, kind: str, signal: str, reason: str = "") -> None:
        """Take the edge ``signal`` for those parts of a kind that are in the part's family."""
        self._move_some("children", kind, signal, reason, self.counts(kind, "children"))

    def move_dependents(self, kind: str, signal: str, reason: str = "") -> None:
        """Take the edge ``signal`` for those parts of a kind that need the part."""
        standing = dict(loaded(self.seen.dependents).get(kind, NO_PARTS))
        for entry in self.entries:
            if type(entry) is Move and entry.who == "dependents" and entry.kind == kind:
                standing[entry.target] = standing.get(entry.target, 0) + standing.pop(
                    entry.source, 0
                )
        self._move_some("dependents", kind, signal, reason, standing)

    def _move_some(
        self, who: str, kind: str, signal: str, reason: str, counts: Mapping[str, int]
    ) -> None:
        for source, count in sorted(counts.items()):
            edge = self.table.edges[kind].get((source, signal))
            if edge is None or not count:
                continue
            if who == "children":
                self._move_lives(kind, source, edge.target)
            self._shift(kind, source, edge.target, count, is_child=who == "children")
            move = Move(who, kind, signal, source, edge.target, self._why(), reason, count)
            self._record(move)

    def create(self, new: New) -> None:
        """Make a part."""
        self._shift(new.kind, "", new.status, 1, is_child=new.parent != "")
        self.entries.append(new)

    def drop(self, who: str, reason: str = "") -> None:
        """Take one part out of the tally for good."""
        live = self.live_part(who)
        if live is None:
            message = f"{self.event.name}: no {who} to drop"
            raise BrokenWalk(message)
        self._shift(live.kind, live.status, "", 1, is_child=self._is_child(live))
        live.status = ""
        self.entries.append(Drop(self._role(live), live.kind, reason))

    def drop_all(
        self,
        kind: str,
        *,
        children: bool = False,
        reason: str = "",
        statuses: tuple[str, ...] = (),
    ) -> None:
        """Take every part of a kind (or only those under the part) out of the tally.

        With ``statuses`` only those that stand in one of them.
        """
        counts = self.counts(kind, "children" if children else "unit")
        gone = {s: n for s, n in counts.items() if not statuses or s in statuses}
        if not gone:
            return
        for status, count in gone.items():
            if not children:
                self._shift_family(kind, status, "")
            self._shift(kind, status, "", count, is_child=children)
        if not children:
            for live in self._lives(kind):
                live.status = "" if live.status in gone else live.status
        who = "children" if children else "all"
        self.entries.append(Drop(who, kind, reason, statuses))

    def note(self, name: str, value: object) -> None:
        """Tell the caller something that is no change."""
        self.notes = {**self.notes, name: value}

    def _meet(self) -> None:
        """Let the unit remember the session that has touched it, the first time it does."""
        session = self.event.actor.session
        known = self.unit.fields["sessions"]
        if session and isinstance(known, tuple) and session not in known:
            self.write("unit", "sessions", (*known, session)[-SESSIONS_MAX:])

    def decision(self) -> Decision:
        """Close the draft."""
        if self.table.meets:
            self._meet()
        part = None if self.part is NO_PART else self.part
        tally = self.seen.tally if self._tally is None else self._tally
        entries = tuple(self.entries)
        return make(Decision, (self.event, self.now, self.unit, part, tally, entries, self.notes))

    # -- tallies -------------------------------------------------------------------------------

    def _is_child(self, live: Part) -> bool:
        return live is self.part and live.kind in self.table.child_kinds

    def _lives(self, kind: str) -> list[Part]:
        """Return the parts under change that are of a kind; the current one may be there twice."""
        lives = (self.live_part("part"), self._parent, self._current)
        return [live for live in lives if live is not None and live.kind == kind]

    def _move_lives(self, kind: str, source: str, target: str) -> None:
        for live in self._lives(kind):
            if live.status == source:
                live.status = target
                live.fields = self.table.cleared(kind, source, target, live.fields)

    def _shift(self, kind: str, source: str, target: str, count: int, *, is_child: bool) -> None:
        if self._tally is None:
            self._tally = dict(self.seen.tally)
        shift(self._tally, kind, source, target, count)
        if is_child and not isinstance(self.seen.children, Unseen):
            self.counts(kind, "children")
            if self._children is not None:
                shift(self._children, kind, source, target, count)

    def _shift_family(self, kind: str, source: str, target: str) -> None:
        if isinstance(self.seen.children, Unseen):
            return
        count = self.counts(kind, "children").get(source, 0)
        if count and self._children is not None:
            shift(self._children, kind, source, target, count)


def _alive(part: Part | Unseen | None) -> Part | None:
    if isinstance(part, Unseen):
        raise SliceError("a part that was not loaded")
    if part is None:
        return None
    return Part(part.kind, part.status, part.fields, part.parent, part.needs)
