"""Who acts: makers, honest agents, zombies, hostile ones, people, the system. Each draws a command.

What an actor does is drawn from the chance of its move, and from what the audit says by now; so a
move can be left out, and those after it still make sense. Nothing is sent here.
"""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from typing import Final

from interlock.commands.verbs import LocalVerbs
from interlock.kernel.rules import AGENT, SYSTEM, USER, WORKER, Rule
from interlock.service.access import SCOPES
from interlock.service.create import NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Order
from interlock.service.run import Answer, advance
from interlock.service.work import claim, next_work
from interlock.store.port import Filter
from interlock.store.script import Key
from interlock.workflows.built_in import WORKFLOWS
from tests.conformance.traffic import ABSENT, TENANTS, Traffic, _mission
from tests.service.desk import said
from tests.simulation import drawing
from tests.simulation.ledger import Held, Ledger, Sent
from tests.simulation.mirror import NAMED, Mirror, Thing, Unit

AGENTS: Final = ("ada", "bob", "cyd")
PEOPLE: Final = ("pat", "kim")
NOT_FOUND: Final = "NOT_FOUND"
GIANT: Final = "z" * 2_000_000
JUNK: Final = (
    "", "x", "\x00", GIANT, -1, 2**70, 0.5, None, [], {}, ["a"] * 50, {"a": {"b": []}}, True,
    "plan-000000000000", "../etc", "⁦r", "' OR 1=1 --",
)  # fmt: skip
CALLED: Final = (
    "get_next_step", "submit_step_result", "heartbeat_step", "modify_plan", "fail_plan",
    "request_user_review", "submit_user_decision", "get_plan_status", "get_next_work",
    "submit_work", "heartbeat_work", "release_work", "cancel", "ticket_status", "mission_status",
    "edit_mission", "propose_hop", "accept_mission", "set_asset", "start", "answer_batch", "retry",
    "approve", "reopen", "create_research_plan", "decide_gate", "get_gate", "store_research",
)  # fmt: skip


@dataclass(slots=True)
class Cast:
    """What actors know and draw from."""

    mirror: Mirror
    ledger: Ledger
    numbers: "count[int]"
    # Which workflows there are, and how many units of a tenant may be under way at once.
    flows: tuple[str, ...]
    live_max: int

    def tag(self) -> str:
        """Return the name of the next command."""
        return f"c{next(self.numbers)}"


Actor = Callable[[Cast, random.Random], Sent | None]


def agent(tenant: str, name: str, tag: str) -> Principal:
    """Return an agent, as it sends one command."""
    return Principal(tenant, AGENT, name, session=f"session of {name}", channel=tag)


def person(tenant: str, name: str, tag: str) -> Principal:
    """Return a person, as they send one command."""
    return Principal(tenant, USER, name, frozenset(SCOPES), channel=tag)


def _key(by: Principal, about: object, chance: random.Random, share: float = 0.5) -> Key | None:
    """Return a request id, for some."""
    if chance.random() > share:
        return None
    return Key(by.id, f"r{by.channel}", sha256(repr(about).encode()).hexdigest())


def order(  # noqa: PLR0913  what a command is made of
    by: Principal,
    unit: str,
    asks: tuple[Asked, ...],
    chance: random.Random,
    *,
    must: str = "",
    version: int | None = None,
    send: Callable[[Engine, Order], Awaitable[Answer]] = advance,
) -> Sent:
    """Return a command about a unit."""
    key = _key(by, (unit, asks), chance)
    wanted = Order(by.tenant, by.actor(), unit, asks, said, key, version)
    first = asks[0]
    flow = WORKFLOWS.get(unit.partition("-")[0])
    rule = None if flow is None else flow.rule(first.event)
    is_claim = bool(first.kind)
    return Sent(
        by.channel, by, f"{by.kind} {by.id} of {by.tenant}: {_told(unit, asks)}",
        lambda engine: send(engine, wanted), key,
        lease=first.lease if rule is not None and rule.lease else "", part=first.part or "",
        gate=first.gate, must=must, is_held=is_claim or (rule is not None and rule.lease),
        is_named=bool(first.told),
    )  # fmt: skip


def _told(unit: str, asks: tuple[Asked, ...]) -> str:
    words = []
    for one in asks:
        lease = f" with lease {one.lease}" if one.lease else ""
        gate = f" at gate {one.gate}" if one.gate else ""
        words.append(f"{one.event} {one.part or one.kind or unit}{lease}{gate}")
    return " and ".join(words) + ("" if asks[0].part else f" ({unit})")


# -- who -----------------------------------------------------------------------------------------


