"""A ticket from an idea to an approved blueprint, told with the commands that anybody would use."""

from tests.reports import check
from tests.stage import PAT, Stage, staged
from tests.tickets import NAMES, answer, claim, phase_of, started, status_of, work


async def _answered(stage: Stage, name: str) -> None:
    """Answer what waits until nothing waits any more."""
    while await phase_of(stage, name) == "WAITING_INTERVIEW_ANSWERS":
        told = await status_of(stage, name)
        if "batch" not in told:
            await work(stage, name)
            continue
        batch = told["batch"]
        answers = [
            {"question_id": one["id"], "text": f"Answer to {one['id']}"}
            for one in batch["questions"]
        ]
        await stage.call(
            "answer_batch", PAT, ticket_id=name, batch=batch["number"], answers=answers
        )


async def _approved(stage: Stage, name: str) -> None:
    gate = (await status_of(stage, name))["gates"][-1]
    await stage.call("approve", PAT, ticket_id=name, content_digest=gate["content_digest"])


@staged
async def test_a_ticket_is_planned_by_a_council_and_approved_three_times(stage: Stage) -> None:
    name = await started(stage)
    await work(stage, name)
    assert await phase_of(stage, name) == "COUNCIL_DELIBERATING"
    for domain in ("interview", "prd", "beads"):
        await work(stage, name, members=NAMES)
        await work(stage, name, members=NAMES)
        assert (await status_of(stage, name))["council"]["winner"] == "ann"
        await work(stage, name)
        if domain == "interview":
            await _answered(stage, name)
        await work(stage, name)
        assert await phase_of(stage, name) == f"WAITING_{domain.upper()}_APPROVAL"
        await _approved(stage, name)

    told = await status_of(stage, name)
    assert told["phase"]["name"] == "PRE_FLIGHT_CHECK"
    assert [one["title"] for one in told["beads"]] == ["Do sell-apples", "Do count-apples"]
    assert set(told["documents"]) >= {"relevant_files", "session", "interview", "prd", "beads"}
    part = await claim(stage, name)
    assert part["task"]["task"] == "check"
    await answer(stage, part, check({}))
