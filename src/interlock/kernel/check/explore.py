"""Walk every state within bounds, breadth first, with the same ``decide`` the engine uses.

What an event does depends on its slice alone, so equal slices are decided once. Besides the
graph the walk gathers what only it can see: tables that broke, zombies let in, ended units that
moved, and which edges and statuses were used at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from interlock.kernel.check.effects import Effect, Effects
from interlock.kernel.check.graph import BITS, DEATH, PEOPLE, PLACES, WORLD, Graph
from interlock.kernel.check.outcome import after
from interlock.kernel.check.queue import Queues
from interlock.kernel.check.scope import ALIVE, GONE, Scope, Turn, Variant
from interlock.kernel.check.space import Parts, Space, State
from interlock.kernel.check.variants import applies, variants
from interlock.kernel.check.walk import Problem, Walk
from interlock.kernel.entries import Decision
from interlock.kernel.look import standing
from interlock.kernel.refusal import BrokenTable
from interlock.kernel.seen import Part, Unit
from interlock.kernel.settle import check_pairs
from interlock.kernel.snapshot import Snapshot

Progress = Callable[[int, int], None]
REPORT_EVERY: Final = 5_000
SIMPLE: Final = frozenset({"part", "next", "gate"})


UNKNOWN: Final = Effect()


@dataclass(slots=True)
class Tries:
    """What is tried on a part: plain variants all at once, special ones one by one."""

    plain: list[int] = field(default_factory=list)
    special: list[int] = field(default_factory=list)

    def add(self, index: int, *, is_plain: bool) -> None:
        """Put a variant where it belongs."""
        (self.plain if is_plain else self.special).append(index)


def _quiet(states: int, left: int) -> None:
    del states, left


def explore(scope: Scope, progress: Progress = _quiet, space: type[Space] = Space) -> Walk:
    """Explore everything within the scope's bounds; ``space`` says which states are the same."""
    walker = _Walker(scope, space(scope.flow))
    for start in scope.starts:
        walker.start(start)
    done = 0
    while done < len(walker.graph.states):
        walker.visit(done)
        done += 1
        if len(walker.graph.states) > scope.states_max:
            message = f"more than {scope.states_max:,} states were found"
            walker.walk.problems.append(Problem("ENDLESS", done - 1, -1, message))
            break
        if not done % REPORT_EVERY:
            progress(done, len(walker.graph.states) - done)
    return walker.walk


