"""How tests read what the checker found: one finding, and its shortest trace as calls.

A call is written as its event, the place of the step or hop counted from 1 (none for a call about
the whole unit), and in brackets what is special about it: an old lease, a branch that fired.
Places are those of the state the call was made in.
"""

from interlock.kernel.check.graph import PLACES
from interlock.kernel.check.judge import Finding, judge
from interlock.kernel.check.walk import Walk

SEEN_BY_THE_WALK = frozenset({"BROKEN_CALL", "ILLEGAL_PAIR", "LOOP", "ZOMBIE", "LEFT_TERMINAL"})
"""Findings about one call: their trace ends with it. The others are about a state."""


def found(walk: Walk, kind: str, where: str) -> Finding:
    """Return the finding of a kind at a place; fails with the list of all when there is none."""
    findings = judge(walk)
    for finding in findings:
        if (finding.kind, finding.where) == (kind, where):
            return finding
    listed = "\n".join(f"{f.kind}: {f.where}" for f in findings)
    raise AssertionError(f"no {kind} at {where!r}, only\n{listed}")


def calls(walk: Walk, finding: Finding) -> list[str]:
    """Return the shortest trace of a finding as calls."""
    labels = [label for label, _ in walk.graph.trace(finding.state)[1:]]
    if finding.kind in SEEN_BY_THE_WALK:
        labels.append(finding.label)
    return [_call(walk, label) for label in labels]


def parts_at_start(walk: Walk, finding: Finding) -> int:
    """Return how many parts the unit of a finding's trace began with."""
    start = walk.graph.trace(finding.state)[0][1]
    return len(walk.graph.states[start][1])


def _call(walk: Walk, label: int) -> str:
    if label < 0:
        return f"(agent of {label % PLACES + 1} dies)"
    variant = walk.graph.variants[label // PLACES]
    place = label % PLACES
    words = variant.event if not place else f"{variant.event} {place}"
    return f"{words} [{variant.label}]" if variant.label else words
