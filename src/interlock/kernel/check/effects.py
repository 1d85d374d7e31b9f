"""What an event does in a state, decided once for all states that show it the same slice."""

from dataclasses import dataclass

from interlock.kernel.check.outcome import after
from interlock.kernel.check.scope import Turn, Variant
from interlock.kernel.check.space import Parts, Space, State
from interlock.kernel.check.variants import fence_of, must_refuse
from interlock.kernel.check.walk import Walk
from interlock.kernel.decide import decide
from interlock.kernel.entries import Decision, Entry, Move, New, Write
from interlock.kernel.look import look
from interlock.kernel.refusal import BrokenTable, Refusal
from interlock.kernel.rules import SYSTEM, USER
from interlock.kernel.seen import Event, Part, PartId, Unit
from interlock.kernel.snapshot import Condition, Snapshot


@dataclass(slots=True)
class Effect:
    """What an event does in every state that shows it the same slice.

    Mostly it changes the unit and the part alone, and those are kept as they come out; else the
    decision is kept and applied to each state. Neither: nothing changes.
    """

    unit: Unit | None = None
    part: Part | None = None
    decision: Decision | None = None
    problem: str = ""


class Effects:
    """Decides variants in states, and notes which edges and statuses were used."""

    def __init__(self, space: Space, walk: Walk) -> None:
        """Work for one exploration."""
        self.flow = space.flow
        self.space = space
        self.walk = walk

    def of(self, state: State, variant: Variant, place: int | None) -> Effect | None:
        """Return what the variant does in the state, or None where it is refused."""
        unit, parts = state
        event = event_of(variant, parts, place)
        conditions: dict[PartId, tuple[Condition, ...]] = {}
        if place is not None and variant.turns:
            conditions[place] = tuple(_condition(turn, place) for turn in variant.turns)
        seen = look(self.flow, Snapshot(unit, parts, (), conditions), event)
        try:
            decision = decide(self.flow, seen, event)
        except Refusal:
            return None
        except BrokenTable as broken:
            return Effect(problem=f"{broken.finding} {broken}")
        wrong = self._wrong(variant, unit, parts, place, decision)
        if wrong:
            return Effect(problem=wrong)
        self.walk.events.add(variant.event)
        self._used(decision)
        return self._effect(unit, parts, place, decision)

    def _effect(self, unit: Unit, parts: Parts, place: int | None, decision: Decision) -> Effect:
        """Keep the outcome itself where it is the same for every state with this slice."""
        if not decision.entries:
            return Effect()
        if place is None or not all(_is_own(entry) for entry in decision.entries):
            return Effect(decision=decision)
        new_unit, new_parts = after(self.space, unit, parts, place, decision, ())
        return Effect(unit=new_unit, part=new_parts[place])

    def _used(self, decision: Decision) -> None:
        for entry in decision.entries:
            if isinstance(entry, Move):
                self.walk.edges.add((entry.kind, entry.source, entry.signal))
                self.walk.statuses.add((entry.kind, entry.target))
            elif isinstance(entry, New):
                self.walk.statuses.add((entry.kind, entry.status))

    def _wrong(
        self, variant: Variant, unit: Unit, parts: Parts, place: int | None, decision: Decision
    ) -> str:
        """Say what an accepted event should not have been accepted for; mostly nothing."""
        name, by = variant.event, variant.actor.kind
        if unit.status in self.flow.table.terminal and by != USER:
            # The clock may still move parts (what has a time to live goes stale), agents may not.
            is_moved = by != SYSTEM and any(isinstance(e, Move) for e in decision.entries)
            if is_moved or decision.status != unit.status:
                return f"LEFT_TERMINAL {name} by {by} moves something in what is {unit.status}"
        if place is None:
            return ""
        if must_refuse(self.flow, variant, parts[place]):
            return f"ZOMBIE {name} is accepted from one who no longer holds the part"
        return self._wrong_lease(variant, parts[place], decision)

    def _wrong_lease(self, variant: Variant, part: Part, decision: Decision) -> str:
        before, after_it = part.fields, decision.part.fields if decision.part else {}
        holder = after_it.get("holder")
        is_claim = variant.event == self.flow.kind(part.kind).claim
        if is_claim and holder is None and self._can_be_held(decision):
            return f"NO_LEASE {variant.event} gives the part to nobody"
        is_new = after_it.get("fence") != before.get("fence") and holder is not None
        is_free = before.get("holder") is None or bool(before.get("lapsed"))
        if is_new and not is_free and variant.actor.kind != USER:
            return f"STOLEN {variant.event} takes the part from one whose lease is alive"
        return ""

    def _can_be_held(self, decision: Decision) -> bool:
        """Say whether a lease lives where the part stands now: a claim may fail it at once."""
        part = decision.part
        if part is None:
            return False
        during = {f.name: f.during for f in self.flow.kind(part.kind).fields}.get("holder", ())
        return not during or part.status in during


def event_of(variant: Variant, parts: Parts, place: int | None) -> Event:
    """Return the event that a variant sends about the part at a place."""
    args = variant.args
    if place is not None and variant.lease:
        fence = fence_of(variant, parts[place])
        if fence is not None:
            args = {**args, "fence": fence}
    return Event(variant.event, variant.actor, place, args)


def _is_own(entry: Entry) -> bool:
    return isinstance(entry, Move | Write) and entry.who in ("unit", "part")


def _condition(turn: Turn, place: int) -> Condition:
    target = place + turn.ahead if turn.ahead else None
    return Condition(turn.expression, turn.action, turn.params, target)
