"""What may be said where: events drawn by where a unit stands, with arguments, right or not."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from interlock.kernel.rules import SYSTEM, Rule
from interlock.service.order import Asked, Kept
from interlock.store.rows import dump
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.ticket.guards import BATCH_READY
from interlock.workflows.ticket.phases import ANSWERS
from tests.conformance.naming import named_fields
from tests.simulation.mirror import NAMED, Thing, Unit

ENDS: Final = frozenset({
    "fail_plan", "cancel_mission", "cancel", "abandon_recovery", "finish",
    "reset_mission", "system_error", "error", "skip_all", "reopen_interview",
    "reopen_prd",
})  # fmt: skip
"""Events that end much, or undo it: a little of them goes a long way."""

LEADS_ON: Final = frozenset({
    "accept_mission", "propose_hop", "accept_hop", "complete_resolution", "execute_hop", "start",
    "answer_batch", "approve", "merge", "retry", "approve_design", "fix_hop",
})  # fmt: skip
"""Events by which a unit comes further: most of what honest ones do."""

SETBACKS: Final = frozenset({
    "fail_work", "reject_work", "fail_bead", "release", "release_work", "release_hop",
    "release_tool_step", "resolution_failed", "fail_step", "cancel_hop", "remove_step",
    "reject_hop", "withdraw_hop", "delete_hop", "reject", "raise_budget", "edit_ticket",
})  # fmt: skip
"""Events by which it does not."""

SELDOM: Final = 0.02
ONCE: Final = 0.1
UNSEEN: Final = 0.5
SILENCE: Final = 0.1
"""How much it weighs to say nothing: where only one thing can be said, it is not said always."""
BACKWARD: Final = 0.3
ONWARD: Final = 6.0
OFTEN: Final = 10
BEADS_MAX: Final = 4
BACK: Final = frozenset({"failure", "errors", "keeps"})
"""Arguments of those who do not come further, or want to keep what may not be there."""

SENSIBLE: Final = 0.9
"""How often arguments are those of somebody who has looked where the unit stands."""


@cache
def legal(flow: str, kind: str, unit: str, part: str, actor: str) -> tuple[Rule, ...]:
    """Return the rules about a kind that this actor may use where unit and part stand."""
    table = WORKFLOWS[flow].table
    return tuple(
        rule
        for rule in WORKFLOWS[flow].rules
        if rule.kind == kind and actor in rule.actors and rule.event not in claims(flow)
        if table.rules[rule.event].admits(unit, part)
    )


@cache
def claims(flow: str) -> dict[str, str]:
    """Return the events that claim, each with the kind that is claimed."""
    return {kind.claim: kind.name for kind in WORKFLOWS[flow].parts if kind.claim}


@cache
def claimable(flow: str, event: str, unit: str, part: str) -> bool:
    """Say whether a part may be claimed where it stands."""
    return WORKFLOWS[flow].table.rules[event].admits(unit, part)


def of_unit(unit: Unit, actor: str) -> Sequence[Rule]:
    """Return what an actor may say about a unit itself."""
    return legal(unit.flow.name, unit.me.kind, unit.me.status, "", actor)


def of_part(unit: Unit, part: Thing, actor: str) -> Sequence[Rule]:
    """Return what an actor may say about a part."""
    return legal(unit.flow.name, part.kind, unit.me.status, part.status, actor)


def pick(rules: Sequence[Rule], chance: random.Random, used: Mapping[str, int]) -> Rule | None:
    """Draw a rule: what was seldom used before what was used often, else cheap talk drowns all."""
    if not rules:
        return None
    weights = [_weight(rule, used.get(rule.event, 0)) for rule in rules]
    return chance.choices((*rules, None), (*weights, SILENCE / (1 + OFTEN)))[0]


def _weight(rule: Rule, used: int) -> float:
    """Return how likely a rule is drawn; what a run has not seen yet it is to see once."""
    if rule.event in ENDS:
        return SELDOM / (1 + OFTEN) if used else ONCE
    if rule.event in SETBACKS:
        return BACKWARD / (1 + min(used, OFTEN)) if used else UNSEEN
    usual = ONWARD if rule.event in LEADS_ON or "submit" in rule.event else 1.0
    return usual / (1 + min(used, OFTEN)) if used else ONWARD


@cache
def fitting(flow: str, event: str, status: str) -> tuple[Mapping[str, object], ...]:
    """Return the examples of a rule whose outcome leads somewhere from a status of the unit."""
    whole = WORKFLOWS[flow]
    rule = whole.rule(event)
    assert rule is not None
    # Whoever has questions ready says so, and the ticket stays where it is: that is no edge.
    edges = {*whole.table.edges[whole.unit.name], (ANSWERS, BATCH_READY)}
    fit = [args for args in rule.examples if (status, args.get("outcome")) in edges]
    return tuple(fit or [args for args in rule.examples if "outcome" not in args]) or rule.examples


@cache
def leading(flow: str, event: str, status: str) -> tuple[Mapping[str, object], ...]:
    """Return those of the fitting examples that lead on, if any does."""
    fit = fitting(flow, event, status)
    on = [one for one in fit if BACK.isdisjoint(one) and one.get("outcome") != "GAPS_FOUND"]
    return tuple(on) or fit


def asked(
    unit: Unit, thing: Thing, rule: Rule, tag: str, chance: random.Random, lease: str = ""
) -> Asked:
    """Return an event about a unit or a part of it, with arguments as its rule knows them."""
    known: Sequence[Mapping[str, object]] = rule.examples
    if chance.random() < SENSIBLE:
        known = fitting(unit.flow.name, rule.event, unit.me.status)
    return _asked(unit, thing, rule, tag, chance, (lease, chance.choice(known)))


def onward(
    unit: Unit, thing: Thing, rule: Rule, tag: str, chance: random.Random, lease: str = ""
) -> Asked:
    """Return the same as those say it who want to come further, mostly."""
    draws = leading if chance.random() < SENSIBLE else fitting
    known = draws(unit.flow.name, rule.event, unit.me.status)
    return _asked(unit, thing, rule, tag, chance, (lease, chance.choice(known)))


def _asked(
    unit: Unit, thing: Thing, rule: Rule, tag: str, chance: random.Random,
    said: tuple[str, Mapping[str, object]],
) -> Asked:  # fmt: skip
    lease, example = said
    args = named_fields(unit.me.name, example)
    if rule.event == "submit":
        found = {"go": chance.random() < 0.5, "by": tag}
        args = {"result": found, "result_summary": "found", "confidence": chance.random()}
    if "beads" in args:
        args["beads"] = _beads(chance)
    kept: tuple[Kept, ...] = ()
    if "submit" in rule.event:
        kept = (Kept("result", dump({"by": tag}).encode()),)
    if "digest" in args:
        args["digest"] = f"sha256:{chance.getrandbits(32):x}"
        if thing.gate and chance.random() < 0.9:
            args["digest"] = thing.shown if chance.random() < 0.9 else thing.shown_before
    part = None if thing is unit.me else thing.name
    return Asked(rule.event, part, args=args, lease=lease, kept=kept, told={NAMED: tag})


def _beads(chance: random.Random) -> tuple[dict[str, object], ...]:
    """Draw a blueprint: a few beads, some of which need earlier ones."""
    return tuple(
        {
            "title": f"bead {place}",
            "needs": tuple(need for need in range(place) if chance.random() < 0.5),
        }
        for place in range(chance.randint(1, BEADS_MAX))
    )


def open_parts(unit: Unit) -> list[tuple[str, str]]:
    """Return the kinds of parts that may be claimed now, with the events that claim them."""
    name, status = unit.flow.name, unit.me.status
    return [
        (event, kind)
        for event, kind in claims(name).items()
        if any(
            part.kind == kind and part.fields.get("holder") is None
            and claimable(name, event, status, part.status)
            for part in unit.parts.values()
        )
    ]  # fmt: skip


def by_clock(event: str) -> bool:
    """Say whether an event is one that the sweeper sends."""
    return any(
        event in (kind.verbs.get("lapse"), kind.timer and kind.timer.event)
        or (flow.timer is not None and event == flow.timer.event)
        for flow in WORKFLOWS.values()
        for kind in flow.parts
    )


def is_news(rule: Rule) -> bool:
    """Say whether a rule is about something that the system tells, and no clock."""
    return SYSTEM in rule.actors and not by_clock(rule.event)
