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

from interlock.kernel.rules import AGENT, SYSTEM, USER, Rule
from interlock.service.access import SCOPES
from interlock.service.create import NewUnit, create
from interlock.service.engine import Engine, Principal
from interlock.service.order import Asked, Order
from interlock.service.run import Answer, advance
from interlock.service.work import claim, next_work
from interlock.store.port import Filter
from interlock.store.script import Key
from interlock.workflows.built_in import WORKFLOWS
from tests.conformance.traffic import TENANTS, Traffic, _mission
from tests.service.desk import said
from tests.simulation import drawing
from tests.simulation.ledger import Held, Ledger, Sent
from tests.simulation.mirror import NAMED, Mirror, Thing, Unit

AGENTS: Final = ("ada", "bob", "cyd")
PEOPLE: Final = ("pat", "kim")
LOOKS_BACK: Final = 0.04
STEERS: Final = 0.35
"""How often people turn to what has ended, and to what does not wait for them."""


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
        gate=first.gate, digest=_digest(first, rule), must=must, is_held=is_claim or (rule is not None and rule.lease),
        is_named=bool(first.told),
    )  # fmt: skip


def _digest(asked: Asked, rule: Rule | None) -> str:
    """Return what a decision says was shown; nothing where it is none, or does not say."""
    is_decision = rule is not None and "gate" in rule.sees
    return str(asked.args.get("digest") or "") if is_decision else ""


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
    mine = []
    if chance.random() < 0.7:
        mine = [one for one in cast.ledger.held if is_good(cast, one, tenant, name)]
    if mine:
        return _with_lease(cast, chance.choice(mine), chance, tag)
    units = cast.mirror.live(tenant)
    if not units:
        return None
    by = agent(tenant, name, tag)
    open_ones = []
    if chance.random() < 0.6:
        open_ones = [(one, row) for one in units for row in drawing.open_parts(one)]
    if open_ones:
        unit, (event, kind) = chance.choice(open_ones)
        if chance.random() < 0.25:
            return _any_work(by, kind, chance)
        asks = (Asked(event, kind=kind, told={NAMED: tag}),)
        return order(by, unit.me.name, asks, chance, send=claim)
    unit = chance.choice(units)
    return _say(cast, unit, by, chance)


def is_good(cast: Cast, held: Held, tenant: str, name: str) -> bool:
    """Say whether a lease is this agent's, and still good as far as the audit says."""
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
    if chance.random() < LOOKS_BACK:
        units = [one for one in cast.mirror.units.values() if one.tenant == tenant]
    if not units:
        return None
    waiting = [(unit, thing) for unit in units for thing in _waiting(cast, unit)]
    if not waiting or chance.random() < STEERS:
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


def _news(unit: Unit, thing: Thing) -> list[Rule]:
    known = drawing.of_unit(unit, SYSTEM)
    if thing is not unit.me:
        known = drawing.of_part(unit, thing, SYSTEM)
    return [rule for rule in known if drawing.is_news(rule)]


def system(cast: Cast, chance: random.Random) -> Sent | None:
    """Tell what only the system tells."""
    tenant, tag = chance.choice(TENANTS), cast.tag()
    units = cast.mirror.live(tenant)
    if not units:
        return None
    unit = chance.choice(units)
    by = Principal(tenant, SYSTEM, "clock", channel=tag)
    news = [
        (thing, rules) for thing in (unit.me, *unit.parts.values()) if (rules := _news(unit, thing))
    ]
    if not news:
        return None
    thing, rules = chance.choice(news)
    rule = drawing.pick(rules, chance, cast.mirror.events)
    if rule is None:
        return None
    return order(by, unit.me.name, (drawing.asked(unit, thing, rule, tag, chance),), chance)


HONEST: Final[dict[str, Actor]] = {
    "make": make, "work": work, "zombie": zombie, "decide": decide, "system": system,
}  # fmt: skip
