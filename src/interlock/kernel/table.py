"""A workflow compiled for speed: dictionaries and closures made once from its rows.

Nothing is decided here and nothing is added: every entry comes from a row. ``decide`` and
``settle`` use the table only.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interlock.kernel.forms import All, Any, Check, Form, In, leaves
from interlock.kernel.refusal import Legal, Refusal
from interlock.kernel.rules import Cascade, Do, Fire, Lift, Pair, Rule

if TYPE_CHECKING:
    from interlock.kernel.draft import Draft
    from interlock.kernel.fold import Path
    from interlock.kernel.machine import Edge
    from interlock.kernel.workflow import Workflow

SESSIONS = "sessions"
"""The field of a unit that remembers every session that has touched it."""

Stage = Callable[["Draft"], object]
Edges = dict[tuple[str, str], "Edge"]


@dataclass(slots=True)
class CompiledRule:
    """A rule with its guards and walk as functions."""

    row: Rule
    actors: frozenset[str]
    walk: tuple[Stage, ...]
    unit_statuses: frozenset[str] | None
    part_statuses: frozenset[str] | None
    # (unit status, part status) -> the rule folded for them, made when first needed.
    paths: "dict[tuple[str, str], Path]" = field(default_factory=dict)

    def admits(self, unit_status: str, part_status: str) -> bool:
        """Say whether the rule's own status guards admit these statuses."""
        if self.unit_statuses is not None and unit_status not in self.unit_statuses:
            return False
        return self.part_statuses is None or part_status in self.part_statuses


@dataclass(slots=True)
class CompiledLift:
    """A lift with its test as a function; ``edge`` is the unit's, where it lifts the unit."""

    row: Lift
    check: Check
    edge: "Edge | None"


@dataclass(slots=True)
class CompiledCascade:
    """A cascade with its test as a function."""

    row: Cascade
    check: Check | None
    run: Stage | None


@dataclass(slots=True)
class Table:
    """What ``decide`` and ``settle`` look things up in."""

    rules: dict[str, CompiledRule]
    edges: dict[str, Edges]
    lifts: dict[str, tuple[CompiledLift, ...]]
    entering: dict[tuple[str, str], tuple[CompiledCascade, ...]]
    leaving: dict[tuple[str, str], tuple[CompiledCascade, ...]]
    pairs: dict[str, tuple[tuple[Check, Pair], ...]]
    terminal: frozenset[str]
    child_kinds: frozenset[str]
    # Unit status -> the kinds whose tallies alone decide its lifts and pairs; see ``settle``.
    watched: dict[str, tuple[str, ...]]
    # What is known to be at rest: unit status and the statuses present of each watched kind.
    calm: set[tuple[object, ...]]
    # What is legal, by the unit's status, a kind and a part's status, as far as it was asked for.
    legal: dict[tuple[str, str, str], tuple[Legal, ...]]
    # The same for a kind of actor, each with the tests that can still say no; see ``offered``.
    open: dict[tuple[str, str, str, str], tuple[tuple[Legal, tuple[Form, ...]], ...]]
    # Kind and status whose entering or leaving something follows.
    reactive: frozenset[tuple[str, str]]
    # Kind -> its fields that live in certain statuses only: name, default, statuses.
    mortal: dict[str, tuple[tuple[str, object, frozenset[str]], ...]]
    # Whether the unit remembers who has touched it; see ``Draft``.
    meets: bool

    def ended(self, kind: str, source: str, target: str) -> dict[str, object]:
        """Return the fields whose life a move ends, with what they go back to."""
        return {
            name: default
            for name, default, during in self.mortal.get(kind, ())
            if source in during and target not in during
        }

    def cleared(
        self, kind: str, source: str, target: str, fields: dict[str, object]
    ) -> dict[str, object]:
        """Return the fields of a thing that has just moved."""
        ended = self.ended(kind, source, target)
        return {**fields, **ended} if ended else fields


def compile_table(flow: "Workflow") -> Table:
    """Compile the rows of a workflow."""
    edges: dict[str, Edges] = {
        # Reversed, so that of two rows for one signal the first wins; the checker reports both.
        m.name: {(e.source, e.on): e for e in reversed(m.edges)}
        for m in flow.machines()
    }
    entering = _cascades(flow, entering=True)
    leaving = _cascades(flow, entering=False)
    lifts = _lifts(flow, edges[flow.unit.name])
    pairs = _pairs(flow)
    return Table(
        rules={rule.event: _rule(flow, rule) for rule in flow.rules},
        edges=edges,
        lifts=lifts,
        watched=_watched(flow, lifts, pairs),
        calm=set(),
        legal={},
        open={},
        entering=entering,
        leaving=leaving,
        reactive=frozenset(entering) | frozenset(leaving),
        pairs=pairs,
        terminal=frozenset(flow.unit.names("terminal")),
        child_kinds=frozenset(p.name for p in flow.parts if p.parent),
        mortal=_mortal(flow),
        meets=any(field.name == SESSIONS for field in flow.fields),
    )


