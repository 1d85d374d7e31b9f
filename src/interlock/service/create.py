"""Make a unit: there is nothing to decide about it yet, but it begins its audit and its queue."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from interlock.kernel.gates import policy_of
from interlock.kernel.look import standing
from interlock.kernel.replay import begun
from interlock.kernel.rules import NO_ARGS
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Snapshot, begin, new_part, waits
from interlock.kernel.table import SESSIONS
from interlock.kernel.tally import tally
from interlock.service.cards import card_of
from interlock.service.engine import Engine, Principal, Running
from interlock.service.gates import NONE, Gated, Moment, at_gates, gated
from interlock.service.note import note_text, receipt
from interlock.service.order import Kept, Order, Result, Worded
from interlock.service.record import begun_texts, head, read_body
from interlock.service.run import Answer, advance, answer, persist
from interlock.service.timers import time_parts, unit_lasts
from interlock.store.chain import Link, chain, genesis
from interlock.store.port import SkillRow
from interlock.store.rows import ORD_GAP, PartRow, UnitRow, dump, part_id
from interlock.store.script import Artifact, Change, Condition, Key, Script, SkillMove, SkillMoved


@dataclass(frozen=True, slots=True)
class NewPart:
    """A part that a new unit begins with; others are named by their places in the list."""

    kind: str
    fields: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    parent: int | None = None
    needs: tuple[int, ...] = ()
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True, slots=True)
class NewBranch:
    """A condition that a new unit begins with; parts by their places."""

    part: int
    expression: str
    action: str
    params: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    target: int | None = None


@dataclass(frozen=True, slots=True)
class NewUnit:
    """Everything that a new unit begins with. ``told`` goes into the audit beside it.

    ``named`` are fields of the unit that hold names of its parts, told by their places. ``skill``
    is the execution that the unit is made by; it is linked in the same commit.
    """

    workflow: str
    fields: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    parts: tuple[NewPart, ...] = ()
    branches: tuple[NewBranch, ...] = ()
    tags: tuple[str, ...] = ()
    told: Mapping[str, object] = field(default_factory=lambda: NO_ARGS)
    skill: SkillRow | None = None
    named: Mapping[str, tuple[int, ...]] = field(default_factory=lambda: NO_PLACES)
    kept: tuple[Kept, ...] = ()


NO_PLACES: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({})


async def create(
    engine: Engine, caller: Principal, new: NewUnit, word: Worded, key: Key | None = None
) -> Answer:
    """Make a unit; returns the answer once it is durable."""
    running = engine.flows[new.workflow]
    name = engine.clock.new_id(new.workflow)

    def script(new: NewUnit) -> Script:
        yield from ()
        begun = _Beginning(caller, running, new, name, engine.store.now())
        return begun.change(word, key)

    try:
        committed = await persist(engine, caller.tenant, lambda: script(new))
    except SkillMoved:
        # It has ended or got another unit in between: this one is made without it.
        bare = replace(new, skill=None)
        committed = await persist(engine, caller.tenant, lambda: script(bare))
    if running.flow.trouble is not None:
        engine.sound.add((caller.tenant, name))
    return answer(committed, key)


async def begin_beside(
    engine: Engine, caller: Principal, new: NewUnit, order_of: Callable[[str], Order]
) -> Answer:
    """Make a unit in the commit of an order about another one, which is told its name.

    Where the order is refused nothing is made; nobody ever sees the one without the other.
    """
    running = engine.flows[new.workflow]
    name = engine.clock.new_id(new.workflow)

    def beside() -> Change:
        begun = _Beginning(caller, running, new, name, engine.store.now())
        return begun.change(lambda _: {}, None)

    return await advance(engine, order_of(name), beside)


@dataclass(slots=True)
class _Beginning:
    """A unit that is about to be made."""

    caller: Principal
    running: Running
    new: NewUnit
    name: str
    at: int
    snapshot: Snapshot = field(init=False)

    def __post_init__(self) -> None:
        flow, new = self.running.flow, self.new
        parts = tuple(
            new_part(
                flow, part.kind, part.fields,
                parent=None if part.parent is None else self._id(part.parent),
                needs=tuple(self._id(place) for place in part.needs),
            )
            for part in new.parts
        )  # fmt: skip
        ids = tuple(self._id(place) for place in range(len(parts)))
        named = {
            name: tuple(self._id(place) for place in places) for name, places in new.named.items()
        }
        first = begin(flow, unit={**new.fields, **named, **self._met()})
        self.snapshot = replace(first, parts=parts, ids=ids)
        check_pairs(standing(flow, self.snapshot))

    def _met(self) -> dict[str, object]:
        """Return the session that has touched the unit first, where the unit keeps it."""
        session = self.caller.session
        return {SESSIONS: (session,)} if session and self.running.flow.table.meets else {}

    def _id(self, place: int) -> str:
        return part_id(self.name, place + 1)

    def change(self, word: Worded, key: Key | None) -> Change:
        """Return everything that is to be written."""
        rows = tuple(self._rows())
        records = begun(self.running.flow, self.snapshot, self.caller.actor(), self.at)
        told = dict(self.new.told)
        if self.new.branches:
            told["conditions"] = [self._told(branch) for branch in self.new.branches]
        artifacts = tuple(self._artifacts())
        if artifacts:
            told["kept"] = [{"name": one.name, "digest": one.digest} for one in artifacts]
        before = genesis(self.caller.tenant, self.name)
        texts = [*begun_texts(records, told), *self._skill_texts(len(records) + 1)]
        entries = tuple(chain(before, 0, self.at, texts))
        unit = self._unit(entries[-1])
        opened = self._gates(rows, texts).opened
        caller = self.caller.kind
        result = Result(self.running, unit, (), self.at, "", caller, rows, opened=opened)
        reply = word(result)
        reply["receipt"] = receipt(unit)
        leases: dict[int, int] = {}
        made = {row.id: row for row in rows}
        time_parts(self.running, unit.unit, dict.fromkeys(made), made, {}, leases)
        return Change(
            self.caller.tenant, 0, unit, entries, self.at, body=dump(unit.unit.fields), made=rows,
            links=tuple(self._links()), conditions=tuple(self._conditions()),
            tags=self.new.tags, artifacts=artifacts, skill=self._skill(), opened=opened, key=key,
            reply=dump(reply),
            card=card_of(self.running.flow.held, self.name, unit.unit.fields, self.at),
            leases=leases, lasts=unit_lasts(self.running, None, unit.unit),
            kinds=self.running.kinds,
        )  # fmt: skip

    def _gates(self, rows: tuple[PartRow, ...], texts: list[str]) -> Gated:
        """Return the gates that the unit begins at."""
        unit = self.snapshot.unit
        moved = at_gates(
            self.running, (None, unit), dict.fromkeys(row.id for row in rows),
            {row.id: row for row in rows},
        )  # fmt: skip
        if not moved:
            return NONE
        bodies = [read_body(text) for text in texts]
        policy = policy_of(unit.fields)
        told = Moment(self.name, self.caller.actor(), self.at, 0, bodies, policy)
        return gated(self.running, moved, told)

    def _skill(self) -> SkillMove | None:
        """Return the link to the execution; it goes on being where it is."""
        skill = self.new.skill
        return None if skill is None else SkillMove(skill.id, skill.status, skill.status)

    def _skill_texts(self, sequence: int) -> Iterator[str]:
        if self.new.skill is not None:
            told = {"skill_execution": self.new.skill.id, "skill": self.new.skill.name}
            begun = head("skill_started", self.caller.actor(), self.at)
            yield note_text(self.running, sequence, begun, told)

    def _unit(self, last: Link) -> UnitRow:
        unit, counts = self.snapshot.unit, tally(self.snapshot.parts)
        queues = self.running.queues.items()
        takes = ",".join(kind for kind, queue in queues if queue.takes(unit, counts))
        return UnitRow(
            self.name, self.new.workflow, self.running.digest, unit, counts, last.sequence,
            last.hash, len(self.snapshot.parts), takes, self.at, self.at,
        )  # fmt: skip

    def _rows(self) -> Iterator[PartRow]:
        flow, queues = self.running.flow, self.running.queues
        feeds = Counter(need for part in self.new.parts for need in part.needs)
        branches = Counter(branch.part for branch in self.new.branches)
        for place, part in enumerate(self.snapshot.parts):
            held = waits(flow, self.snapshot, part)
            queue = queues.get(part.kind)
            yield PartRow(
                self._id(place), place + 1, part, (place + 1) * ORD_GAP, held,
                feeds[place], branches[place],
                None if queue is None else queue.rank(part, held),
                part.kind if part.status in flow.kind(part.kind).alone else None,
            )  # fmt: skip

    def _artifacts(self) -> Iterator[Artifact]:
        """Yield what is kept of the unit and of its parts."""
        of_parts = ((place, part.kept) for place, part in enumerate(self.new.parts, 1))
        for number, kept in ((0, self.new.kept), *of_parts):
            for one in kept:
                digest = sha256(one.content).hexdigest()
                yield Artifact(
                    number, one.name, digest, one.content, one.media_type, author=self.caller.id
                )

    def _links(self) -> Iterator[tuple[int, int, int]]:
        for place, part in enumerate(self.new.parts):
            for turn, need in enumerate(part.needs):
                yield place + 1, need + 1, turn

    def _conditions(self) -> Iterator[Condition]:
        turns: Counter[int] = Counter()
        for branch in self.new.branches:
            turns[branch.part] += 1
            target = None if branch.target is None else branch.target + 1
            yield Condition(
                branch.part + 1, turns[branch.part], branch.expression, branch.action,
                dump(dict(branch.params)), target,
            )  # fmt: skip

    def _told(self, branch: NewBranch) -> dict[str, object]:
        told: dict[str, object] = {"part": self._id(branch.part), "expression": branch.expression}
        told |= {"action": branch.action, "params": dict(branch.params)}
        if branch.target is not None:
            told["target"] = self._id(branch.target)
        return told
