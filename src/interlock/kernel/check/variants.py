"""Which events the checker tries: every rule, by every kind of actor, with every example.

For a rule that is proved by a lease it tries the live holder's fence, the fence of one who gave
the part back, an older one, and none at all. Agents and workers may do the same things, so one
of them stands for both.
"""

from collections.abc import Iterator
from typing import Final

from interlock.kernel.check.scope import ALIVE, Scope, Variant
from interlock.kernel.forms import By, leaves
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Rule
from interlock.kernel.seen import Actor, Part
from interlock.kernel.workflow import Workflow

LEASES: Final = ("current", "former", "stale", "none")
STALE_FENCE: Final = -1
AGENT_ACTOR: Final = Actor(AGENT, "agent", ALIVE)
STRANGER: Final = Actor(AGENT, "stranger", "stranger")
PERSON: Final = Actor(USER, "person", "person")
CLOCK: Final = Actor(SYSTEM, "system", "system")


def variants(scope: Scope) -> tuple[Variant, ...]:
    """Return everything that is tried in every state."""
    own = tuple(v for rule in scope.flow.rules for v in _of_rule(rule))
    return (*own, *scope.extra)


def _of_rule(rule: Rule) -> Iterator[Variant]:
    actors = _actors(rule)
    # Where no row asks who sent it, an agent's and a person's event are tried as one.
    is_both = {AGENT, USER} <= rule.actors and not rule.lease and not _asks_who(rule)
    for actor in actors:
        if is_both and actor is PERSON:
            continue
        for args in rule.examples:
            for lease in _leases(rule, actor):
                by = _by(actor, lease)
                both = is_both and actor is AGENT_ACTOR
                yield Variant(rule.event, rule.kind, by, args, lease, is_also_a_persons=both)


def _asks_who(rule: Rule) -> bool:
    tests = [guard.test for guard in rule.guards]
    tests += [stage.when for stage in rule.walk if stage.when is not None]
    return any(isinstance(leaf, By) for test in tests for leaf in leaves(test))


def _leases(rule: Rule, actor: Actor) -> tuple[str, ...]:
    if not rule.lease:
        return ("",)
    # People hold no leases of their own in a check; what they can do without one is tried.
    return ("none",) if actor.kind == USER else LEASES


def _actors(rule: Rule) -> tuple[Actor, ...]:
    actors: list[Actor] = []
    if rule.actors & {AGENT, WORKER}:
        actors.append(AGENT_ACTOR if AGENT in rule.actors else Actor(WORKER, "worker", ALIVE))
    if USER in rule.actors:
        actors.append(PERSON)
    if SYSTEM in rule.actors:
        actors.append(CLOCK)
    return tuple(actors)


def _by(actor: Actor, lease: str) -> Actor:
    return STRANGER if lease == "none" and actor.kind == AGENT else actor


def fence_of(variant: Variant, part: Part) -> int | None:
    """Return the fence a variant sends for a part, or None where it sends none."""
    if variant.lease in ("current", "former"):
        fence = part.fields["fence"]
        return fence if isinstance(fence, int) else None
    return STALE_FENCE if variant.lease == "stale" else None


def applies(variant: Variant, part: Part) -> bool:
    """Say whether such a caller exists for a part that stands so."""
    if not variant.lease or variant.lease == "none":
        return True
    fields = part.fields
    if not fields["fence"]:
        return False
    if variant.lease == "current":
        return fields["holder"] == ALIVE
    return variant.lease == "stale" or fields["holder"] is None


def must_refuse(flow: Workflow, variant: Variant, part: Part) -> bool:
    """Say whether accepting this would let a zombie in."""
    if variant.lease == "none":
        # Without a fence only the holder's own session may act on what is held.
        return variant.actor.kind in (AGENT, WORKER) and part.fields["holder"] is not None
    is_given_back = part.status == flow.kind(part.kind).machine.initial
    return variant.lease == "stale" or (variant.lease == "former" and is_given_back)
