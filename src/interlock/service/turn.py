"""One turn of one unit, as a script: load, decide, and say what is to be written.

A turn may carry several events (submit and claim the next): they are decided one after the other
and written in one commit. It asks its store by yielding and touches nothing else, so the same
turn runs on SQLite's writer thread and between two trips to PostgreSQL.
"""

from collections.abc import Callable, Generator, Iterator
from hashlib import sha256
from typing import cast

from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision, make
from interlock.kernel.gates import policy_of
from interlock.kernel.offered import Where, offered
from interlock.kernel.refusal import Legal, Refusal
from interlock.kernel.rules import Rule
from interlock.kernel.seen import Event, Seen
from interlock.service.also import change
from interlock.service.around import NOTHING, look_around, looks_around, see
from interlock.service.cards import new_card
from interlock.service.engine import Running
from interlock.service.errors import CorruptState, InvalidInput, NotFound, StaleVersion
from interlock.service.gates import (
    NONE,
    Gated,
    GateDecided,
    Moment,
    OwnReview,
    StaleDigest,
    at_gates,
    check_decider,
    closing,
    gated,
    title_of,
    was_decided,
)
from interlock.service.order import (
    Asked,
    Done,
    Emptied,
    Filled,
    Kept,
    Order,
    Result,
    fence_of,
    lease_ms,
    require_version,
)
from interlock.service.place import place
from interlock.service.sheet import Sheet
from interlock.service.timers import events_of, time_parts, unit_lasts
from interlock.store.board import Card
from interlock.store.chain import chain
from interlock.store.gates import GateRow
from interlock.store.rows import (
    PartRow,
    UnitRow,
    dump,
    has_changed,
    part_number,
    unit_of,
)
from interlock.store.script import (
    Answer,
    Artifact,
    Ask,
    Change,
    GateAt,
    Kinds,
    Load,
    Loaded,
    Nothing,
    Outcome,
    Script,
    Touch,
)


def turn(order: Order, running: Running, now: Callable[[], int]) -> Script:
    """Return the script of an order. Refusals raise; so does a unit that is not there."""
    load = _load(order, running)
    while True:
        loaded = cast("Loaded | None", (yield load))
        if loaded is None:
            raise NotFound(order.about)
        if loaded.reply is not None:
            return Nothing(loaded.reply.text, loaded.reply.asked)
        attempt = _Turn(order, running, loaded, now())
        try:
            outcome = yield from attempt.play()
            return Nothing(outcome.reply) if order.is_dry else outcome
        except (Refusal, NotFound, Emptied, StaleVersion, GateDecided, OwnReview, StaleDigest):
            if not loaded.is_cached:
                raise
        # No commit guards a refusal: before it is told, it is decided on what really stands.
        load = load._replace(is_fresh=True)


def _load(order: Order, running: Running) -> Load:
    """Say what an order needs before anything can be decided."""
    part: str | None = None
    kinds: Kinds = ()
    for asked in order.asked:
        if asked.part is not None and unit_of(asked.part) != order.unit:
            raise NotFound(asked.part)
        part = part or asked.part
        if asked.kind in running.queues:
            kinds += ((asked.kind, running.queues[asked.kind].statuses),)
    # No commit guards what is not written: it is decided on what really stands.
    return make(Load, (order.unit, part, kinds, order.key, order.is_dry))


