"""Who means harm: out of place, with leases that were made up, with ids of others, with junk.

Some of it has one right answer, which is noted with the command; all of it must change nothing
that its sender may not change, and nothing but a refusal may come of what is nonsense.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Final

from interlock.commands.verbs import LocalVerbs
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Rule
from interlock.service.access import SCOPES
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Order
from interlock.service.run import Answer, advance
from tests.conformance.traffic import ABSENT, TENANTS
from tests.service.desk import said
from tests.simulation import drawing
from tests.simulation.actors import Cast, agent, order
from tests.simulation.ledger import Sent
from tests.simulation.mirror import NAMED, Thing, Unit

NOT_FOUND: Final = "NOT_FOUND"
GIANT: Final = "z" * 2_000_000
JUNK: Final[tuple[object, ...]] = (
    "", "x", "\x00", GIANT, -1, 2**70, 0.5, None, [], {}, ["a"] * 50, {"a": {"b": []}}, True,
    "plan-000000000000", "../etc", "\u2066r", "' OR 1=1 --",
)  # fmt: skip
CALLED: Final = (
    "get_next_step", "submit_step_result", "heartbeat_step", "modify_plan", "fail_plan",
    "request_user_review", "submit_user_decision", "get_plan_status", "get_next_work",
    "submit_work", "heartbeat_work", "release_work", "cancel", "ticket_status", "mission_status",
    "edit_mission", "propose_hop", "accept_mission", "set_asset", "start", "answer_batch", "retry",
    "approve", "reopen", "create_research_plan", "decide_gate", "get_gate", "store_research",
)  # fmt: skip


def hostile(cast: Cast, chance: random.Random) -> Sent | None:
    """Send what nobody should."""
    units = list(cast.mirror.units.values())
    if not units:
        return None
    unit = chance.choice(units)
    thing = chance.choice([unit.me, *unit.parts.values()])
    rule = chance.choice([one for one in unit.flow.rules if (one.kind == thing.kind)] or [None])
    if rule is None or rule.event in drawing.claims(unit.flow.name):
        return None
    return chance.choice(HARMS)(cast, unit, thing, rule, chance)


def _out_of_place(
    cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random
) -> Sent | None:
    tag = cast.tag()
    kind = chance.choice((AGENT, USER, WORKER))
    by = Principal(unit.tenant, kind, "mallory", channel=tag)
    if rule.event in drawing.ENDS and chance.random() > drawing.SELDOM:
        return None
    asks = (drawing.asked(unit, thing, rule, tag, chance),)
    return order(by, unit.me.name, asks, chance)


def _after_the_end(
    cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random
) -> Sent | None:
    """Go on with a unit that has ended."""
    ended = [one for one in cast.mirror.units.values() if one.is_over]
    if not ended:
        return _out_of_place(cast, unit, thing, rule, chance)
    over, tag = chance.choice(ended), cast.tag()
    about = chance.choice([over.me, over.me, *over.parts.values()])
    status = "" if about is over.me else about.status
    known = [one for one in over.flow.rules if one.kind == about.kind]
    # Rather what is legal for somebody even now.
    legal = [
        one for one in known if over.flow.table.rules[one.event].admits(over.me.status, status)
    ]
    said = chance.choice(legal if legal and chance.random() < 0.5 else known)
    if said.event in drawing.claims(over.flow.name):
        return None
    by = Principal(over.tenant, chance.choice((AGENT, USER)), "mallory", channel=tag)
    asks = (drawing.asked(over, about, said, tag, chance),)
    return order(by, over.me.name, asks, chance)


def _made_up_lease(
    cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random
) -> Sent | None:
    if not rule.lease:
        return _out_of_place(cast, unit, thing, rule, chance)
    tag = cast.tag()
    inside = cast.ledger.incarnation
    token = chance.choice(
        (f"{inside}.{thing.fence + 1}", f"elsewhere.{thing.fence}", "nonsense", f"{inside}.",
         f"{inside}.{thing.fence - 1}", f"{inside}.{10**30}")
    )  # fmt: skip
    asks = (drawing.asked(unit, thing, rule, tag, chance, token),)
    return order(agent(unit.tenant, "mallory", tag), unit.me.name, asks, chance)


def _foreign(cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random) -> Sent:
    tag = cast.tag()
    tenant = chance.choice([one for one in TENANTS if one != unit.tenant])
    kind = chance.choice(sorted(rule.actors - {SYSTEM}) or [USER])
    by = Principal(tenant, kind, "eve", channel=tag)
    asks = (drawing.asked(unit, thing, rule, tag, chance),)
    return order(by, unit.me.name, asks, chance, must=NOT_FOUND)


def _astray(cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random) -> Sent:
    tag, name = cast.tag(), unit.me.name
    by = Principal(unit.tenant, USER, "pat", channel=tag)
    asked = drawing.asked(unit, thing, rule, tag, chance)
    if thing is unit.me:
        name = chance.choice((ABSENT, "nothing-1", "plan", name.upper(), name + "0"))
    else:
        asked = asked._replace(part=chance.choice((f"{name}.99", f"{name}.x", f"{ABSENT}.1")))
    return order(by, name, (asked,), chance, must=NOT_FOUND)


def _old_version(cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random) -> Sent:
    tag = cast.tag()
    kind = chance.choice(sorted(rule.actors - {SYSTEM}) or [USER])
    by = Principal(unit.tenant, kind, "pat", channel=tag)
    asks = (drawing.asked(unit, thing, rule, tag, chance),)
    version = chance.choice((0, len(unit.hashes) - 1, 10**6))
    return order(by, unit.me.name, asks, chance, must="STALE_VERSION", version=version)


def _used_id(
    cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random
) -> Sent | None:
    answered = [one for one in cast.ledger.keyed if one.text and one.key is not None]
    if not answered:
        return _out_of_place(cast, unit, thing, rule, chance)
    old = chance.choice(answered[-20:])
    assert old.key is not None
    tag = cast.tag()
    by = replace(old.by, channel=tag)
    name = str(_unit_of(old) or unit.me.name)
    key = old.key._replace(asked=sha256(tag.encode()).hexdigest())
    known = cast.mirror.units.get(name)
    if known is None or known.tenant != by.tenant:
        return None
    wanted = Order(by.tenant, by.actor(), name, (Asked("visit", told={NAMED: tag}),), said, key)
    what = f"{by.kind} {by.id} of {by.tenant}: something else with the id {key.request}"
    return Sent(tag, by, what, lambda engine: advance(engine, wanted), must="IDEMPOTENCY_MISMATCH")


def _unit_of(sent: Sent) -> object:
    receipt = Answer(sent.text).reply.get("receipt")
    return receipt["unit"] if isinstance(receipt, dict) else None


def _junk(cast: Cast, unit: Unit, thing: Thing, rule: Rule, chance: random.Random) -> Sent:
    """Call a command by its name, with anything for arguments."""
    del rule
    tag = cast.tag()
    tenant = chance.choice(TENANTS)
    by = Principal(tenant, chance.choice((AGENT, USER)), "mallory", frozenset(SCOPES), channel=tag)
    fields = ("plan_id", "step_id", "part_id", "id", "mission_id", "ticket_id", "unit_id", "lease",
              "reason", "action", "decision", "answer", "request_id", "content", "gate_id")  # fmt: skip
    pool = (*JUNK, unit.me.name, thing.name, thing.gate)
    arguments = {chance.choice(fields): chance.choice(pool) for _ in range(chance.randint(0, 5))}
    command = chance.choice(CALLED)

    async def call(engine: Engine) -> Answer | None:
        await LocalVerbs(engine, by).call(command, arguments)
        return Answer("{}")

    shown = {name: str(value)[:30] for name, value in arguments.items()}
    what = f"{by.kind} mallory of {tenant}: {command} {shown}"
    return Sent(tag, by, what, call, is_named=False, reads_documents=True)


Harm = Callable[[Cast, Unit, Thing, Rule, random.Random], Sent | None]
HARMS: Final[tuple[Harm, ...]] = (
    _out_of_place, _made_up_lease, _made_up_lease, _foreign, _astray, _old_version, _used_id, _junk,
    _after_the_end,
)  # fmt: skip
