"""Try commands on a real store: plant each state, send the command, compare with the kernel.

Commands that the kernel refuses are all sent to one unit, which must stand as it was planted when
they are through. Each one that it accepts gets a unit of its own: of the same name, in a tenant
of its own. Everything is sent at once, so that it is committed in groups.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.look import NOBODY, look, next_part
from interlock.kernel.refusal import Refusal
from interlock.kernel.seen import Event
from interlock.kernel.table import claimable
from interlock.service.engine import Engine
from interlock.service.order import Asked, Emptied, Order, Result
from interlock.service.run import Answer, advance
from interlock.service.verify import verify
from interlock.store.port import Whole
from interlock.store.script import Load, Loaded, Nothing, Script
from tests.conformance.compare import Fact, audit_facts, state_facts, wrong
from tests.conformance.expected import Expected, expect
from tests.conformance.naming import named_state
from tests.conformance.planting import Planting
from tests.conformance.tries import Explored, Try

AT_ONCE: Final = 24
"""How many states are tried together."""

REFUSED: Final = "refused"
"""The tenant whose units must not change."""


@dataclass(slots=True)
class Count:
    """What was covered, and everything that was wrong."""

    states: int = 0
    accepted: int = 0
    refused: int = 0
    heads: int = 0
    verified: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Say it in one line."""
        return (
            f"{self.states} states, {self.accepted + self.refused} commands "
            f"({self.accepted} accepted, {self.refused} refused), {self.heads} heads of queues, "
            f"{self.verified} units verified, {len(self.wrong)} wrong"
        )


@dataclass(slots=True)
class Bed:
    """One state, planted with the branches that some commands need, and those commands."""

    planting: Planting
    tries: list[tuple[Try, Expected]]


