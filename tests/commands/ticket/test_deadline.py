"""The end of a phase's time: a round goes on with a quorum, else the ticket is blocked and says why."""

from interlock.service.sweep import sweep
from interlock.service.verify import verify
from tests.stage import ADA, HOME, PAT, Stage, staged
from tests.tickets import NAMES, answer, claim, phase_of, said, started, status_of, work

MINUTE_MS = 60_000
ROUND_S = 600
LIMITS = {"round_s": ROUND_S}


async def _drafting(stage: Stage) -> str:
    """Return a ticket whose council of three has to draft questions."""
    name = await started(stage, limits=LIMITS)
    await work(stage, name)
    assert await phase_of(stage, name) == "COUNCIL_DELIBERATING"
    return name


async def _late(stage: Stage, name: str) -> int:
    kept = await stage.engine.store.artifacts(HOME, name)
    return sum(one.mark == "late" for one in kept)


@staged
async def test_a_round_goes_on_with_a_quorum_when_its_time_is_over(stage: Stage) -> None:
    name = await _drafting(stage)
    until = (await status_of(stage, name))["work_until"]
    assert until == (await stage.whole(name)).due[name]
    slow = await claim(stage, name, "cleo")
    await work(stage, name, members=NAMES[:2])

    await stage.pass_ms(ROUND_S * 1000 - MINUTE_MS)
    assert await sweep(stage.engine) == 0
    await stage.pass_ms(MINUTE_MS + 1)
    assert await sweep(stage.engine) >= 1  # the lease of the slow one may end at the same time

    told = await status_of(stage, name)
    assert told["phase"]["name"] == "COUNCIL_VOTING_INTERVIEW"
    assert told["council"]["drafted"] == ["ann", "ben"]
    assert {one["member"]: one["outcome"] for one in told["work"]} == dict.fromkeys(
        NAMES, "waiting"
    )
    # The vote has all of its time again, and what comes late is kept and changes nothing.
    await stage.pass_ms(ROUND_S * 1000 - MINUTE_MS)
    assert await sweep(stage.engine) == 0
    before = (await stage.whole(name)).row.head
    no = await stage.refused(
        "submit_work", part_id=slow["part_id"], lease=slow["lease"]["token"],
        answer=said(slow["task"]),
    )  # fmt: skip
    assert no.code == "STALE_LEASE"
    assert await _late(stage, name) == 1
    assert (await stage.whole(name)).row.head == before
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_below_the_quorum_each_members_outcome_is_told(stage: Stage) -> None:
    name = await _drafting(stage)
    await work(stage, name, members=("ann",))
    spoiled = await claim(stage, name, "cleo")
    for _ in range(2):
        lease = spoiled["lease"]["token"]
        no = await stage.refused(
            "submit_work", part_id=spoiled["part_id"], lease=lease, answer={"questions": 1}
        )
        assert no.code == "ANSWER_INVALID"
    assert await phase_of(stage, name) == "COUNCIL_DELIBERATING"
    await stage.pass_ms(ROUND_S * 1000 + 1)
    assert await sweep(stage.engine) == 1

    told = await status_of(stage, name)
    assert told["phase"]["name"] == "BLOCKED_ERROR"
    error = told["error"]
    members = {"ann": "completed", "ben": "timed_out", "cleo": "invalid_output"}
    assert (error["code"], error["previous_status"], error["occurrence"]) == (
        "QUORUM_NOT_MET", "COUNCIL_DELIBERATING", 1,
    )  # fmt: skip
    assert error["members"] == members
    assert all(f"{who} {what}" in error["message"] for who, what in members.items())
    assert {one["member"]: one["outcome"] for one in told["work"]} == members
    assert "work_until" not in told
    assert name not in (await stage.whole(name)).due

    # Everybody has all of the time again, and nobody is remembered as late.
    await stage.call("retry", PAT, ticket_id=name)
    await stage.pass_ms(ROUND_S * 1000 - MINUTE_MS)
    assert await sweep(stage.engine) == 0
    await work(stage, name, members=NAMES)
    assert await phase_of(stage, name) == "COUNCIL_VOTING_INTERVIEW"


@staged
async def test_a_quorum_that_cannot_be_reached_names_who_was_not_waited_for(stage: Stage) -> None:
    name = await _drafting(stage)
    for member in NAMES[:2]:
        part = await claim(stage, name, member)
        await stage.call(
            "fail_work", part_id=part["part_id"], lease=part["lease"]["token"], reason="no model"
        )

    error = (await status_of(stage, name))["error"]
    assert error["code"] == "QUORUM_NOT_MET"
    assert error["members"] == {"ann": "failed", "ben": "failed", "cleo": "withdrawn"}
    assert error["message"].startswith("no model (ann failed")


@staged
async def test_the_only_work_of_a_phase_blocks_the_ticket_when_its_time_is_over(
    stage: Stage,
) -> None:
    name = await started(stage, limits=LIMITS)
    slow = await claim(stage, name)
    # A sign of life extends the lease, never the time of the phase.
    await stage.pass_ms(ROUND_S * 1000 - MINUTE_MS)
    await stage.call("heartbeat_work", part_id=slow["part_id"], lease=slow["lease"]["token"])
    await stage.pass_ms(MINUTE_MS + 1)
    assert await sweep(stage.engine) == 1

    error = (await status_of(stage, name))["error"]
    assert (error["code"], error["previous_status"]) == ("deadline", "SCANNING_RELEVANT_FILES")
    assert "time" in error["message"]
    no = await stage.refused(
        "submit_work", ADA, part_id=slow["part_id"], lease=slow["lease"]["token"],
        answer=said(slow["task"]),
    )  # fmt: skip
    assert no.code == "STALE_LEASE"
    assert await _late(stage, name) == 1


@staged
async def test_no_time_runs_while_questions_wait_for_a_person(stage: Stage) -> None:
    name = await _drafting(stage)
    for _ in range(2):
        await work(stage, name, members=NAMES)
    await work(stage, name)
    assert await phase_of(stage, name) == "WAITING_INTERVIEW_ANSWERS"
    assert name in (await stage.whole(name)).due
    await answer(stage, await claim(stage, name), _batch())

    assert name not in (await stage.whole(name)).due
    await stage.pass_ms(100 * ROUND_S * 1000)
    assert await sweep(stage.engine) == 0
    batch = (await status_of(stage, name))["batch"]
    answers = [{"question_id": one["id"], "text": "Yes."} for one in batch["questions"]]
    await stage.call("answer_batch", PAT, ticket_id=name, batch=batch["number"], answers=answers)
    await stage.pass_ms(ROUND_S * 1000 + 1)
    assert await sweep(stage.engine) == 1
    assert (await status_of(stage, name))["error"]["previous_status"] == "WAITING_INTERVIEW_ANSWERS"


def _batch() -> dict[str, object]:
    question = {"id": "Q01", "question": "What?", "phase": "foundation", "answer_type": "free_text"}
    return {"questions": [question], "commentary": "", "is_final": False}
