"""The picture of a finding: the calls of its trace, drawn from start to end."""

from interlock.cli.bounds import ImpossibleBounds
from interlock.kernel.check.graph import Graph
from interlock.kernel.check.report import Report, Reported
from interlock.kernel.draw.dot import dot


def picture_of(graph: Graph, found: Report, number: int) -> str:
    """Return the DOT text that shows finding ``number`` (from 1) on the unit's machine."""
    if not 1 <= number <= len(found.findings):
        message = f"There is no finding {number}."
        raise ImpossibleBounds(message, fix=f"The check has {len(found.findings)} findings.")
    one = found.findings[number - 1]
    return dot(graph.scope.flow.unit, at=_last(one), trace=_way(one))


def _way(one: Reported) -> tuple[str, ...]:
    start = one.start.split(" ", 1)[0]
    seen = [start] + [call.after for call in one.trace if call.after != "✕"]
    return tuple(
        status for i, status in enumerate(seen) if status and (not i or status != seen[i - 1])
    )


def _last(one: Reported) -> str:
    return one.standing.split(" ", 1)[0]
