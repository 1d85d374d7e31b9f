"""Take rows out of a workflow, or change them, to plant a known hole.

Every function fails when the row it is about is not there: a hole that was not planted proves
nothing.
"""

from collections.abc import Callable
from dataclasses import replace

from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.kernel.workflow import Workflow


def with_rule(flow: Workflow, event: str, change: Callable[[Rule], Rule]) -> Workflow:
    """Return the workflow with one rule changed."""
    rules = tuple(change(rule) if rule.event == event else rule for rule in flow.rules)
    _must_differ(rules, flow.rules, f"rule {event}")
    return replace(flow, rules=rules)


def without_rules(flow: Workflow, *events: str) -> Workflow:
    """Return the workflow without some events."""
    rules = tuple(rule for rule in flow.rules if rule.event not in events)
    _must_lack(rules, flow.rules, len(events), f"rules {', '.join(events)}")
    # Nor may a queue's verb name what is gone.
    parts = tuple(
        replace(part, verbs={v: e for v, e in part.verbs.items() if e not in events})
        for part in flow.parts
    )
    return replace(flow, rules=rules, parts=parts)


def without_stages(flow: Workflow, event: str, *stages: Fire | Do) -> Workflow:
    """Return the workflow with some stages gone from the walk of an event."""

    def change(rule: Rule) -> Rule:
        walk = tuple(stage for stage in rule.walk if stage not in stages)
        _must_lack(walk, rule.walk, len(stages), f"stages of {event}")
        return replace(rule, walk=walk)

    return with_rule(flow, event, change)


def without_guards(flow: Workflow, event: str, *guards: Guard) -> Workflow:
    """Return the workflow with some guards gone from an event."""

    def change(rule: Rule) -> Rule:
        kept = tuple(guard for guard in rule.guards if guard not in guards)
        _must_lack(kept, rule.guards, len(guards), f"guards of {event}")
        return replace(rule, guards=kept)

    return with_rule(flow, event, change)


def without_lifts(flow: Workflow, *names: str) -> Workflow:
    """Return the workflow without some lifts."""
    lifts = tuple(lift for lift in flow.lifts if lift.name not in names)
    _must_lack(lifts, flow.lifts, len(names), f"lifts {', '.join(names)}")
    return replace(flow, lifts=lifts)


def without_cascades(flow: Workflow, *names: str) -> Workflow:
    """Return the workflow without some cascades."""
    cascades = tuple(cascade for cascade in flow.cascades if cascade.name not in names)
    _must_lack(cascades, flow.cascades, len(names), f"cascades {', '.join(names)}")
    return replace(flow, cascades=cascades)


def without_pairs(flow: Workflow) -> Workflow:
    """Return the workflow free to walk on where a pair is broken."""
    return replace(flow, pairs=())


def _must_differ(after: tuple[Rule, ...], before: tuple[Rule, ...], what: str) -> None:
    assert after != before, f"{what} is not in the tables"


def _must_lack(
    after: tuple[object, ...], before: tuple[object, ...], count: int, what: str
) -> None:
    assert len(before) - len(after) >= count, f"not all of {what} are in the tables"
