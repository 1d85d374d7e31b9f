"""Traffic: thousands of commands from a seed, and what the kernel in memory says to each.

Commands are drawn with the model in hand, never with a store: every store gets the same ones.
Most are legal where they are sent; the rest are those of confused, late, foreign and repeating
callers.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from interlock.kernel.rules import SYSTEM, Rule
from interlock.kernel.snapshot import Snapshot
from interlock.kernel.workflow import Workflow
from interlock.service.create import NewBranch, NewPart, NewUnit
from interlock.service.engine import Principal
from interlock.service.order import Asked, Kept
from interlock.store.rows import dump, part_id
from interlock.store.script import Key
from interlock.workflows.built_in import BUILT_IN
from tests.conformance.naming import named_fields
from tests.conformance.world import HERE, Command, Said, World

TENANTS: Final = ("north", "south", "east")
LIVE_MAX: Final = 40
"""How many units are under way at once."""
DRAWS_MAX: Final = 10
CLOCK: Final = frozenset({SYSTEM})
"""Who sends mostly bad news: a little of it goes a long way."""
ABSENT: Final = "plan-999999999999"


@dataclass(slots=True)
class Traffic:
    """A stream of commands, and the model that they were drawn with."""

    seed: int
    world: World = field(default_factory=World)
    used: Counter[tuple[str, str]] = field(default_factory=Counter)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the seed."""
        self.chance = random.Random(self.seed)  # noqa: S311  repeatable on purpose

    def commands(self, count: int) -> Iterator[tuple[Command, Said]]:
        """Yield commands with what the model says to each."""
        for number in range(count):
            command = self._with_key(number, self._command())
            flow = command.unit.partition("-")[0]
            self.used.update((flow, one.event) for one in command.asked)
            yield command, self.world.play(command)

    def _odds(self, share: float) -> bool:
        return self.chance.random() < share

    def _command(self) -> Command:
        live = [name for name, kept in self.world.units.items() if not kept.is_over]
        if len(live) < LIVE_MAX and (not live or self._odds(0.05)):
            return self._new()
        is_live = self._odds(0.95)
        tenant, unit = self.chance.choice(live if is_live else list(self.world.units))
        # Most traffic makes sense, and little of it ends what it is about.
        wants, may_end = self._odds(0.85), self._odds(0.03)
        chosen = None
        for _ in range(DRAWS_MAX):
            for command in self._draws(tenant, unit):
                is_accepted, is_end = self.world.probe(command)
                if is_end and not may_end:
                    continue
                chosen = chosen or command
                if is_accepted or not wants:
                    return self._astray(command)
        return self._astray(chosen or self._draw(tenant, unit))

    def _draws(self, tenant: str, unit: str) -> Iterator[Command]:
        """Yield one command with each set of arguments that its rule knows."""
        command = self._draw(tenant, unit)
        first, *rest = command.asked
        rule = BUILT_IN[unit.partition("-")[0]].flow.rule(first.event)
        examples = [named_fields(unit, args) for args in rule.examples] if rule else [first.args]
        self.chance.shuffle(examples)
        for args in examples:
            yield replace(command, asked=(first._replace(args=args), *rest))

    def _draw(self, tenant: str, unit: str) -> Command:
        asked = self._asked(unit, self.world.units[tenant, unit].snapshot)
        return Command(self._caller(tenant, unit, asked[0].event), unit, asked)

    def _astray(self, command: Command) -> Command:
        """Let some commands go to the wrong place, or come from one who has not looked."""
        unit, by = command.unit, command.by
        if self._odds(0.02):
            by = replace(by, tenant=self.chance.choice(TENANTS))
        if self._odds(0.01):
            unit = self.chance.choice((ABSENT, "nothing-1", "plan", unit.upper(), unit + "0"))
        version = 999_999 if self._odds(0.01) else None
        return replace(command, by=by, unit=unit, version=version)

    def _with_key(self, number: int, command: Command) -> Command:
        """Give some commands a request id, now and then one that was used before."""
        if not self._odds(0.3):
            return command
        asked = dump([command.unit, [repr(one) for one in command.asked], repr(command.new)])
        request = f"r{number}"
        known = [key for key in self.world.keys if key[:2] == (command.by.tenant, command.by.id)]
        if known and self._odds(0.2):
            request = self.chance.choice(known)[2]
        earlier = self.world.sent.get((command.by.tenant, command.by.id, request))
        if earlier is not None and self._odds(0.6):
            return earlier
        return replace(command, key=Key(command.by.id, request, asked))

    # -- who and what --------------------------------------------------------------------------

    def _caller(self, tenant: str, unit: str, event: str) -> Principal:
        rule = BUILT_IN[unit.partition("-")[0]].flow.rule(event)
        kinds = ["agent", "user", "worker", "system"]
        if rule is not None and self._odds(0.9):
            kinds = sorted(rule.actors)
        kind = self.chance.choice(kinds)
        if kind == "agent":
            name = self.chance.choice(("ada", "bob"))
            return Principal(tenant, kind, name, session=f"session of {name}")
        return Principal(tenant, kind, {"user": "pat", "worker": "wim"}.get(kind, "clock"))

    def _new(self) -> Command:
        tenant = self.chance.choice(TENANTS)
        name = self.chance.choice(tuple(BUILT_IN))
        unit = self.world.next_name(name)
        new = {"plan": self._plan, "mission": _mission, "ticket": self._ticket}[name](unit)
        return Command(Principal(tenant, "user", "pat"), "", (), new=new)

    def _plan(self, _: str) -> NewUnit:
        count = self.chance.randint(1, 6)
        parts = tuple(
            NewPart("step", {"title": f"step {n} ä"}, needs=self._some(n)) for n in range(count)
        )
        branches = tuple(self._branch(count) for _ in range(self.chance.randint(0, 3)))
        fields: dict[str, object] = {"max_steps": 9, "name": "plan"}
        if self._odds(0.3):
            fields["max_parallel"] = 1
        if self._odds(0.3):
            fields["review_policy"] = "human"
        return NewUnit("plan", fields, parts, branches, ("a", "b"))

    def _some(self, count: int) -> tuple[int, ...]:
        return tuple(place for place in range(count) if self._odds(0.25))

    def _branch(self, count: int) -> NewBranch:
        part, action = (
            self.chance.randrange(count),
            self.chance.choice(("skip_to", "add_steps", "fail")),
        )
        expression = self.chance.choice(("go === true", "go === false", "confidence > 0.5"))
        params: Mapping[str, object] = {}
        if action == "add_steps":
            params = {"steps": [{"title": "more"}] * self.chance.randint(1, 2)}
        target = self.chance.randrange(count) if action == "skip_to" else None
        return NewBranch(part, expression, action, params, target)

    def _ticket(self, _: str) -> NewUnit:
        members = self.chance.choice((1, 3))
        fields = {"tries_max": 3, "members": members, "quorum": 1 + members // 2}
        if self._odds(0.5):
            fields["parallel"] = 2
        policy = self.chance.choice(("relay", "human"))
        return NewUnit("ticket", {**fields, "policy": policy})

    def _asked(self, unit: str, snapshot: Snapshot) -> tuple[Asked, ...]:
        flow = BUILT_IN[unit.partition("-")[0]].flow
        first = self._event(flow, unit, snapshot)
        kinds = [kind.name for kind in flow.parts if kind.claim]
        if first.part is not None and self._odds(0.15):
            kind = self.chance.choice(kinds)
            claim = flow.kind(kind).claim
            return first, Asked(claim, kind=kind, is_optional=self._odds(0.7))
        return (first,)

    def _event(self, flow: Workflow, unit: str, snapshot: Snapshot) -> Asked:
        legal = [
            (rule, name)
            for rule in flow.rules
            for name in (_names(flow, snapshot, rule) or (None,))
            if self._odds(0.03) or _admits(flow, snapshot, rule, name)
        ]
        # What has been sent least is sent next, or cheap talk would drown the rest.
        weights = [
            (0.1 if rule.actors == CLOCK else 1) / (1 + self.used[flow.name, rule.event])
            for rule, _ in legal
        ]
        rule, part = self.chance.choices(legal, weights)[0] if legal else (flow.rules[0], None)
        args = named_fields(unit, self.chance.choice(rule.examples))
        kind = next((k.name for k in flow.parts if k.claim == rule.event), "")
        if kind:
            return Asked(rule.event, kind=kind, args=args)
        if self._odds(0.02):
            part = self.chance.choice((f"{unit}.99", f"{unit}.x", f"{unit}.01", f"{ABSENT}.1"))
        kept = (Kept("result", dump(args).encode()),) if "submit" in rule.event else ()
        event = "no_such_event" if self._odds(0.01) else rule.event
        return Asked(event, part, args=args, lease=self._lease(rule, snapshot, part), kept=kept)

    def _lease(self, rule: Rule, snapshot: Snapshot, part: str | None) -> str:
        if not rule.lease or part not in snapshot.ids:
            return ""
        fence = snapshot.part(part).fields.get("fence", 0)
        if not isinstance(fence, int):
            return ""
        right = f"{HERE}.{fence}"
        wrong = ("", f"{HERE}.{fence - 1}", f"elsewhere.{fence}", "nonsense")
        return right if self._odds(0.75) else self.chance.choice(wrong)


def _mission(unit: str) -> NewUnit:
    fields: dict[str, object] = {
        "tries_max": 2, "shown": "sha256:shown", "outputs": (part_id(unit, 2),), "policy": "relay",
    }  # fmt: skip
    return NewUnit("mission", fields, (NewPart("asset"), NewPart("asset", {"ttl": 60})))


def _names(flow: Workflow, snapshot: Snapshot, rule: Rule) -> tuple[str, ...]:
    if rule.kind == flow.unit.name:
        return ()
    return tuple(str(snapshot.name(place)) for place in snapshot.of_kind(rule.kind))


def _admits(flow: Workflow, snapshot: Snapshot, rule: Rule, part: str | None) -> bool:
    compiled = flow.table.rules[rule.event]
    status = "" if part is None else snapshot.part(part).status
    is_about_part = rule.kind != flow.unit.name
    return (part is not None) == is_about_part and compiled.admits(snapshot.unit.status, status)
