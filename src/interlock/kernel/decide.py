"""Decide what one event does to one unit of work. All of our rules run here; no I/O does.

The rules come in as a ``Workflow``, the facts as a slice (``Seen``). What goes out is a
``Decision`` that a store can write in a single commit. Nothing here reads a clock, a row or a
setting. ``now`` is stamped on the decision and never compared: that a lease ran out is an event
too, so the space of states is finite and can be explored.
"""

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Decision
from interlock.kernel.fold import plot
from interlock.kernel.refusal import Refusal
from interlock.kernel.seen import Event, Part, Seen
from interlock.kernel.settle import settle
from interlock.kernel.workflow import Workflow


def decide(flow: Workflow, seen: Seen, event: Event, now: int = 0) -> Decision:
    """Return what ``event`` changes, or raise the ``Refusal`` that names the rule it breaks."""
    draft = Draft(flow, seen, event, now)
    rule = flow.table.rules.get(event.name)
    if rule is None:
        raise Refusal(draft, "UNKNOWN_EVENT")
    if event.actor.kind not in rule.actors:
        raise Refusal(draft, "NOT_ALLOWED")
    part = seen.part
    kind, status = (part.kind, part.status) if type(part) is Part else (flow.unit.name, "")
    if kind != rule.row.kind:
        raise Refusal(draft, "WRONG_KIND")
    key = (seen.unit.status, status)
    path = rule.paths.get(key)
    if path is None:
        path = rule.paths[key] = plot(flow, flow.table, rule.row, *key)
    # Guards run in table order and a caller is shown only the first refusal: a row lists the
    # one a caller can act on before those it cannot.
    for check, guard in path.guards:
        if not check(draft):
            raise Refusal(draft, guard.code, guard)
    draft.follow(path)
    for stage in path.stages:
        stage(draft)
    settle(draft)
    return draft.decision()