def make(cast: Cast, chance: random.Random) -> Sent | None:
    """Make a unit, where there are not too many."""
    tenant, tag = chance.choice(TENANTS), cast.tag()
    if len(cast.mirror.live(tenant)) >= cast.live_max:
        return work(cast, chance)
    by = person(tenant, chance.choice(PEOPLE), tag)
    name = chance.choice(cast.flows)
    drawn = Traffic(0)
    drawn.chance = chance
    makers: dict[str, Callable[[str], NewUnit]] = {
        "plan": drawn._plan, "mission": lambda _: _mission(f"{name}-x"), "ticket": drawn._ticket,
    }  # fmt: skip
    new = replace(makers[name](""), told={NAMED: tag})
    if name == "mission":
        fields = {word: value for word, value in new.fields.items() if word != "outputs"}
        new = replace(new, fields=fields, named={"outputs": (1,)})
    if name == "ticket" and chance.random() < 0.7:
        # Else it is blocked as soon as time passes, and never comes far.
        new = replace(new, fields={**new.fields, "round_s": 10**8})
    key = _key(by, new, chance)
    what = f"{by.kind} {by.id} of {tenant}: make a {name} of {len(new.parts)} parts"
    return Sent(tag, by, what, lambda engine: create(engine, by, new, said, key), key)


def work(cast: Cast, chance: random.Random) -> Sent | None:
    """Do what an honest agent does: take work, show that one is alive, hand it in."""
    tenant, name, tag = chance.choice(TENANTS), chance.choice(AGENTS), cast.tag()
    mine = [one for one in cast.ledger.held if _is_good(cast, one, tenant, name)]
    if mine and chance.random() < 0.7:
        return _with_lease(cast, chance.choice(mine), chance, tag)
    units = cast.mirror.live(tenant)
    if not units:
        return None
    by = agent(tenant, name, tag)
    open_ones = [(one, row) for one in units for row in drawing.open_parts(one)]
    if open_ones and chance.random() < 0.6:
        unit, (event, kind) = chance.choice(open_ones)
        if chance.random() < 0.25:
            return _any_work(by, kind, chance)
        asks = (Asked(event, kind=kind, told={NAMED: tag}),)
        return order(by, unit.me.name, asks, chance, send=claim)
    unit = chance.choice(units)
    return _say(cast, unit, by, chance)


def _is_good(cast: Cast, held: Held, tenant: str, name: str) -> bool:
    if (held.by.tenant, held.by.id) != (tenant, name):
        return False
    unit = cast.mirror.units.get(held.unit)
    part = None if unit is None else unit.parts.get(held.part)
    return (
        part is not None
        and held.token.endswith(f".{part.fence}")
        and part.fields.get("holder") is not None
    )


def _with_lease(cast: Cast, held: Held, chance: random.Random, tag: str) -> Sent | None:
    unit = cast.mirror.units[held.unit]
    part = unit.parts.get(held.part)
    if part is None:
        return None
    rules = [rule for rule in drawing.of_part(unit, part, held.by.kind) if rule.lease]
    rule = drawing.pick(rules, chance, cast.mirror.events)
    if rule is None:
        return None
    asks: tuple[Asked, ...] = (drawing.asked(unit, part, rule, tag, chance, held.token),)
    more = drawing.open_parts(unit)
    if more and "submit" in rule.event and chance.random() < 0.3:
        event, kind = chance.choice(more)
        asks += (Asked(event, kind=kind, is_optional=True),)
    elif "heartbeat" in rule.event and chance.random() < 0.6:
        return _pulse(held, asks[0], tag)
    return order(replace(held.by, channel=tag), held.unit, asks, chance)


def _pulse(held: Held, asked: Asked, tag: str) -> Sent:
    """Return a bare sign of life, which leaves no entry."""
    by = replace(held.by, channel=tag)
    bare = asked._replace(told={})
    wanted = Order(by.tenant, by.actor(), held.unit, (bare,), said)
    what = f"{by.kind} {by.id} of {by.tenant}: {_told(held.unit, (bare,))}, bare"
    return Sent(
        tag, by, what, lambda engine: advance(engine, wanted), lease=held.token, part=held.part,
        is_held=True, is_named=False,
    )  # fmt: skip


def _any_work(by: Principal, kind: str, chance: random.Random) -> Sent:
    wanted = Filter(kind=kind) if chance.random() < 0.5 else Filter()
    key = _key(by, wanted, chance)
    return Sent(
        by.channel, by, f"{by.kind} {by.id} of {by.tenant}: any work {wanted.kind}",
        lambda engine: next_work(engine, by, wanted, said, key), key,
        is_held=True, is_named=False,
    )  # fmt: skip


