"""The picture of a finding: a machine with the way there marked, from the start to where it stands.

A finding that the tables alone show (an edge nothing takes, an event always refused) has no way
there; its machine is drawn, with the status in question marked.
"""

from itertools import groupby

from interlock.cli.bounds import ImpossibleBounds
from interlock.kernel.check.graph import Graph
from interlock.kernel.check.report import Report, Reported
from interlock.kernel.draw.dot import dot


def picture_of(graph: Graph, found: Report, number: int) -> str:
    """Return the DOT text that shows finding ``number``, counted from 1."""
    one = _chosen(found, number)
    flow = graph.scope.flow
    if not one.standing:
        kind, name, *_ = one.finding.where.split()
        machine = flow.machine(kind)
        return dot(machine, at=name if name in machine.names() else "")
    return dot(flow.unit, at=_status(one.standing), trace=_way(one))


def _chosen(found: Report, number: int) -> Reported:
    count = len(found.findings)
    if not count:
        message = "The check has no findings, so none can be drawn."
        raise ImpossibleBounds(message, fix="Leave --picture out.")
    if not 1 <= number <= count:
        say = "1" if count == 1 else f"1 to {count}"
        raise ImpossibleBounds(f"There is no finding {number}.", fix=f"Say --picture {say}.")
    return found.findings[number - 1]


def _way(one: Reported) -> tuple[str, ...]:
    """Return where the unit stood, in order; a call that moves only a part is no new place."""
    stood = (_status(one.start), *(call.after for call in one.trace if call.after != "✕"))
    return tuple(status for status, _ in groupby(stood))


def _status(standing: str) -> str:
    return standing.split(" ", 1)[0]
