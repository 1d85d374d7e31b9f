"""A ticket is stopped as it was read: blocked with a reason, or left to whoever was faster."""

from interlock.commands.row import Call
from interlock.commands.ticket.stopped import stop
from tests.stage import ADA, Stage, staged
from tests.tickets import claim, phase_of, started, status_of


@staged
async def test_it_is_blocked_with_a_reason(stage: Stage) -> None:
    name = await started(stage)

    assert await stop(Call(stage.engine, ADA), (await stage.whole(name)).row, "A_CODE", "so it is")
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    error = (await status_of(stage, name))["error"]
    assert (error["code"], error["message"]) == ("A_CODE", "so it is")


@staged
async def test_whoever_was_faster_is_not_stopped(stage: Stage) -> None:
    name = await started(stage)
    before = (await stage.whole(name)).row
    await claim(stage, name)

    assert not await stop(Call(stage.engine, ADA), before, "A_CODE", "so it was")
    assert await phase_of(stage, name) != "BLOCKED_ERROR"
