"""Records beside the units on PostgreSQL: skills, feedback, the log of calls. One trip each."""

from collections.abc import Sequence

from interlock.store.port import CallRow, FeedbackRow, SkillRow, WhichCalls
from interlock.store.postgres.read import LAST
from interlock.store.postgres.trips import Row, Trips
from interlock.store.postgres.write import NO_KEY
from interlock.store.script import Committed, Key, Reply, SkillMove, SkillMoved


async def reply(trips: Trips, tenant: str, key: Key) -> Reply | None:
    """Read the answer that was given to a key."""
    rows = await trips.read("call_reply", tenant, key.principal, key.request)
    if not rows:
        return None
    await trips.await_standby()
    return Reply(*rows[0])


async def add_skill(trips: Trips, row: SkillRow, key: Key | None, text: str) -> Committed:
    """Keep an execution that has begun."""
    (told,) = await trips.write(
        "call_add_skill", row.tenant, row.id, row.session, row.principal, row.name, row.metadata,
        row.started_at, *(key or NO_KEY), text,
    )  # fmt: skip
    return await _committed(trips, told, text)


async def move_skill(
    trips: Trips, tenant: str, move: SkillMove, at: int, key: Key | None, text: str
) -> Committed:
    """End an execution that has no unit; raises ``SkillMoved``."""
    asked = (tenant, at, *move, *(key or NO_KEY), text)
    (told,) = await trips.write("call_move_skill", *asked)
    if told[0] == "moved":
        raise SkillMoved
    return await _committed(trips, told, text)


async def find_skill(
    trips: Trips, tenant: str, *, name: str | None = None, unit: str | None = None,
    session: str | None = None,
) -> SkillRow | None:  # fmt: skip
    """Read an execution by its id, its unit, or as the newest of a session."""
    rows = await trips.read("call_skills", tenant, name, unit, session)
    return SkillRow(*rows[0]) if rows else None


async def add_feedback(
    trips: Trips, row: FeedbackRow, key: Key | None, text: str
) -> Committed | None:
    """Keep feedback; None if there is no such unit."""
    (told,) = await trips.write("call_add_feedback", *row, *(key or NO_KEY), text)
    return None if told[0] == "none" else await _committed(trips, told, text)


async def feedback(trips: Trips, tenant: str, unit: str) -> tuple[FeedbackRow, ...]:
    """List what was said of a unit."""
    return tuple(FeedbackRow(*row) for row in await trips.read("call_feedback", tenant, unit))


async def add_calls(trips: Trips, tenant: str, rows: Sequence[CallRow]) -> None:
    """Keep calls of tools."""
    _, *columns = zip(*rows, strict=True)
    await trips.write("call_add_calls", tenant, *columns)


async def calls(
    trips: Trips, tenant: str, before: tuple[int, str] | None, limit: int, which: WhichCalls
) -> tuple[CallRow, ...]:
    """List calls, the newest first."""
    place = before or (LAST, "")
    wanted = (which.tool, which.about, which.is_failed)
    rows = await trips.read("call_calls", tenant, *place, limit, *wanted)
    return tuple(CallRow(*row) for row in rows)


async def prune_calls(trips: Trips, before: int, limit: int) -> int:
    """Forget calls that are older than an instant."""
    ((count,),) = await trips.write("call_prune_calls", before, limit)
    return int(count)


async def _committed(trips: Trips, told: Row, text: str) -> Committed:
    outcome, asked, earlier = told
    if outcome == "known":
        await trips.await_standby()
        return Committed(earlier, is_replay=True, asked=asked)
    return Committed(text)
