"""The machine: plays moves on a database with the real engine, and looks at what comes of each."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from itertools import count
from typing import Final

from interlock.errors import InterlockError
from interlock.kernel.workflow import LEASE_MS
from interlock.service.engine import Engine
from interlock.service.order import Emptied
from interlock.service.sweep import sweep
from interlock.store.errors import StoreError
from tests.conformance.traffic import TENANTS
from tests.ready import ready_flows
from tests.ready import ready_flows as sound_flows
from tests.simulation import moves as named
from tests.simulation.actors import HONEST, Actor, Cast
from tests.simulation.course import aim, onward
from tests.simulation.faults import FATE, SAFE, Fate
from tests.simulation.hostile import hostile
from tests.simulation.ledger import BELIEVED, Ledger, Sent
from tests.simulation.mirror import Mirror, Unit
from tests.simulation.moves import Move, Swarm
from tests.simulation.places import Place
from tests.still import StillClock

ACTORS: Final[dict[str, Actor]] = {**HONEST, "hostile": hostile}
TRIES_MAX: Final = 20
PASSING_MS: Final = (
    1, 1_000, 5_000, 20_000, 60_000, 100_000, LEASE_MS // 5, LEASE_MS // 2, LEASE_MS + 1,
)  # fmt: skip
BROKEN: Final = "STORE_BROKEN"
EMPTIED: Final = "EMPTIED"


class Machine:
    """One run: a database, everything that was sent to it, and what is wrong."""

    def __init__(self, place: Place, clock: StillClock, swarm: Swarm) -> None:
        """Begin with nothing; ``lines`` tells what happened, where somebody wants to read it."""
        self.place = place
        self.clock = clock
        self.swarm = swarm
        self.flows = ready_flows()
        # What happens is held against the tables as they are meant.
        self.mirror = Mirror(sound_flows())
        self.mirror.slack = place.slack_ms
        self.ledger = Ledger(self.mirror)
        self.cast = Cast(self.mirror, self.ledger, count(1), swarm.flows, swarm.live_max)
        self.counts: Counter[str] = Counter()
        self.lines: list[str] | None = None
        self.played = 0
        self._hash = sha256()
        self._engine: Engine | None = None
        self._is_broken = False
        self._special: dict[str, Callable[[random.Random], Awaitable[None]]] = {
            named.CROWD: self._crowd, named.TWICE: self._twice, named.AGAIN: self._again,
            named.READ: self._read, named.SWEEP: self._sweep, named.TIME: self._pass,
            named.RESTART: self._restart, named.KILL: self._kill, named.TRIP: self._trip,
            named.LEAD: self._lead,
        }  # fmt: skip

    @property
    def engine(self) -> Engine:
        """The engine that is running."""
        assert self._engine is not None
        return self._engine

    @property
    def findings(self) -> list[str]:
        """What is wrong so far."""
        return self.mirror.findings

    @property
    def trace(self) -> str:
        """A digest of everything that happened."""
        return self._hash.hexdigest()

    def count(self, what: str) -> None:
        """Count something that happened: whoever draws nothing to do has made no move."""
        self.counts[what] += 1
        self.counts["moves"] += 1

    def tell(self, line: str, answer: str = "") -> None:
        """Note what happened, and what was answered to it."""
        self._hash.update(f"{line}{answer}".encode())
        if self.lines is not None:
            self.lines.append(f"{line}{_short(answer)}")

    async def begin(self) -> None:
        """Open the database."""
        await self._open()
        for tenant in TENANTS:
            await self.engine.store.add_tenant(tenant, tenant, 0)
        self.ledger.incarnation = (await self.engine.store.health()).incarnation

    async def _open(self) -> None:
        store = await self.place.open()
        self._engine = Engine(store, self.clock, self.flows)
        self._is_broken = False

    async def play(self, moves: Iterable[Move]) -> None:
        """Play moves until something is wrong."""
        for move in moves:
            chance = random.Random(move.seed)  # noqa: S311 (repeatable on purpose)
            loop = asyncio.get_running_loop()
            if hasattr(loop, "chance"):
                loop.chance.seed(move.seed)
            self.tell(f"move {move.number}, {move.actor}:")
            self.played += 1
            await self._play(move.actor, chance)
            if self.played % self.place.every == 0:
                await self.look()
            if self.findings:
                return

    async def _play(self, actor: str, chance: random.Random) -> None:
        if actor in self._special:
            await self._special[actor](chance)
            return
        sent = ACTORS[actor](self.cast, chance)
        if sent is not None:
            await self.send(sent, chance)
        if self._is_broken:
            await self._die()

    async def look(self) -> None:
        """Read what is new in the audit, and hold the answers against it."""
        for row in await self.place.news():
            self.mirror.take(row)
        self.ledger.check()

    async def send(self, sent: Sent, chance: random.Random | None = None) -> None:
        """Send a command, and note what is said to it; without a chance no fault meets it."""
        self.ledger.add(sent)
        self.count("commands")
        token = FATE.set(SAFE if chance is None else Fate(chance, self.swarm.rates))
        said_to_it = "no answer"
        try:
            said_to_it = await self._sent(sent)
        except asyncio.CancelledError:
            sent.is_open = True
            raise
        except Exception as bug:  # noqa: BLE001 (whatever it is, it must not come out)
            said_to_it = repr(bug)
            self.mirror.find(sent.tag, f"{sent.what}: {bug!r} came out")
        finally:
            FATE.reset(token)
            self.tell(f"  {sent.tag} {sent.what} -> ", said_to_it)

    async def _sent(self, sent: Sent) -> str:
        try:
            answer = await sent.do(self.engine)
        except Emptied:
            self.ledger.refuse(sent, EMPTIED)
            return EMPTIED
        except StoreError as failed:
            self._is_broken = self._is_broken or failed.code == BROKEN
            sent.is_open = sent.is_open or failed.code not in BELIEVED
            self.counts["failed"] += 1
            return failed.code
        except InterlockError as no:
            self.counts["refused"] += 1
            self.ledger.refuse(sent, no.code)
            if not (no.code and no.message):
                self.mirror.find(sent.tag, f"was refused without a word: {no!r}")
            return no.code
        self.counts["answered"] += 1
        self.ledger.answer(sent, answer)
        return "OK" if answer is None else answer.text

    # -- moves that are more than a command ----------------------------------------------------

    async def _lead(self, chance: random.Random) -> None:
        """Lead a unit on, command by command, as those who mean well would."""
        units = self.mirror.live(chance.choice(TENANTS))
        if not units:
            return
        unit = chance.choice(units)
        goal, steps = aim(self.cast, unit, chance)
        for _ in range(steps):
            is_there = unit.is_over or unit.me.status == goal
            sent = None if is_there else onward(self.cast, unit, chance)
            if sent is None:
                return
            await self.send(sent, chance)
            if self._is_broken:
                await self._die()
            await self.look()
            # What does not get anywhere now is tried another time.
            if sent.refused or self.findings:
                return

    async def _crowd(self, chance: random.Random) -> None:
        """Let several act at once."""
        await self._together([self._drawn(chance) for _ in range(chance.randint(2, 5))], chance)

    async def _twice(self, chance: random.Random) -> None:
        """Send the same command more than once, at once."""
        sent = self._drawn(chance)
        if sent is not None and sent.key is not None:
            self.counts["duplicates"] += 1
            await self._together([sent] * chance.randint(2, 3), chance)
        elif sent is not None:
            await self.send(sent, chance)

    def _drawn(self, chance: random.Random) -> Sent | None:
        actor = chance.choice(("make", "work", "work", "decide", "zombie", "hostile"))
        return ACTORS[actor](self.cast, chance)

    async def _together(
        self,
        sents: list[Sent | None],
        chance: random.Random,
        harm: Callable[[random.Random], None] = lambda _: None,
    ) -> None:
        tasks = [
            asyncio.create_task(self.send(sent, random.Random(chance.getrandbits(32))))  # noqa: S311 (repeatable on purpose)
            for sent in sents
            if sent is not None
        ]
        self.counts["at once"] += len(tasks)
        if not tasks:
            return
        harm(chance)
        is_dead = await self.place.all_or_death(tasks)
        if is_dead or self._is_broken:
            await self._die()

    async def _again(self, chance: random.Random) -> None:
        """Ask again what was asked before; best what nobody knows the answer to."""
        known = self.ledger.keyed[-50:]
        lost = [one for one in known if one.is_open and not one.text]
        if known:
            await self.send(chance.choice(lost or known), chance)
        if self._is_broken:
            await self._die()

    async def _read(self, chance: random.Random) -> None:
        """Read a unit, as its owner and as a stranger."""
        if not self.mirror.units:
            return
        self.count("reads")
        await self.look()
        unit = chance.choice(list(self.mirror.units.values()))
        await self._compare(unit)
        stranger = chance.choice([one for one in TENANTS if one != unit.tenant])
        if await self.engine.store.whole(stranger, unit.me.name) is not None:
            self.mirror.find(unit.me.name, f"a stranger reads it ({stranger})")

    async def _compare(self, unit: Unit) -> None:
        whole = await self.engine.store.whole(unit.tenant, unit.me.name)
        if whole is None:
            self.mirror.find(unit.me.name, "cannot be read")
            return
        stands = (whole.row.unit.status, {row.id: row.part.status for row in whole.parts})
        must = (unit.me.status, {part.name: part.status for part in unit.parts.values()})
        if whole.row.version != len(unit.hashes) or stands != must:
            told = f"{whole.row.version} {stands}"
            self.mirror.find(
                unit.me.name, f"the audit says {len(unit.hashes)} {must}, its rows {told}"
            )

    async def _sweep(self, chance: random.Random) -> None:
        """Let what has run out lapse."""
        self.count("sweeps")
        token = FATE.set(Fate(chance, self.swarm.rates))
        try:
            ended = await sweep(self.engine)
            self.counts["lapsed"] += ended
            self.tell(f"  {ended} lapsed")
        except StoreError as failed:
            self.tell(f"  {failed.code}")
        finally:
            FATE.reset(token)

    async def _pass(self, chance: random.Random) -> None:
        self.count("times that time passed")
        elapsed = chance.choice(PASSING_MS)
        self.tell(f"  {elapsed} ms pass")
        # What was answered until now was answered at this time.
        await self.look()
        self.mirror.shift = await self.place.pass_ms(elapsed)

    async def _restart(self, chance: random.Random) -> None:
        """Stop in good order and start again: nothing is other than it was."""
        del chance
        self.count("restarts")
        before = await self.place.standing()
        await self.engine.store.close()
        await self._open()
        if await self.place.standing() != before:
            self.mirror.find("restart", "something is other than it was")

    async def _kill(self, chance: random.Random) -> None:
        """Let the process die while several act."""
        sents = [self._drawn(chance) for _ in range(chance.randint(1, 4))]
        await self._together(sents, chance, self.place.doom)

    async def _die(self) -> None:
        self.count("deaths")
        self.tell("  the process is gone, and another one starts")
        await self.place.die()
        before = await self.place.standing()
        await self._open()
        if await self.place.standing() != before:
            self.mirror.find("start", "something is other than it was")

    async def _trip(self, chance: random.Random) -> None:
        """Let a statement fail while one or two act."""
        sents = [self._drawn(chance) for _ in range(chance.randint(1, 2))]
        await self._together(sents, chance, self.place.trip)

    async def close(self) -> None:
        """Let go of the database, whatever state it is in."""
        with suppress(StoreError):
            await self.place.close()


def _short(answer: str) -> str:
    """Return what a reader wants to know of an answer."""
    if not answer.startswith("{"):
        return answer
    reply = json.loads(answer)
    lease = reply.get("lease") or {}
    told = (reply.get("status"), reply.get("unit"), reply.get("part"), lease.get("token"))
    return "OK " + " ".join(str(one) for one in told if one)
