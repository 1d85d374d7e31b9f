"""How a tenant is doing: its own numbers, whether anybody takes samples or not."""

from interlock.service.health import read_health
from tests.commands.test_gates import ask
from tests.service.test_pulse import beating
from tests.stage import AWAY, DAY_MS, EVE, HOME, PAT, Stage, staged


@staged
async def test_everything_is_counted_that_waits_is_held_or_stands_still(stage: Stage) -> None:
    asked, held, over = [await stage.plan(2) for _ in range(3)]
    await ask(stage, asked)
    await stage.claim(held)
    await stage.call("fail_plan", PAT, plan_id=over, reason="enough")
    ticket = await stage.ticket()
    await stage.plan(1, EVE)
    health = await read_health(stage.engine, HOME)
    whole = await stage.whole(asked)

    assert health.vitals.queues == (("plan", "step", 1), ("ticket", "assignment", 1))
    assert health.vitals.gates[0] == ("plan", 1, whole.row.changed_at)
    # A ticket that is only written down asks nobody for anything.
    assert [one.workflow for one in health.vitals.gates] == ["plan"]
    assert (health.vitals.held, health.vitals.overdue) == (1, 0)
    assert (health.stalled, health.open, health.ended) == (0, 3, 1)
    assert (health.since, health.samples) == (None, ())
    assert (await stage.whole(ticket)).row.ended_at is None
    await stage.pass_ms(DAY_MS)
    assert (await read_health(stage.engine, HOME)).vitals.overdue == 1


@staged
async def test_a_stalled_unit_is_told_and_whoever_looks_is_sampled_from_then_on(
    stage: Stage,
) -> None:
    pulse = beating(stage)
    plan = await stage.plan(1)
    await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    await stage.sql(f"UPDATE units SET status = 'stalled' WHERE id = '{plan}'")  # noqa: S608  our own words
    before = await read_health(stage.engine, HOME)
    await pulse.take(stage.engine.store)
    after = await read_health(stage.engine, HOME)

    assert (before.stalled, before.open) == (1, 1)
    assert (before.samples, len(after.samples)) == ((), 1)
    assert before.since is not None
    assert before.since == after.since
    assert (await read_health(stage.engine, AWAY)).open == 0
