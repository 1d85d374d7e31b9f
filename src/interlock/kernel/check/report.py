"""The result of a check: what was covered, what was found, and the shortest way to each finding.

A report is data first; ``text`` and ``data`` are two ways to show it. How long it took is for
whoever held the clock to fill in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from interlock.kernel.check.explore import Progress, explore
from interlock.kernel.check.graph import PLACES, Graph
from interlock.kernel.check.judge import Finding, judge
from interlock.kernel.check.scope import Scope
from interlock.kernel.check.space import State
from interlock.kernel.check.walk import Walk
from interlock.kernel.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class TraceCall:
    """One call of a trace: who sent what about which part, and how the unit stood afterwards."""

    actor: str
    event: str
    part: str
    note: str
    after: str


@dataclass(frozen=True, slots=True)
class Reported:
    """A finding with its trace; the last call is the one that shows it, where there is one."""

    finding: Finding
    start: str
    trace: tuple[TraceCall, ...]
    standing: str


@dataclass(frozen=True, slots=True)
class Report:
    """What one check covered and found."""

    workflow: str
    shape: str
    bounds: Mapping[str, object]
    states: int
    moves: int
    decides: int
    findings: tuple[Reported, ...]
    is_wide: bool = True
    seconds: float | None = None

    def timed(self, seconds: float) -> "Report":
        """Return the report with the time it took."""
        return replace(self, seconds=seconds)

    def data(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "workflow": self.workflow,
            "bounds": dict(self.bounds),
            "states": self.states,
            "moves": self.moves,
            "decides": self.decides,
            "seconds": None if self.seconds is None else round(self.seconds, 3),
            "findings": [_finding_data(one) for one in self.findings],
        }

    def text(self) -> str:
        """Return the report for a terminal or a log, without colour."""
        bounds = [f"{name}: {value}" for name, value in self.bounds.items()]
        took = "" if self.seconds is None else f" in {self.seconds:.1f} s"
        lines = [
            f"{self.workflow}: {self.shape}",
            *(f"{'' if place else 'bounds':<9} {bound}" for place, bound in enumerate(bounds)),
            f"explored  {self.states:,} states, {self.moves:,} moves{took}",
            "",
        ]
        if not self.is_wide:
            lines += [
                "Too narrow to say which edges are never used; raise the bounds for that.",
                "",
            ]
        for number, one in enumerate(self.findings, 1):
            lines += [*_finding_lines(number, one), ""]
        count = len(self.findings)
        lines.append(
            "No findings: within these bounds the workflow is sound."
            if not count
            else f"{count} finding{'s' if count > 1 else ''}."
        )
        return "\n".join(lines)


def check(scope: Scope, progress: Progress | None = None) -> Report:
    """Explore a scope and judge what was found."""
    walk = explore(scope, progress) if progress else explore(scope)
    return report(walk)


def report(walk: Walk) -> Report:
    """Judge a walk and put the shortest trace beside each finding."""
    graph = walk.graph
    flow = graph.scope.flow
    return Report(
        workflow=flow.name,
        shape=flow.shape(),
        bounds=graph.scope.bounds,
        states=len(graph.states),
        moves=graph.accepted,
        decides=graph.decides,
        findings=tuple(_reported(graph, finding) for finding in judge(walk)),
        is_wide=graph.scope.is_wide,
    )


def _reported(graph: Graph, finding: Finding) -> Reported:
    if finding.state < 0:
        return Reported(finding, "", (), "")
    way = graph.trace(finding.state)
    calls = [call_of(graph, label, source) for label, source in _with_sources(way)]
    shown = tuple(
        replace(call, after=unit_words(graph.states[state]))
        for call, (_, state) in zip(calls, way[1:], strict=True)
    )
    standing = state_words(graph.states[finding.state])
    if finding.label >= 0:
        shown = (*shown, replace(call_of(graph, finding.label, finding.state), after="✕"))
    return Reported(finding, state_words(graph.states[way[0][1]]), shown, standing)


def _with_sources(way: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(label, way[place][1]) for place, (label, _) in enumerate(way[1:])]


def call_of(graph: Graph, label: int, source: int) -> TraceCall:
    """Return the call behind a label, sent in a state."""
    _, parts = graph.states[source]
    if label < 0:
        place = label % PLACES
        return TraceCall("world", "the agent dies", _part_words(parts[place].kind, place), "", "")
    variant = graph.variants[label // PLACES]
    place = label % PLACES - 1
    part = "" if place < 0 else _part_words(parts[place].kind, place)
    actor = "person" if variant.actor.kind == "user" else variant.actor.kind
    return TraceCall(actor, variant.event, part, variant.label, "")


def _part_words(kind: str, place: int) -> str:
    return f"{kind} {place + 1}"


def unit_words(state: State) -> str:
    """Say where the unit stands."""
    return state[0].status


def state_words(state: State) -> str:
    """Say where the unit and its parts stand."""
    unit, parts = state
    if not parts:
        return unit.status
    return f"{unit.status} [{', '.join(p.status + _lease_words(p.fields) for p in parts)}]"


def _lease_words(fields: Mapping[str, object]) -> str:
    holder = fields.get("holder")
    if holder is None:
        return ""
    words = "dead agent" if holder == "gone" else "held"
    return f" ({words}, lapsed)" if fields.get("lapsed") else f" ({words})"


def snapshot_of(state: State) -> Snapshot:
    """Return a checker's state as a snapshot, for explaining and replaying."""
    return Snapshot(*state)


def _finding_data(one: Reported) -> dict[str, object]:
    return {
        "kind": one.finding.kind,
        "where": one.finding.where,
        "message": one.finding.message,
        "fix": one.finding.fix,
        "count": one.finding.count,
        "state": one.standing,
        "start": one.start,
        "trace": [
            {
                "actor": call.actor,
                "event": call.event,
                "part": call.part,
                "note": call.note,
                "after": call.after,
            }
            for call in one.trace
        ],
    }


def _finding_lines(number: int, one: Reported) -> list[str]:
    finding = one.finding
    many = f"  ({finding.count:,} states)" if finding.count > 1 else ""
    lines = [f"✕ {number} {finding.kind}  {finding.where}{many}", f"    {finding.message}"]
    if one.standing:
        lines.append(f"    It stands so: {one.standing}")
    if one.trace:
        calls = f"{len(one.trace)} call{'s' if len(one.trace) > 1 else ''}"
        lines.append(f"    Shortest way there ({calls}), from {one.start}:")
        for place, call in enumerate(one.trace, 1):
            note = f"  ({call.note})" if call.note else ""
            words = f"{place:>3} {call.actor:<7} {call.event} {call.part}{note}"
            lines.append(f"      {words:<58} {call.after}")
    lines.append(f"    Fix: {finding.fix}")
    return lines