def _say(cast: Cast, unit: Unit, by: Principal, chance: random.Random) -> Sent | None:
    """Say something that is legal where the unit stands, about it or a part."""
    things = [part for part in unit.parts.values() if drawing.of_part(unit, part, by.kind)]
    if things and chance.random() < 0.6:
        thing = chance.choice(things)
        rules = [one for one in drawing.of_part(unit, thing, by.kind) if not one.lease]
    else:
        thing, rules = unit.me, list(drawing.of_unit(unit, by.kind))
    rule = drawing.pick(rules, chance, cast.mirror.events)
    if rule is None:
        return None
    return order(by, unit.me.name, (drawing.asked(unit, thing, rule, by.channel, chance),), chance)


def zombie(cast: Cast, chance: random.Random) -> Sent | None:
    """Come back with a lease that may not be good any more."""
    if not cast.ledger.held:
        return None
    held, tag = chance.choice(cast.ledger.held), cast.tag()
    unit = cast.mirror.units[held.unit]
    part = unit.parts.get(held.part)
    kind = unit.flow.kind(part.kind) if part is not None else None
    if part is None or kind is None:
        return None
    verb = chance.choice(("submit", "heartbeat", "release"))
    rule = unit.flow.rule(kind.verbs.get(verb, ""))
    if rule is None:
        return None
    asks = (drawing.asked(unit, part, rule, tag, chance, held.token),)
    return order(replace(held.by, channel=tag), held.unit, asks, chance)


def decide(cast: Cast, chance: random.Random) -> Sent | None:
    """Do what people do: decide where a decision is waited for, else steer."""
    tenant, tag = chance.choice(TENANTS), cast.tag()
    by = person(tenant, chance.choice(PEOPLE), tag)
    units = cast.mirror.live(tenant)
    if not units:
        return None
    waiting = [(unit, thing) for unit in units for thing in _waiting(cast, unit)]
    if not waiting or chance.random() < 0.2:
        return _say(cast, chance.choice(units), by, chance)
    unit, thing = chance.choice(waiting)
    running = cast.mirror.flows[unit.flow.name]
    events = sorted(running.gates[thing.kind, thing.status])
    rules = [rule for rule in map(unit.flow.rule, events) if rule and USER in rule.actors]
    rule = drawing.pick(rules, chance, cast.mirror.events)
    if rule is None:
        return None
    asked = drawing.asked(unit, thing, rule, tag, chance)
    if chance.random() < 0.6:
        old = [gate for gate in cast.mirror.closed if gate.startswith(f"{thing.name}:")]
        gate = chance.choice(old) if old and chance.random() < 0.3 else thing.gate
        asked = asked._replace(gate=gate)
    return order(by, unit.me.name, (asked,), chance)


def _waiting(cast: Cast, unit: Unit) -> list[Thing]:
    gates = cast.mirror.flows[unit.flow.name].gates
    return [one for one in (unit.me, *unit.parts.values()) if (one.kind, one.status) in gates]


def system(cast: Cast, chance: random.Random) -> Sent | None:
    """Tell what only the system tells."""
    tenant, tag = chance.choice(TENANTS), cast.tag()
    units = cast.mirror.live(tenant)
    if not units:
        return None
    unit = chance.choice(units)
    by = Principal(tenant, SYSTEM, "clock", channel=tag)
    thing = chance.choice([unit.me, *unit.parts.values()])
    known = drawing.of_unit if thing is unit.me else None
    rules = known(unit, SYSTEM) if known else drawing.of_part(unit, thing, SYSTEM)
    rule = drawing.pick(
        [one for one in rules if drawing.is_news(one)], chance, cast.mirror.events
    )
    if rule is None:
        return None
    return order(by, unit.me.name, (drawing.asked(unit, thing, rule, tag, chance),), chance)


# -- who means harm --------------------------------------------------------------------------------


def hostile(cast: Cast, chance: random.Random) -> Sent | None:
    """Send what nobody should."""
    units = list(cast.mirror.units.values())
    if not units:
        return None
    unit = chance.choice(units)
    thing = chance.choice([unit.me, *unit.parts.values()])
    rule = chance.choice([one for one in unit.flow.rules if (one.kind == thing.kind)] or [None])  # type: ignore[list-item]  # some kinds have no rule
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
    return Sent(
        tag, by, what, lambda engine: advance(engine, wanted), must="IDEMPOTENCY_MISMATCH"
    )


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
    return Sent(tag, by, what, call, is_named=False)


Harm = Callable[[Cast, Unit, Thing, Rule, random.Random], Sent | None]
HARMS: Final[tuple[Harm, ...]] = (
    _out_of_place, _made_up_lease, _made_up_lease, _foreign, _astray, _old_version, _used_id, _junk,
)  # fmt: skip

ACTORS: Final[dict[str, Actor]] = {
    "make": make, "work": work, "zombie": zombie, "decide": decide, "system": system,
    "hostile": hostile,
}  # fmt: skip
