"""Drive scripts: answer from memory or by a trip, then commit by one more.

A line before each unit orders what this process does to it, so that its own commands never make
each other stale. Other processes are kept in order by the version of the unit, in the database.
"""

from collections.abc import Callable
from typing import Final

from interlock.store.memory import Memory
from interlock.store.port import Recall
from interlock.store.postgres.lines import Lines
from interlock.store.postgres.load import answer, heads, load
from interlock.store.postgres.trips import Row, Trips
from interlock.store.postgres.write import (
    commit_arguments,
    is_short,
    is_wide,
    move_arguments,
    wide_arguments,
)
from interlock.store.script import (
    Answer,
    Around,
    Ask,
    Change,
    Committed,
    Load,
    Loaded,
    NotDue,
    Nothing,
    Outcome,
    Script,
    SkillMoved,
    Stale,
    Touch,
)

REFUSED: Final = {"stale": Stale, "early": NotDue, "moved": SkillMoved}
"""What an outcome of a commit is raised as; nothing was written."""

HEADS_AT, HEADS_END = 4, 18
"""Where the columns of a part begin and end in the rows of a commit."""


def _is_written(first: Row) -> bool:
    return str(first[0]) == "ok"


def _long_way(change: Change) -> tuple[str, tuple[object, ...]]:
    """Return what writes a change that is not short, and what it is told."""
    if change.deleted_at is not None:
        return "call_commit_deleted", (*commit_arguments(change), change.deleted_at)
    if is_wide(change):
        return "call_commit_wide", wide_arguments(change)
    return "call_commit", commit_arguments(change)


class Driver:
    """Carries out the commands of one process."""

    def __init__(self, trips: Trips, memory: Memory, ring: Callable[[str], None]) -> None:
        """Begin; ``ring`` is called with the tenant of every commit."""
        self._trips = trips
        self._memory = memory
        self._ring = ring
        self._lines: Lines[tuple[str, str]] = Lines()
        # The trips' turn in which everything was loaded or committed that is remembered.
        self._turn = 0

    def recall(self) -> Recall:
        """Say how often a load was answered from memory, and how often by a trip."""
        return self._memory.recall()

    async def run(self, tenant: str, make: Callable[[], Script]) -> Committed:
        """Drive a script to its end and commit what it returns; raises ``Stale`` or ``NotDue``."""
        turn = self._begin()
        script = make()
        try:
            ask = next(script)
        except StopIteration as stop:
            return await self._finish(tenant, stop.value, turn)
        unit = (tenant, ask.unit)
        if not self._lines.has_taken(unit):
            await self._lines.wait(unit)
        try:
            return await self._finish(tenant, await self._play(tenant, script, ask, turn), turn)
        finally:
            self._lines.leave(unit)

    def _begin(self) -> int:
        """Return whose turn it is; what was remembered of another server need not be true."""
        if self._turn != self._trips.turns:
            self._memory.clear()
            self._turn = self._trips.turns
        return self._turn

    async def _play(self, tenant: str, script: Script, ask: Ask, turn: int) -> Outcome:
        """Answer a script until it says what is to be written."""
        version: int | None = None
        try:
            while True:
                found = await self._answer(tenant, ask, version, turn)
                if isinstance(found, Loaded):
                    version = found.unit.version
                ask = script.send(found)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        except Stale:
            self._memory.forget(tenant, ask.unit)
            raise

    async def _answer(self, tenant: str, ask: Ask, version: int | None, turn: int) -> Answer:
        memory = self._memory
        if isinstance(ask, Load):
            known = memory.load(tenant, ask)
            memory.count(is_hit=known is not None)
            return known if known is not None else await self._load(tenant, ask, turn)
        if isinstance(ask, Around):
            around = memory.around(tenant, ask)
            if around is not None:
                return around
        return await answer(self._trips, tenant, ask, version)

    async def _load(self, tenant: str, ask: Load, turn: int) -> Loaded | None:
        found = await load(self._trips, tenant, ask)
        if found is None:
            self._memory.forget(tenant, ask.unit)
            return None
        if found.incarnation != self._memory.incarnation:
            # The database was restored under us: nothing we remember need be true.
            self._memory.clear()
            self._memory.incarnation = found.incarnation
        if turn == self._trips.turns:
            self._memory.loaded(tenant, found, ask.kinds)
        return found

    async def _finish(self, tenant: str, outcome: Outcome, turn: int) -> Committed:
        if isinstance(outcome, Nothing):
            if outcome.asked:
                await self._trips.await_standby()
            return Committed(outcome.reply, bool(outcome.asked), outcome.asked)
        if isinstance(outcome, Touch):
            return await self._touch(outcome)
        try:
            done = await self._commit(outcome, turn)
        except BaseException:
            # Also when we were interrupted: what has become of the unit is not known.
            self._memory.forget(tenant, outcome.unit.id)
            raise
        if not done.is_replay:
            self._ring(tenant)
        return done

    async def _commit(self, change: Change, turn: int) -> Committed:
        sent = self._trips.here()
        if change.beside is not None:
            pair = (("call_commit_wide", wide_arguments(one)) for one in (change, change.beside))
            first, *rest = await self._trips.write_all(tuple(pair), _is_written, turn)
        elif is_short(change):
            told = move_arguments(change)
            ((first,),) = await self._trips.write("call_move", *told, turn=turn)
            rest = [first] if first[HEADS_AT] is not None else []
        else:
            name, told = _long_way(change)
            first, *rest = await self._trips.write(name, *told, turn=turn)
        outcome, there, asked, reply, *_ = first
        self._trips.learn(sent, there)
        if outcome in REFUSED:
            raise REFUSED[outcome]
        if outcome == "known":
            await self._trips.await_standby()
            return Committed(reply, is_replay=True, asked=asked)
        if change.beside is not None:
            self._memory.committed(change.beside)
        found = heads(change.unit.id, change.kinds, [row[HEADS_AT:HEADS_END] for row in rest])
        self._memory.committed(change, found)
        return Committed(change.reply)

    async def _touch(self, touch: Touch) -> Committed:
        sent = self._trips.here()
        (row,) = await self._trips.write(
            "call_touch", touch.tenant, touch.unit, touch.version, touch.number, touch.fence,
            touch.lease_ms,
        )  # fmt: skip
        self._trips.learn(sent, row[1])
        if row[0] != "ok":
            self._memory.forget(touch.tenant, touch.unit)
            raise Stale
        return Committed(touch.reply)
