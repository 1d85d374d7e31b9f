"""Skills, feedback and the log of calls, on every kind of database: kept, found, and kept apart."""

import asyncio

import apsw
import asyncpg
import pytest

from interlock.store.port import CallRow, FeedbackRow, SkillRow, Which
from interlock.store.script import Committed, Key, SkillMove, SkillMoved
from tests.stage import ADA, AWAY, DAY_MS, EVE, HOME, Stage, staged


def skill(name: str, at: int = 1, session: str = "s1", tenant: str = HOME) -> SkillRow:
    return SkillRow(tenant, name, session, "ada", "scan", "started", '{"a":1}', None, at, None)


def call(name: str, at: int, tenant: str = HOME) -> CallRow:
    return CallRow(
        tenant, at, name, "get_next", "agent", "ada", "s1", "stdio", "{}", '{"n":1}', 7, 1
    )


def rated(name: str, unit: str, tenant: str = HOME, at: int = 1) -> FeedbackRow:
    return FeedbackRow(tenant, name, unit, 4, "gut, 漢字", "ada", at)


END = SkillMove("skill-1", "started", "failed", '{"b":2}', 9)


# -- skills --------------------------------------------------------------------------------------


@staged
async def test_an_execution_comes_back_as_it_was_kept(stage: Stage) -> None:
    store = stage.engine.store
    assert await store.add_skill(skill("skill-1"), None, "said") == Committed("said")

    assert await store.skill(HOME, "skill-1") == skill("skill-1")
    assert await store.skill(AWAY, "skill-1") is None
    assert await store.skill(HOME, "skill-2") is None


@staged
async def test_the_newest_of_a_session_is_one_that_is_free_and_has_not_ended(stage: Stage) -> None:
    store = stage.engine.store
    for row in (
        skill("skill-1", 5),
        skill("skill-2", 3),
        skill("skill-3", 9, session="s2"),
        skill("skill-4", 9, tenant=AWAY),
    ):
        await store.add_skill(row, None, "")
    assert await store.newest_skill(HOME, "s1") == skill("skill-1", 5)

    await store.move_skill(HOME, END, 9, None, "")

    assert await store.newest_skill(HOME, "s1") == skill("skill-2", 3)
    assert await store.newest_skill(HOME, "s3") is None


@staged
async def test_an_execution_ends_once_and_only_from_where_it_was_seen(stage: Stage) -> None:
    store = stage.engine.store
    await store.add_skill(skill("skill-1"), None, "")
    for wrong in (END._replace(before="failed"), END._replace(id="skill-2")):
        with pytest.raises(SkillMoved):
            await store.move_skill(HOME, wrong, 9, None, "")
    with pytest.raises(SkillMoved):
        await store.move_skill(AWAY, END, 9, None, "")
    await store.move_skill(HOME, END, 9, None, "")
    with pytest.raises(SkillMoved):
        await store.move_skill(HOME, END, 9, None, "")

    ended = skill("skill-1")._replace(status="failed", metadata='{"b":2}', ended_at=9)
    assert await store.skill(HOME, "skill-1") == ended


@staged
async def test_metadata_stays_unless_there_is_another(stage: Stage) -> None:
    store = stage.engine.store
    await store.add_skill(skill("skill-1"), None, "")
    await store.move_skill(HOME, END._replace(metadata=None), 9, None, "")

    found = await store.skill(HOME, "skill-1")
    assert found is not None
    assert found.metadata == '{"a":1}'


@staged
async def test_of_many_copies_of_a_request_one_is_carried_out(stage: Stage) -> None:
    store = stage.engine.store
    unit = await stage.plan(1)
    key = Key("ada", "r1", "x")
    made = await asyncio.gather(
        *(store.add_skill(skill(f"skill-{n}", n), key, f"said {n}") for n in range(8))
    )
    replies = {one.reply for one in made}
    assert len(replies) == 1
    assert [one.is_replay for one in made].count(False) == 1
    assert (await store.reply(HOME, key)) == ("x", replies.pop())
    assert await store.reply(AWAY, key) is None

    again = Key("ada", "r2", "y")
    rows = [rated(f"f{n}", unit) for n in range(8)]
    told = await asyncio.gather(*(store.add_feedback(row, again, row.id) for row in rows))
    assert len({one.reply for one in told if one is not None}) == 1
    assert len(await store.feedback(HOME, unit)) == 1


