"""The way on: what those who mean well do next with a unit, wherever it stands.

Who draws at random seldom comes far: a ticket takes some hundred right commands in a row until it
is merged. Here is only what leads on, one command at a time, and by what the audit says by now; so
a course can break off anywhere, and whoever comes next finds the unit there.
"""

import random
from dataclasses import replace
from typing import Final, NamedTuple

from interlock.kernel.rules import USER, Rule
from interlock.service.order import Asked
from interlock.service.work import claim
from interlock.workflows.ticket.phases import ANSWERS, APPROVALS, BLOCKED, REVIEW
from tests.simulation import drawing
from tests.simulation.actors import AGENTS, PEOPLE, Cast, agent, is_good, order, person
from tests.simulation.ledger import Sent
from tests.simulation.mirror import NAMED, Thing, Unit

STEPS_MAX: Final = 6
LONG_MAX: Final = 100
"""How many commands a unit is led on by at once: a few, or as many as it takes to get somewhere."""

TAKES_FIRST: Final = 0.35
FAILS: Final = 0.06
FAILS_UNSEEN: Final = 0.3
"""How often those who mean well fail at their work, so that somebody has to mend it; and how often
while the run has not seen everything yet that can become of such work.
"""


class Turn(NamedTuple):
    """What is said about a thing where it stands, if that is admitted where its unit stands."""

    kind: str
    statuses: tuple[str, ...]
    event: str


TURNS: Final[dict[str, tuple[Turn, ...]]] = {
    "plan": (),
    "mission": (
        Turn("mission", ("PROPOSED",), "accept_mission"),
        Turn("asset", ("PENDING", "ERROR", "EXPIRED"), "set_asset"),
        Turn("hop", ("PROPOSED",), "accept_hop"),
        Turn("hop", ("FAILED",), "fix_hop"),
        Turn("hop", ("READY_TO_EXECUTE",), "execute_hop"),
    ),
    "ticket": (
        Turn("ticket", ("DRAFT",), "start"),
        Turn("ticket", (ANSWERS,), "answer_batch"),
        Turn("ticket", APPROVALS, "approve"),
        Turn("ticket", (REVIEW,), "merge"),
        Turn("ticket", (BLOCKED,), "retry"),
    ),
}
"""Whose turn it is beside those who work."""

LAST: Final[dict[str, tuple[Turn, ...]]] = {
    "mission": (Turn("mission", ("READY_FOR_NEXT_HOP",), "propose_hop"),),
}
"""What comes when nothing else does."""

WORK_FIRST: Final = frozenset({"ticket"})
"""Where people wait until the work that is open is done; elsewhere work waits for people."""


def aim(cast: Cast, unit: Unit, chance: random.Random) -> tuple[str, int]:
    """Draw how far a unit is led: to a status, rather one that was seldom seen; or a few steps."""
    names = unit.flow.unit.names()
    at, flow = names.index(unit.me.status), unit.flow.name
    ahead = [name for name in names[at + 1 :] if name not in unit.flow.table.terminal]
    if not ahead or chance.random() < 0.5:
        return "", chance.randint(1, STEPS_MAX)
    seen = cast.mirror.reached
    weights = [1 / (1 + seen[flow, unit.me.kind, name]) for name in ahead]
    return chance.choices(ahead, weights)[0], LONG_MAX


def onward(cast: Cast, unit: Unit, chance: random.Random) -> Sent | None:
    """Draw the next command of a unit's course; none where nothing can be done right now."""
    turns = TURNS[unit.flow.name]
    if unit.flow.name in WORK_FIRST:
        return _work(cast, unit, chance) or _say(cast, unit, turns, chance)
    return (
        _say(cast, unit, turns, chance)
        or _work(cast, unit, chance)
        or _say(cast, unit, LAST.get(unit.flow.name, ()), chance)
    )


def _work(cast: Cast, unit: Unit, chance: random.Random) -> Sent | None:
    """Hand in what somebody holds, else take what is open; now and then the other way round."""
    if chance.random() < TAKES_FIRST:
        return _take(cast, unit, chance) or _hand_in(cast, unit, chance)
    return _hand_in(cast, unit, chance) or _take(cast, unit, chance)


def _take(cast: Cast, unit: Unit, chance: random.Random) -> Sent | None:
    for event, kind in drawing.open_parts(unit):
        tag = cast.tag()
        by = agent(unit.tenant, chance.choice(AGENTS), tag)
        asks = (Asked(event, kind=kind, told={NAMED: tag}),)
        return order(by, unit.me.name, asks, chance, send=claim)
    return None


def _hand_in(cast: Cast, unit: Unit, chance: random.Random) -> Sent | None:
    for held in reversed(cast.ledger.held):
        if held.unit != unit.me.name or not is_good(cast, held, held.by.tenant, held.by.id):
            continue
        part = unit.parts[held.part]
        verb, draws = "submit", drawing.onward
        if chance.random() < _fails(cast, unit, part):
            verb, draws = "fail", drawing.asked
        rule = unit.flow.rule(unit.flow.kind(part.kind).verbs[verb])
        assert rule is not None
        if _admits(unit, part, rule):
            tag = cast.tag()
            asks = (draws(unit, part, rule, tag, chance, held.token),)
            return order(replace(held.by, channel=tag), unit.me.name, asks, chance)
    return None


def _fails(cast: Cast, unit: Unit, part: Thing) -> float:
    names = unit.flow.kind(part.kind).machine.names()
    seen = cast.mirror.reached
    is_all = all(seen[unit.flow.name, part.kind, name] for name in names)
    return FAILS if is_all else FAILS_UNSEEN


def _say(cast: Cast, unit: Unit, turns: tuple[Turn, ...], chance: random.Random) -> Sent | None:
    for turn in turns:
        rule = unit.flow.rule(turn.event)
        assert rule is not None
        for thing in (unit.me, *unit.parts.values()):
            is_there = thing.kind == turn.kind and thing.status in turn.statuses
            if is_there and _admits(unit, thing, rule):
                return _said(cast, unit, thing, rule, chance)
    return None


def _said(cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random) -> Sent:
    tag = cast.tag()
    by = person(unit.tenant, chance.choice(PEOPLE), tag)
    if USER not in rule.actors:
        by = agent(unit.tenant, chance.choice(AGENTS), tag)
    asks = (drawing.onward(unit, thing, rule, tag, chance),)
    return order(by, unit.me.name, asks, chance)


def _admits(unit: Unit, thing: Thing, rule: Rule) -> bool:
    status = "" if thing is unit.me else thing.status
    return unit.flow.table.rules[rule.event].admits(unit.me.status, status)