def _mortal(
    flow: "Workflow",
) -> dict[str, tuple[tuple[str, object, frozenset[str]], ...]]:
    kinds = [(flow.unit, flow.fields), *((kind.machine, kind.fields) for kind in flow.parts)]
    return {
        machine.name: tuple((f.name, f.default, frozenset(f.during)) for f in fields if f.during)
        for machine, fields in kinds
    }


def _rule(flow: "Workflow", rule: Rule) -> CompiledRule:
    return CompiledRule(
        row=rule,
        actors=rule.actors,
        walk=tuple(_stage(flow, stage) for stage in rule.walk),
        unit_statuses=_admitted(rule, "unit"),
        part_statuses=_admitted(rule, "part"),
    )


def _admitted(rule: Rule, who: str) -> frozenset[str] | None:
    """Intersect the rule's own ``In`` guards; None when it has none for ``who``."""
    admitted: frozenset[str] | None = None
    for guard in rule.guards:
        if isinstance(guard.test, In) and guard.test.who == who:
            statuses = frozenset(guard.test.statuses)
            admitted = statuses if admitted is None else admitted & statuses
    return admitted


def _stage(flow: "Workflow", stage: Fire | Do) -> Stage:
    when = stage.when.compile(flow.functions) if stage.when is not None else None
    run = flow.functions[stage.name] if isinstance(stage, Do) else _fire(flow, stage)
    if when is None:
        return run

    def only_when(d: "Draft") -> None:
        if when(d):
            run(d)

    return only_when


def _fire(flow: "Workflow", stage: Fire) -> Stage:
    who, signal, maybe, reason = stage.who, stage.signal, stage.maybe, stage.reason
    from_arg = stage.from_arg
    guarded = {
        (machine.name, edge.source, edge.on): tuple(
            (g.test.compile(flow.functions), g) for g in edge.guards
        )
        for machine in flow.machines()
        for edge in machine.edges
        if edge.guards
    }

    def fire(d: "Draft") -> None:
        named = str(d.event.args.get(from_arg)) if from_arg else signal
        live = d.live(who)
        if live is not None and guarded:
            for check, guard in guarded.get((d.kind_of(live), live.status, named), ()):
                if not check(d):
                    raise Refusal(d, guard.code, guard)
        d.fire(who, named, maybe=maybe, reason=reason)

    return fire


def _lifts(flow: "Workflow", edges: Edges) -> dict[str, tuple[CompiledLift, ...]]:
    """List, for each status of the unit, the lifts that could move something there."""
    compiled = [(lift, lift.when.compile(flow.functions)) for lift in flow.lifts]
    return {
        status: tuple(
            CompiledLift(lift, check, edges.get((status, lift.fire)))
            for lift, check in compiled
            if lift.who != "unit" or (status, lift.fire) in edges
        )
        for status in flow.unit.names()
    }


def _watched(
    flow: "Workflow",
    lifts: dict[str, tuple[CompiledLift, ...]],
    pairs: dict[str, tuple[tuple[Check, Pair], ...]],
) -> dict[str, tuple[str, ...]]:
    """Find the unit statuses whose lifts and pairs ask only which statuses occur among parts."""
    watched: dict[str, tuple[str, ...]] = {}
    for status in flow.unit.names():
        forms = [lift.row.when for lift in lifts[status]] + [p.holds for _, p in pairs[status]]
        above = any(lift.row.who != "unit" for lift in lifts[status])
        found = [leaf for form in forms for leaf in leaves(form)]
        if not above and all(isinstance(leaf, All | Any) and leaf.of == "unit" for leaf in found):
            kinds = {leaf.kind for leaf in found if isinstance(leaf, All | Any)}
            watched[status] = tuple(sorted(kinds))
    return watched


def _cascades(
    flow: "Workflow", *, entering: bool
) -> dict[tuple[str, str], tuple[CompiledCascade, ...]]:
    found: dict[tuple[str, str], tuple[CompiledCascade, ...]] = {}
    for row in flow.cascades:
        check = row.when.compile(flow.functions) if row.when is not None else None
        compiled = CompiledCascade(row, check, flow.functions[row.do] if row.do else None)
        for status in row.enters if entering else row.leaves:
            key = (row.of, status)
            found[key] = (*found.get(key, ()), compiled)
    return found


def _pairs(flow: "Workflow") -> dict[str, tuple[tuple[Check, Pair], ...]]:
    compiled = [(pair.holds.compile(flow.functions), pair) for pair in flow.pairs]
    return {
        status: tuple((check, pair) for check, pair in compiled if status in pair.units)
        for status in flow.unit.names()
    }


def claimable(form: Form | None, flow: "Workflow") -> Check:
    """Compile a queue's test; no test admits nothing."""
    if form is None:
        return lambda _: False
    return form.compile(flow.functions)