@staged
async def test_a_known_key_ends_nothing_a_second_time(stage: Stage) -> None:
    store = stage.engine.store
    await store.add_skill(skill("skill-1"), Key("ada", "r1", "x"), "begun")

    told = await store.move_skill(HOME, END, 9, Key("ada", "r1", "z"), "ended")

    assert told == Committed("begun", is_replay=True, asked="x")
    assert await store.skill(HOME, "skill-1") == skill("skill-1")


# -- feedback ------------------------------------------------------------------------------------


@staged
async def test_feedback_is_kept_for_its_unit(stage: Stage) -> None:
    store = stage.engine.store
    unit, foreign = await stage.plan(1), await stage.plan(1, EVE)
    assert await store.add_feedback(rated("f2", unit, at=2), None, "") == Committed("")
    assert await store.add_feedback(rated("f1", unit, at=1), None, "") == Committed("")

    assert await store.add_feedback(rated("f3", foreign), Key("ada", "r", "x"), "") is None
    assert await store.add_feedback(rated("f3", "plan-0"), None, "") is None
    assert await store.reply(HOME, Key("ada", "r", "x")) is None
    assert await store.feedback(HOME, unit) == (rated("f1", unit, at=1), rated("f2", unit, at=2))
    assert await store.feedback(AWAY, unit) == ()


@staged
@pytest.mark.parametrize(
    "statement", ["UPDATE feedback SET rating = 1", "DELETE FROM feedback", "UPDATE calls SET at=1"]
)
async def test_what_was_said_and_called_cannot_be_changed(stage: Stage, statement: str) -> None:
    store = stage.engine.store
    await store.add_feedback(rated("f1", await stage.plan(1)), None, "")
    await store.add_calls(HOME, (call("c1", 5),))

    with pytest.raises((apsw.ConstraintError, asyncpg.PostgresError), match="append-only"):
        await stage.sql(statement)


# -- calls ---------------------------------------------------------------------------------------


@staged
async def test_calls_are_listed_the_newest_first_and_page_by_page(stage: Stage) -> None:
    store = stage.engine.store
    rows = tuple(call(f"c{n}", 100 + n // 2) for n in range(7))
    await store.add_calls(HOME, rows)
    await store.add_calls(AWAY, (call("c9", 200, AWAY),))
    found: list[CallRow] = []
    place = None
    while page := await store.calls(HOME, place, 3):
        found += page
        place = (page[-1].at, page[-1].id)

    assert found == list(reversed(rows))


@staged
async def test_old_calls_of_everyone_are_pruned_so_many_at_a_time(stage: Stage) -> None:
    store = stage.engine.store
    now = store.now()
    await store.add_calls(HOME, [call(f"c{n}", n) for n in range(3)])
    await store.add_calls(HOME, [call("new", now - 2 * DAY_MS)])
    await store.add_calls(AWAY, [call("c9", 1, AWAY)])
    before = now - 3 * DAY_MS

    assert [await store.prune_calls(before, 3) for _ in range(3)] == [3, 1, 0]
    assert [row.id for row in await store.calls(HOME, None, 9)] == ["new"]
    assert await store.calls(AWAY, None, 9) == ()


# -- what has not ended ----------------------------------------------------------------------------


@staged
async def test_a_list_leaves_out_what_has_ended_and_what_was_not_asked_for(stage: Stage) -> None:
    store = stage.engine.store
    done, begun, fresh = [await stage.plan(1, ADA, tags=["x"]) for _ in range(3)]
    step, lease = await stage.claim(done)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="s")
    await stage.claim(begun)
    other = await stage.plan(1)

    async def listed(which: Which) -> set[str]:
        return {one.row.id for one in await store.units(HOME, "plan", None, 9, which)}

    assert await listed(Which()) == {done, begun, fresh, other}
    assert await listed(Which(is_open=True)) == {begun, fresh, other}
    assert await listed(Which(is_open=True, tag="x")) == {begun, fresh}
    assert await listed(Which(tag="x", status="completed")) == {done}
    assert await listed(Which(is_open=True, status="completed")) == set()
    assert await listed(Which(tag="y")) == set()