@dataclass(slots=True)
class Trial:
    """A suite on one store."""

    engine: Engine
    # Verifying takes as long as all the rest, so a short run does it for some tenants only.
    verify_every: int = 1
    count: Count = field(default_factory=Count)
    tenants: set[str] = field(default_factory=set)

    async def all_of(self, found: Explored, numbers: Iterable[int]) -> None:
        """Try everything in the states with these numbers."""
        left = iter(numbers)
        while some := list(islice(left, AT_ONCE)):
            beds = [bed for number in some for bed in self._beds(found, number)]
            self.count.states += len(some)
            await self._plant(beds)
            await asyncio.gather(*(self._try_bed(bed) for bed in beds))
        await self._verify()

    def _beds(self, found: Explored, number: int) -> Iterator[Bed]:
        running = self.engine.flows[found.scope.flow.name]
        by_turns: dict[tuple[object, ...], list[Try]] = {(): []}
        for one in found.tries[number]:
            turns = one.variant.turns
            key = (one.place, *(id(turn) for turn in turns)) if turns else ()
            by_turns.setdefault(key, []).append(one)
        for place, tries in enumerate(by_turns.values()):
            unit = f"{running.flow.name}-{number}x{place}"
            conditions = tries[0].conditions() if tries else {}
            snapshot = named_state(unit, found.states[number], conditions)
            planting = Planting(running, unit, snapshot, self.engine.clock.now())
            yield Bed(planting, [(one, expect(planting, one)) for one in tries])

    # -- on the store --------------------------------------------------------------------------

    async def _plant(self, beds: list[Bed]) -> None:
        store, places = self.engine.store, []
        for bed in beds:
            places.append((REFUSED, bed.planting))
            for place, (_, must) in enumerate(bed.tries):
                if not must.code:
                    places.append((str(place), bed.planting))
        for tenant in {tenant for tenant, _ in places} - self.tenants:
            await store.add_tenant(tenant, tenant, 0)
            self.tenants.add(tenant)
        await asyncio.gather(
            *(store.run(tenant, partial(plant.script, tenant)) for tenant, plant in places)
        )

    async def _try_bed(self, bed: Bed) -> None:
        accepted, refused = [], []
        for place, (one, must) in enumerate(bed.tries):
            if must.code:
                refused.append(self._refuse(bed, one, must))
            else:
                accepted.append(self._accept(bed, one, must, str(place)))
        self.count.accepted += len(accepted)
        self.count.refused += len(refused)
        await asyncio.gather(*accepted, *refused, self._ask_queues(bed))
        await self._look(bed, REFUSED, None, "after what was refused")

    async def _send(self, bed: Bed, must: Expected, one: Try, tenant: str) -> Answer | str:
        """Send a command; return its answer, or the code it was refused with."""
        asked = must.asked
        if must.fence is not None:
            incarnation = await self._incarnation(bed, tenant)
            asked = asked._replace(lease=f"{incarnation}.{must.fence}")
        order = Order(tenant, one.variant.actor, bed.planting.unit, (asked,), told)
        try:
            return await advance(self.engine, order)
        except Refusal as no:
            return no.code
        except Emptied:
            return "EMPTIED"

    async def _incarnation(self, bed: Bed, tenant: str) -> str:
        if not self.incarnation:
            whole = await self.engine.store.whole(tenant, bed.planting.unit)
            self.incarnation = cast("Whole", whole).incarnation
        return self.incarnation

    incarnation: str = ""

    async def _refuse(self, bed: Bed, one: Try, must: Expected) -> None:
        answer = await self._send(bed, must, one, REFUSED)
        self._note(bed, one, wrong([("the refusal", must.code, answer)]))

    async def _accept(self, bed: Bed, one: Try, must: Expected, tenant: str) -> None:
        answer = await self._send(bed, must, one, tenant)
        if isinstance(answer, str):
            self._note(bed, one, wrong([("the refusal", "", answer)]))
            return
        await self._look(bed, tenant, must, one, answer)

    async def _look(
        self,
        bed: Bed,
        tenant: str,
        must: Expected | None,
        one: Try | str,
        answer: Answer | None = None,
    ) -> None:
        """Compare what stands with what must stand."""
        planting, store = bed.planting, self.engine.store
        found, entries = await asyncio.gather(
            store.whole(tenant, planting.unit),
            store.audit(tenant, planting.unit, planting.version, 1_000),
        )
        whole = cast("Whole", found)
        after = planting.snapshot if must is None or must.after is None else must.after
        facts: list[Fact] = list(state_facts(planting.running, after, whole))
        facts += audit_facts(() if must is None else must.records, entries)
        facts.append(("the version", planting.version + len(entries), whole.row.version))
        facts.append(self._due_fact(planting, must, whole))
        if must is None:
            facts.append(("how many entries there are", 0, len(entries)))
        elif answer is not None:
            facts.append(("the reply", _reply(must, whole), answer.reply))
        self._note(bed, one, wrong(facts))

    def _due_fact(self, planting: Planting, must: Expected | None, whole: Whole) -> Fact:
        """Compare when leases and timers run out; with another clock than ours only whose do."""
        right = planting.due() if must is None else dict(must.due)
        found = dict(whole.due)
        if self.engine.store.now() == self.engine.clock.now():
            return ("when leases run out", right, found)
        return ("whose leases run out", sorted(right), sorted(found))

    async def _ask_queues(self, bed: Bed) -> None:
        """Ask the store for the head of each queue; nothing that could be taken may be hidden."""
        planting = bed.planting
        running, snapshot = planting.running, planting.snapshot
        found: dict[str, str | None] = {}

        def script() -> Script:
            loaded = cast("Loaded", (yield Load(planting.unit, None, running.kinds)))
            for kind, queue in running.queues.items():
                head = queue.head(loaded.unit.unit, loaded.unit.tally, loaded.heads[kind])
                found[kind] = None if head is None else head.id
            return Nothing("")

        await self.engine.store.run(REFUSED, script)
        facts: list[Fact] = []
        for kind in running.queues:
            self.count.heads += 1
            right = next_part(running.flow, snapshot, running.flow.kind(kind))
            facts.append((f"the head of {kind}", right, found[kind]))
        facts += _hidden(planting)
        self._note(bed, "the queues", wrong(facts))
        empty = [kind for kind, head in found.items() if head is None]
        for kind in empty:
            claim = running.flow.kind(kind).claim
            order = Order(REFUSED, NOBODY, planting.unit, (Asked(claim, kind=kind),), told)
            try:
                await advance(self.engine, order)
            except Emptied:
                continue
            self._note(bed, claim, ["an empty queue has handed something out"])

    async def _verify(self) -> None:
        some = sorted(self.tenants - {REFUSED}, key=int)[:: self.verify_every]
        verdicts = await asyncio.gather(*(verify(self.engine, tenant) for tenant in some))
        for tenant, verdict in zip(some, verdicts, strict=True):
            self.count.verified += verdict.units
            self.count.wrong += [f"verify, {tenant}: {finding}" for finding in verdict.findings]

    def _note(self, bed: Bed, one: Try | str, found: list[str]) -> None:
        if not found:
            return
        sent = (
            one
            if isinstance(one, str)
            else f"{one.variant.event} ({one.variant.label}) by {one.variant.actor.kind} at {one.place}"
        )
        stands = bed.planting.snapshot
        parts = ", ".join(f"{p.kind} {p.status}" for p in stands.parts)
        head = f"{bed.planting.unit}: {stands.unit.status} [{parts}]; {sent}"
        self.count.wrong += [f"{head}: {told}" for told in found]


def told(result: Result) -> dict[str, object]:
    """Word the answer of every command."""
    part = result.done[0].part
    return {"status": result.unit.unit.status, "part": None if part is None else part.part.status}


def _reply(must: Expected, whole: Whole) -> dict[str, object]:
    after, row = must.after, whole.row
    if after is None:
        return {}
    name = must.asked.part
    if must.asked.kind:
        name = next((str(r.ids[0]) for r in must.records if not r.is_unit and r.ids), None)
    part = after.part(name).status if name in after.ids else None
    receipt = {"unit": row.id, "sequence": row.version, "hash": row.head}
    return {"status": after.unit.status, "part": part, "receipt": receipt}


def _hidden(planting: Planting) -> Iterator[Fact]:
    """Yield for each part that the kernel would hand out whether rows hide it."""
    running, snapshot = planting.running, planting.snapshot
    takes = planting.takes.split(",")
    for row in planting.rows:
        kind = running.flow.kind(row.part.kind)
        if not kind.claim:
            continue
        event = Event(kind.claim, NOBODY, row.id)
        draft = Draft(running.flow, look(running.flow, snapshot, event), event, 0)
        rule = running.flow.table.rules[kind.claim]
        # What a claim would be refused for by the statuses alone need not be offered.
        is_open = rule.admits(snapshot.unit.status, row.part.status)
        if is_open and claimable(kind.claimable, running.flow)(draft):
            yield f"{row.id} is offered", True, row.offer is not None
            yield f"the unit takes {kind.name}", True, kind.name in takes
