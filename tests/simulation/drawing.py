"""What may be said where: events drawn by where a unit stands, with arguments, right or not."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from interlock.kernel.rules import SYSTEM, Rule
from interlock.service.order import Asked, Kept
from interlock.store.rows import dump
from interlock.workflows.built_in import WORKFLOWS
from tests.conformance.naming import named_fields
from tests.simulation.mirror import NAMED, Thing, Unit

ENDS: Final = frozenset({
    "fail_plan", "cancel_mission", "cancel", "complete_early", "abandon_recovery", "finish",
    "reset_mission", "system_error", "error", "close_unmerged", "skip_all",
})  # fmt: skip
"""Events that end much: a little of them goes a long way."""

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
BACKWARD: Final = 0.3
ONWARD: Final = 6.0
OFTEN: Final = 10
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
    weights = [_weight(rule) / (1 + min(used.get(rule.event, 0), OFTEN)) for rule in rules]
    return chance.choices(rules, weights)[0]


def _weight(rule: Rule) -> float:
    if rule.event in ENDS:
        return SELDOM
    if rule.event in SETBACKS:
        return BACKWARD
    return ONWARD if rule.event in LEADS_ON or "submit" in rule.event else 1.0


@cache
def fitting(flow: str, event: str, status: str) -> tuple[Mapping[str, object], ...]:
    """Return the examples of a rule whose outcome leads somewhere from a status of the unit."""
    whole = WORKFLOWS[flow]
    rule = whole.rule(event)
    assert rule is not None
    edges = whole.table.edges[whole.unit.name]
    fit = [args for args in rule.examples if (status, args.get("outcome")) in edges]
    return tuple(fit or [args for args in rule.examples if "outcome" not in args]) or rule.examples


def asked(
    unit: Unit, thing: Thing, rule: Rule, tag: str, chance: random.Random, lease: str = ""
) -> Asked:
    """Return an event about a unit or a part of it, with arguments as its rule knows them."""
    known: Sequence[Mapping[str, object]] = rule.examples
    if chance.random() < SENSIBLE:
        known = fitting(unit.flow.name, rule.event, unit.me.status)
    args = named_fields(unit.me.name, chance.choice(known))
    if rule.event == "submit":
        found = {"go": chance.random() < 0.5, "by": tag}
        args = {"result": found, "result_summary": "found", "confidence": chance.random()}
    kept: tuple[Kept, ...] = ()
    if "submit" in rule.event:
        kept = (Kept("result", dump({"by": tag}).encode()),)
    if "digest" in args:
        args["digest"] = f"sha256:{chance.getrandbits(32):x}"
        if thing.gate and chance.random() < 0.9:
            args["digest"] = thing.shown
    part = None if thing is unit.me else thing.name
    return Asked(rule.event, part, args=args, lease=lease, kept=kept, told={NAMED: tag})


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
