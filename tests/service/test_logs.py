"""Who holds a part tells about it, and nobody else; secrets are taken out; everybody reads."""

import pytest

from interlock.service.errors import NotFound
from interlock.service.logs import NotHeld, append_log, read_logs
from interlock.store.logs import Line, WhichLines
from tests.stage import ADA, BOB, DAY_MS, EVE, HOME, Stage, staged

LINES = (Line(1, "out", "begun"),)


@staged
async def test_only_the_holder_with_the_lease_tells(stage: Stage) -> None:
    step, lease = await stage.claim(await stage.plan(1))

    assert await append_log(stage.engine, ADA, step, lease, LINES) == 1
    for caller, token in ((BOB, lease), (ADA, "x.1"), (ADA, lease + "9")):
        with pytest.raises(NotHeld) as no:
            await append_log(stage.engine, caller, step, token, LINES)
        assert no.value.code == "STALE_LEASE"
    with pytest.raises(NotFound):
        await append_log(stage.engine, EVE, step, lease, LINES)
    with pytest.raises(NotFound):
        await append_log(stage.engine, ADA, step.partition(".")[0], lease, LINES)


@staged
async def test_who_has_lost_the_lease_tells_no_more(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    await stage.pass_ms(DAY_MS)
    await stage.call("take_over_work", BOB, part_id=step, reason="ada is gone")

    with pytest.raises(NotHeld):
        await append_log(stage.engine, ADA, step, lease, LINES)


@staged
async def test_what_looks_like_a_secret_is_taken_out(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    secret = "il_" + "0" * 40
    await append_log(stage.engine, ADA, step, lease, (Line(1, "out", f"token {secret}"),))

    (row,) = await read_logs(stage.engine, HOME, plan, "", WhichLines(), 9)
    assert secret not in row.text
    assert row.text.startswith("token ")


@staged
async def test_the_same_lines_again_have_one_effect(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    told = {"part_id": step, "lease": lease, "lines": [{"at": 1, "text": "x"}], "request_id": "r"}

    answers = [await stage.call("append_log", ADA, **told) for _ in range(3)]

    assert answers[0] == answers[1] == answers[2]
    assert len(await read_logs(stage.engine, HOME, plan, "", WhichLines(), 9)) == 1


@staged
async def test_lines_are_read_of_a_part_that_is_there(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    assert await read_logs(stage.engine, HOME, plan, step, WhichLines(), 9) == ()
    await append_log(stage.engine, ADA, step, lease, LINES)

    assert len(await read_logs(stage.engine, HOME, plan, step, WhichLines(), 9)) == 1
    for part in (f"{plan}.9", f"{plan}.{'9' * 30}", "plan-000000000000.1"):
        with pytest.raises(NotFound):
            await read_logs(stage.engine, HOME, plan, part, WhichLines(), 9)
    with pytest.raises(NotFound):
        await read_logs(stage.engine, "away", plan, "", WhichLines(), 9)