class _Walker:
    """The exploration under way."""

    def __init__(self, scope: Scope, space: Space) -> None:
        self.scope = scope
        self.flow = scope.flow
        self.space = space
        self.graph = Graph(scope, variants(scope))
        self.walk = Walk(self.graph)
        self.bits = [BITS[v.actor.kind] | (PEOPLE if v.is_also_a_persons else 0)
                     for v in self.graph.variants]  # fmt: skip
        self.known: dict[State, int] = {}
        self.found: dict[int, int] = {}
        self.memo: dict[tuple[object, ...], Effect | None] = {}
        self.bundles: dict[tuple[object, ...], list[tuple[int, Effect]]] = {}
        self.tried: dict[tuple[str, Part | None], Tries] = {}
        self.queues = Queues(self.space)
        self.effects = Effects(self.space, self.walk)
        self.has_pointer = any(f.name == "current" for f in self.flow.fields)

    def start(self, snapshot: Snapshot) -> None:
        unit = self.space.unit(snapshot.unit.status, snapshot.unit.fields)
        parts = tuple(self.space.part(part) for part in snapshot.parts)
        number = self._reach(self.space.state(unit, parts), -1, 0)
        try:
            check_pairs(standing(self.flow, Snapshot(unit, parts)))
        except BrokenTable as broken:
            self.walk.problems.append(Problem(broken.finding, number, -1, str(broken)))
        self.walk.statuses.add((self.flow.unit.name, unit.status))
        self.walk.statuses.update((part.kind, part.status) for part in parts)

    def _reach(self, state: State, source: int, label: int) -> int:
        number = self.known.get(state)
        if number is None:
            number = self.known[state] = len(self.graph.states)
            self.graph.states.append(state)
            self.graph.parents.append(source)
            self.graph.labels.append(label)
        return number

    def visit(self, number: int) -> None:
        """Try everything in one state."""
        self.found = {}
        self._visit(number)
        graph = self.graph
        for target, actors in self.found.items():
            if target != number:
                graph.sources.append(number)
                graph.targets.append(target)
                graph.actors.append(actors)

    def _visit(self, number: int) -> None:
        unit, parts = self.graph.states[number]
        tally = self.space.tally(parts)[0]
        open_needs = [self.queues.waits(parts, part) if part.needs else 0 for part in parts]
        tries = self._tries(unit.status, None)
        self._try_all(number, tries.plain, None, (unit, tally))
        for index in tries.special:
            self._try(number, index, None, (index, unit, parts))
        heads = self.queues.heads(unit, parts, tally, open_needs)
        last: Part | None = None
        for place, part in enumerate(parts):
            if part is last and self._is_twin(unit, parts, place):
                continue
            last = part
            tries = self._tries(unit.status, part)
            key: tuple[object, ...] = (unit, part, open_needs[place], tally)
            if self.has_pointer:
                key = (*key, place)
            self._try_all(number, tries.plain, place, key)
            for index in tries.special:
                self._try_special(number, index, place, key, heads)
            self._die(number, place, part)

    def _is_twin(self, unit: Unit, parts: Parts, place: int) -> bool:
        """Say whether a part and the one before it are one and the same, tried once for both.

        Interchangeable parts of equal values are, as long as nothing points at either of them.
        """
        part, both = parts[place], (place - 1, place)
        if part.needs or not self.space.is_alike(part) or unit.fields.get("current") in both:
            return False
        return not any(p.parent in both or not {*both}.isdisjoint(p.needs) for p in parts)

    def _try_special(
        self,
        number: int,
        index: int,
        place: int,
        key: tuple[object, ...],
        heads: dict[str, int | None],
    ) -> None:
        """Try what depends on more than the part and the tally: its turn, its branches, others."""
        unit, parts = self.graph.states[number]
        variant = self.graph.variants[index]
        if variant.event in self.queues.claims and heads[parts[place].kind] != place:
            return
        if variant.turns and not _has_targets(variant, parts, place):
            return
        self._try(number, index, place, (index, key, self._extra(variant, unit, parts, place)))

    def _tries(self, status: str, part: Part | None) -> Tries:
        known = self.tried.get((status, part))
        if known is None:
            known = self.tried[(status, part)] = Tries()
            for index, variant in enumerate(self.graph.variants):
                if self._is_candidate(variant, status, part):
                    known.add(index, is_plain=self._is_plain(variant))
        return known

    def _is_plain(self, variant: Variant) -> bool:
        if variant.turns or variant.event in self.queues.claims:
            return False
        return SIMPLE.issuperset(self._sees(variant))

    def _sees(self, variant: Variant) -> tuple[str, ...]:
        rule = self.flow.rule(variant.event)
        sees = () if rule is None else rule.sees
        # Without a branch hung on the part there is nothing to see in its conditions.
        return tuple(name for name in sees if name != "conditions")

    def _is_candidate(self, variant: Variant, status: str, part: Part | None) -> bool:
        kind = self.flow.unit.name if part is None else part.kind
        rule = self.flow.table.rules.get(variant.event)
        if rule is None or rule.row.kind != kind:
            return False
        if not rule.admits(status, "" if part is None else part.status):
            return False
        return part is None or applies(variant, part)

    def _extra(self, variant: Variant, unit: Unit, parts: Parts, place: int) -> object:
        """Return what else of the state the variant's slice shows."""
        part, pointer = parts[place], unit.fields.get("current")
        turns = tuple(_view(parts, place, turn) for turn in variant.turns)
        parent = parts[part.parent] if isinstance(part.parent, int) else None
        current = parts[pointer] if isinstance(pointer, int) else None
        head = part.parent if isinstance(part.parent, int) else place
        family = tuple(p for p in parts if p.parent == head)
        after_it = tuple(p for p in parts if place in p.needs)
        return (turns, parent, current, family, after_it)

    def _try_all(
        self, number: int, indexes: list[int], place: int | None, key: tuple[object, ...]
    ) -> None:
        """Try variants that depend on nothing but the key; equal keys are decided once."""
        self.graph.decides += len(indexes)
        accepted = self.bundles.get(key)
        if accepted is None:
            accepted = self.bundles[key] = [
                (index, effect)
                for index in indexes
                if (effect := self._decide(number, index, place)) is not None
            ]
        for index, effect in accepted:
            self._follow(number, index, place, effect)

    def _try(self, number: int, index: int, place: int | None, key: tuple[object, ...]) -> None:
        self.graph.decides += 1
        effect = self.memo.get(key, UNKNOWN)
        if effect is UNKNOWN:
            effect = self.memo[key] = self._decide(number, index, place)
        if effect is not None:
            self._follow(number, index, place, effect)

    def _follow(self, number: int, index: int, place: int | None, effect: Effect) -> None:
        """Go where an accepted event leads, or note what is wrong with it."""
        graph = self.graph
        label = index * PLACES + (0 if place is None else place + 1)
        if effect.problem:
            kind, _, message = effect.problem.partition(" ")
            self.walk.problems.append(Problem(kind, number, label, message))
            return
        graph.accepted += 1
        if effect.decision is not None:
            state = self._apply(number, index, place or 0, effect.decision)
        elif effect.unit is None or effect.part is None or place is None:
            return
        else:
            parts = graph.states[number][1]
            state = self.space.state(
                effect.unit, (*parts[:place], effect.part, *parts[place + 1 :])
            )
        if state is not None:
            target = self._reach(state, number, label)
            self.found[target] = self.found.get(target, 0) | self.bits[index]

    def _decide(self, number: int, index: int, place: int | None) -> Effect | None:
        return self.effects.of(self.graph.states[number], self.graph.variants[index], place)

    def _apply(self, number: int, index: int, place: int, decision: Decision) -> State | None:
        """Return the state after a decision that changes more than its unit and its part."""
        unit, parts = self.graph.states[number]
        ahead = tuple(turn.ahead for turn in self.graph.variants[index].turns)
        new_unit, new_parts = after(self.space, unit, parts, place, decision, ahead)
        if self._is_beyond(new_parts, len(parts)):
            self.graph.cut.add(number)
            return None
        return self.space.state(new_unit, new_parts)

    def _is_beyond(self, parts: Parts, before: int) -> bool:
        if len(parts) <= before:
            return False
        canonical = self.space.canonical(parts)[0]
        return any(
            sum(part.kind == kind for part in canonical) > most
            for kind, most in self.scope.most.items()
        )

    def _die(self, number: int, place: int, part: Part) -> None:
        """Let the agent that holds the part die: nothing changes but who will call again."""
        if part.fields.get("holder") != ALIVE or self.space.is_dead(part):
            return
        unit, parts = self.graph.states[number]
        dead = self.space.written(part, "holder", GONE)
        state = self.space.state(unit, (*parts[:place], dead, *parts[place + 1 :]))
        label = DEATH * PLACES + place
        target = self._reach(state, number, label)
        self.found[target] = self.found.get(target, 0) | WORLD


def _has_targets(variant: Variant, parts: Parts, place: int) -> bool:
    last = place + max(turn.ahead for turn in variant.turns)
    return last < len(parts) and parts[last].kind == parts[place].kind


def _view(parts: Parts, place: int, turn: Turn) -> object:
    if not turn.ahead:
        return None
    between = tuple(part.status for part in parts[place + 1 : place + turn.ahead])
    return (parts[place + turn.ahead].status, between)