class _Turn:
    """A turn that has been loaded."""

    __slots__ = (
        "artifacts", "done", "leases", "loaded", "now", "order", "parts", "places", "running",
        "sheet",
    )  # fmt: skip

    def __init__(self, order: Order, running: Running, loaded: Loaded, now: int) -> None:
        self.order = order
        self.running = running
        self.loaded = loaded
        self.now = now
        self.done: list[Done] = []
        self.leases: dict[int, int] = {}
        self.artifacts: list[Artifact] = []
        self.parts: tuple[PartRow, ...] = ()
        self.places: dict[str, int] = {}
        flow, unit, part = running.flow, loaded.unit, loaded.part
        if unit.unit.status not in flow.table.pairs:
            raise CorruptState(unit.id, f"there is no status {unit.unit.status!r}")
        if part is not None and part.part.kind not in flow.table.edges:
            raise CorruptState(part.id, f"there is no kind {part.part.kind!r}")
        self.sheet = Sheet(flow, running.queues, loaded)

    def play(self) -> Generator[Ask, Answer, Outcome]:
        """Decide the events in their order and gather what is to be written."""
        require_version(self.loaded.unit, self.order.version)
        for asked in self.order.asked:
            part = yield from self._part(asked)
            if part is None and (asked.kind or asked.part):
                if asked.is_optional:
                    continue
                raise Emptied(self.loaded.unit) if asked.kind else NotFound(str(asked.part))
            try:
                yield from self._decide(asked, part)
            except Refusal:
                if not asked.is_optional:
                    raise
        if self.order.tells_parts:
            yield from self._gather()
        if self.order.tells_places is not None and self.order.tells_places(self.sheet.unit):
            yield from self._count()
        return self._outcome()

    def _gather(self) -> Generator[Ask, Answer, None]:
        rows: list[PartRow] = []
        for kind in self.running.flow.parts:
            rows += yield from self.sheet.find("all", kind.name)
        self.parts = tuple(sorted(rows, key=lambda row: row.ord))

    def _count(self) -> Generator[Ask, Answer, None]:
        for done in self.done:
            if done.part is not None:
                self.places[done.part.id] = yield from place(self.sheet, done.part)

    def _part(self, asked: Asked) -> Generator[Ask, Answer, PartRow | None]:
        if asked.kind:
            return (yield from self.sheet.head(asked.kind))
        if asked.part is None:
            return None
        loaded = self.loaded.part
        if loaded is None or loaded.id == asked.part:
            return loaded and self.sheet.row(loaded)
        # What came first was loaded; events about other parts of the unit may follow.
        found = yield from self.sheet.find(ids=(asked.part,))
        return found[0] if found else None

    def _decide(self, asked: Asked, part: PartRow | None) -> Generator[Ask, Answer, None]:
        flow, sheet = self.running.flow, self.sheet
        named = asked.event or self._event(asked, part)
        rule = flow.rule(named)
        args = asked.args
        if asked.lease:
            args = {**args, "fence": fence_of(asked.lease, self.loaded.incarnation)}
        event = make(Event, (named, self.order.actor, None if part is None else part.id, args))
        around = NOTHING
        if rule is not None and looks_around(rule, part):
            around = yield from look_around(sheet, rule, part)
        seen = see(sheet, rule, part, around)
        if rule is not None and named in self.running.decides:
            decision = yield from self._judge(asked, rule, part, seen, event)
        else:
            decision = decide(flow, seen, event, self.now)
        if not sheet.has_carried_out(decision, part):
            sheet.targets = tuple(row.target for row in around.conditions)
            yield from sheet.carry_out(decision, part)
        for also in asked.also:
            yield from change(sheet, also)
        after = None if part is None else sheet.row(part)
        if after is not None:
            self._extend(rule, part, after)
        self._note(asked, decision, part)
        self.done.append(make(Done, (decision, after)))

    def _judge(
        self, asked: Asked, rule: Rule, part: PartRow | None, seen: Seen, event: Event
    ) -> Generator[Ask, Answer, Decision]:
        """Decide an event that may be a decision at a gate: a gate takes one, and not from all."""
        number = 0 if part is None else part.number
        found = yield GateAt(self.loaded.unit.id, number, asked.gate)
        gate = cast("GateRow | None", found)
        if asked.gate and (gate is None or gate.part != number):
            raise NotFound(asked.gate)
        if asked.gate and gate is not None and not gate.is_open:
            raise GateDecided(gate, self._legal(part))
        try:
            decision = decide(self.running.flow, seen, event, self.now)
        except Refusal as no:
            if gate is not None and was_decided(gate):
                no.since = f"The last gate there is closed: {closing(gate)}."
            raise
        after = decision.unit if part is None else decision.part
        if gate is not None and gate.is_open and (after is None or after.status != gate.status):
            check_decider(gate, rule, event.actor, self.sheet.unit, event.args)
        return decision

    def _legal(self, part: PartRow | None) -> tuple[Legal, ...]:
        flow, about = self.running.flow, None if part is None else part.part
        where = Where(self.order.actor.kind, self.sheet.unit, self.loaded.unit.tally, about)
        return offered(flow, where, flow.unit.name if about is None else about.kind)

    def _event(self, asked: Asked, part: PartRow | None) -> str:
        """Return what the kind of the part calls the verb."""
        kind = None if part is None else self.running.flow.kind(part.part.kind)
        named = "" if kind is None else kind.verbs.get(asked.verb, "")
        if not named:
            about = self.running.flow.unit.name if kind is None else kind.name
            known = ", ".join(kind.verbs) if kind and kind.verbs else "nothing"
            message = f"The {about} knows no {asked.verb}."
            raise InvalidInput(message, fix=f"What can be said about it: {known}.")
        return named

    def _extend(self, rule: Rule | None, before: PartRow | None, after: PartRow) -> None:
        """Extend the lease of a part whose holder has just shown that they are alive."""
        fields = after.part.fields
        if fields.get("holder") is None or fields.get("lapsed") or before is None:
            self.leases.pop(after.number, None)
            return
        if (rule is not None and rule.lease) or fields["fence"] != before.part.fields["fence"]:
            self.leases[after.number] = lease_ms(self.running, self.loaded.unit, after)

    def _note(self, asked: Asked, decision: Decision, part: PartRow | None) -> None:
        if decision.entries and not (asked.told or asked.kept or decision.notes or asked.also):
            return
        told = {**asked.told, **decision.notes}
        kept = []
        for number, one in _kept(asked, part):
            digest = sha256(one.content).hexdigest()
            self.artifacts.append(make(Artifact, (
                number, one.name, digest, one.content, one.media_type, "", self.order.actor.id,
            )))  # fmt: skip
            kept.append({"name": one.name, "digest": digest})
        if kept:
            told["kept"] = kept
        if told or (not decision.entries and not self._is_bare(asked, decision)):
            self.sheet.records.note(told)

    def _is_bare(self, asked: Asked, decision: Decision) -> bool:
        """Say whether this is a sign of life and nothing more, which is not worth an entry."""
        if self.order.key is not None or asked.kept:
            return False
        rule = self.running.flow.rule(decision.event.name)
        return rule is not None and rule.lease

    # -- what is to be written -----------------------------------------------------------------

    def _outcome(self) -> Outcome:
        if not self.done:
            raise Emptied(self.loaded.unit)
        if not self.sheet.records.bodies:
            return self._touch()
        before, sheet = self.loaded.unit, self.sheet
        texts = sheet.records.texts(before.version)
        entries = tuple(chain(before.head, before.version, self.now, texts))
        ended_at = before.ended_at
        if ended_at is None and sheet.unit.status in self.running.flow.table.terminal:
            ended_at = self.now
        last = entries[-1]
        unit = UnitRow(
            before.id, before.workflow, before.digest, sheet.unit, sheet.tally, last.sequence,
            last.hash, sheet.made, self._takes(), before.created_at, self.now, ended_at,
        )  # fmt: skip
        gates = self._gates(before)
        lasts = self._time(before)
        rows = sheet.written(self.leases)
        body = dump(sheet.unit.fields) if self._has_new_fields() else None
        # Set one by one: as arguments with names they would take three times as long.
        change = Change(self.order.tenant, before.version, unit, entries, self.now)
        change.body = body
        change.is_moved_only = body is None and lasts is None and _is_alike(before, unit)
        change.parts, change.bodies, change.moved = tuple(rows.changed), rows.bodies, rows.moved
        change.made, change.gone = tuple(rows.made), tuple(rows.gone)
        change.links, change.conditions = tuple(sheet.links), tuple(sheet.conditions)
        change.artifacts, change.leases = tuple(self.artifacts), self.leases
        change.closed, change.opened, change.card = gates.closed, gates.opened, self._card(body)
        change.lasts = lasts
        change.stops = bool(self.running.timers) and ended_at != before.ended_at
        change.overdue = self._number() if self.order.is_clock else None
        change.key, change.reply = self.order.key, self._word(unit, gates)
        change.kinds = rows.stirred()
        return change

    def _number(self) -> int:
        """Return the number of the part that the order is about; 0 is the unit."""
        return 0 if self.loaded.part is None else self.loaded.part.number

    def _time(self, before: UnitRow) -> int | None:
        """Note which timers of parts begin or go on; return what becomes of the unit's own."""
        running, sheet = self.running, self.sheet
        if running.timers:
            told = events_of(self.done)
            time_parts(running, sheet.unit, sheet.before, sheet.rows, told, self.leases)
        return unit_lasts(running, before.unit, sheet.unit)

    def _gates(self, before: UnitRow) -> Gated:
        """Return the gates that this closes and opens."""
        running, sheet = self.running, self.sheet
        moved = at_gates(running, (before.unit, sheet.unit), sheet.before, sheet.rows)
        if not moved:
            return NONE
        title = title_of([asked.args for asked in self.order.asked])
        told = Moment(
            before.id, self.order.actor, self.now, before.version, sheet.records.bodies,
            policy_of(sheet.unit.fields), title,
        )  # fmt: skip
        return gated(running, moved, told)

    def _card(self, body: str | None) -> Card | None:
        """Return what a board shows of the unit, where that is new: it lies in its fields."""
        if body is None:
            return None
        before, after = self.loaded.unit.unit.fields, self.sheet.unit.fields
        return new_card(self.running.flow.held, self.loaded.unit.id, before, after, self.now)

    def _has_new_fields(self) -> bool:
        before, after = self.loaded.unit.unit.fields, self.sheet.unit.fields
        return before is not after and has_changed(before, after)

    def _touch(self) -> Touch | Nothing:
        unit, part = self.loaded.unit, self.done[0].part
        reply = self._word(unit)
        if part is None or part.number not in self.leases:
            return Nothing(reply)
        fence = cast("int", part.part.fields["fence"])
        return Touch(
            self.order.tenant, unit.id, unit.version, part.number, fence,
            self.leases[part.number], reply,
        )  # fmt: skip

    def _takes(self) -> str:
        """Name the kinds whose queues may hand something out now."""
        sheet = self.sheet
        queues = self.running.queues.items()
        return ",".join([kind for kind, queue in queues if queue.takes(sheet.unit, sheet.tally)])

    def _word(self, unit: UnitRow, gates: Gated = NONE) -> str:
        told = (
            self.running, unit, tuple(self.done), self.now, self.loaded.incarnation,
            self.order.actor.kind, self.parts, self.places, gates.opened,
        )  # fmt: skip
        result = make(Result, told)
        reply = self.order.word(result)
        if not self.order.is_dry:
            reply["receipt"] = {"unit": unit.id, "sequence": unit.version, "hash": unit.head}
        return dump(reply)


def _kept(asked: Asked, part: PartRow | None) -> Iterator[tuple[int, Kept]]:
    """Yield what an event brings to be kept, with the number of the part it is kept for."""
    number = 0 if part is None else part.number
    for one in asked.kept:
        yield number, one
    for also in asked.also:
        if isinstance(also, Filled):
            whose = part_number(also.part) if "." in also.part else 0
            for one in also.kept:
                yield whose, one


def _is_alike(before: UnitRow, after: UnitRow) -> bool:
    """Say whether a unit has the same parts, queues and end as before."""
    return (before.made, before.takes, before.ended_at) == (after.made, after.takes, after.ended_at)
