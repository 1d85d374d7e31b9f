"""How much waits, over all tenants; and how often a process remembered what it was asked."""

from interlock.store.port import Recall, Waiting
from tests.stage import ADA, EVE, PAT, Stage, staged


@staged
async def test_nothing_waits_in_an_empty_database(stage: Stage) -> None:
    assert await stage.engine.store.count_waiting() == Waiting(0, 0, None)


@staged
async def test_what_can_be_claimed_and_what_people_must_decide_is_counted_for_everybody(
    stage: Stage,
) -> None:
    store = stage.engine.store
    first = await stage.plan(3)
    await stage.plan(2, EVE)
    before = await store.count_waiting()
    step, lease = await stage.claim(first)
    claimed = await store.count_waiting()
    await stage.call("request_user_review", ADA, step_id=step, lease=lease, summary="Is it so?")
    asked = await store.count_waiting()
    whole = await stage.whole(first)

    assert before.gates == claimed.gates == 0
    assert before.claimable - claimed.claimable == 1
    assert asked == Waiting(asked.claimable, 1, whole.row.changed_at)
    await stage.call("fail_plan", PAT, plan_id=first, reason="enough")
    assert (await store.count_waiting()).gates == 0


@staged
async def test_what_was_remembered_and_what_was_not_is_counted(stage: Stage) -> None:
    store = stage.engine.store
    plan = await stage.plan(2)
    begun = store.recall()
    step, lease = await stage.claim(plan)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="done")
    after = store.recall()

    assert isinstance(after, Recall)
    assert after.hits > begun.hits
    await stage.call("get_next_step", plan_id=plan)
    await stage.refused("get_next_step", plan_id="plan-000000000000")
    assert store.recall().misses > after.misses
