"""Where others went wrong while they planned tickets: a test for each, on both stores."""

import asyncio
import json
from typing import Final

import pytest

from interlock.service.verify import verify
from interlock.ticketing import canonical
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.ticket.phases import PHASES
from tests.ideas.planning import BATCH, asked, brought, errors_of, late, on, reply, text_of
from tests.races.moves import outcome
from tests.stage import ADA, BOB, HOME, PAT, Stage, staged
from tests.tickets import NAMES, answer, claim, said, status_of, vote

LEASE_MS: Final = 11 * 60 * 1000
"""Longer than a lease lasts, and not so long as a round."""

# -- a late result of a model overwrites a newer batch of answers ------------------------------


@staged
async def test_a_late_batch_does_not_replace_the_one_that_was_answered(stage: Stage) -> None:
    name = await brought(stage, "WAITING_INTERVIEW_ANSWERS")
    slow = await claim(stage, name, by=ADA)
    await stage.pass_ms(LEASE_MS)
    quick = await claim(stage, name, by=BOB)
    assert quick["part_id"] == slow["part_id"]
    await answer(stage, quick, BATCH, by=BOB)
    await reply(stage, name, (await status_of(stage, name))["batch"], "Red.")
    before = (await stage.mark(name))[:3]

    assert await late(stage, slow, BATCH) == ("STALE_LEASE", True)
    assert (await stage.mark(name))[:3] == before


@staged
async def test_a_draft_that_comes_after_its_round_is_kept_and_changes_nothing(
    stage: Stage,
) -> None:
    name = await brought(stage, "COUNCIL_DELIBERATING")
    slow = await claim(stage, name, "cleo")
    for member in ("ann", "ben"):
        part = await claim(stage, name, member)
        await answer(stage, part, said(part["task"]))
    held = {"part_id": slow["part_id"], "lease": slow["lease"]["token"]}
    await stage.call("fail_work", ADA, **held, reason="timed_out: too slow")
    assert (await status_of(stage, name))["phase"]["name"] == "COUNCIL_VOTING_INTERVIEW"
    before = (await stage.mark(name))[:3]

    assert await late(stage, slow, said(slow["task"])) == ("STALE_LEASE", True)
    assert (await stage.mark(name))[:3] == before


@staged
async def test_what_is_answered_while_a_batch_is_prepared_is_not_lost(stage: Stage) -> None:
    name, first = await asked(stage)
    await reply(stage, name, first, "Red.")
    part = await claim(stage, name)
    # The person changes their mind while the winner still thinks about what they said before.
    told = {"question_id": "Q01", "text": "Green."}
    await stage.call("edit_answer", PAT, ticket_id=name, **told)
    await answer(stage, part, {"complete": True})

    await reply(stage, name, (await status_of(stage, name))["batch"], "No.")
    await answer(stage, await claim(stage, name), {"complete": True})
    texts = {
        one["id"]: one["answer"]["free_text"]
        for one in canonical.read(await text_of(stage, name, "interview"))["questions"]  # type: ignore[attr-defined] # read as anything
    }
    assert texts["Q01"] == "Green."
    assert texts["Q02"] == "Red."


# -- two submissions of one batch --------------------------------------------------------------


@staged
async def test_of_two_answers_to_one_batch_one_counts(stage: Stage) -> None:
    name, batch = await asked(stage)
    each = [
        [{"question_id": one["id"], "text": text} for one in batch["questions"]]
        for text in ("First.", "Second.")
    ]
    told = {"ticket_id": name, "batch": batch["number"]}
    both = await asyncio.gather(
        *(outcome(stage.call("answer_batch", PAT, **told, answers=one)) for one in each)
    )
    assert sorted(both) in (["NO_BATCH", "OK"], ["OK", "STALE_BATCH"]), both
    assert await outcome(stage.call("answer_batch", PAT, **told, answers=each[1])) != "OK"

    signals = [one.get("signal") for one in await stage.audit(name)]
    assert signals.count("BATCH_ANSWERED") == 1
    winner = "First." if both[0] == "OK" else "Second."
    part = await claim(stage, name)
    assert winner in part["task"]["prompt"]["text"]


@staged
async def test_a_batch_that_is_sent_again_is_answered_as_before(stage: Stage) -> None:
    name, batch = await asked(stage)
    told = {"ticket_id": name, "batch": batch["number"], "request_id": "once"}
    first = await stage.call("answer_batch", PAT, **told, answers=[])
    again = await stage.call("answer_batch", PAT, **told, answers=[])
    assert first == again


@staged
async def test_an_answer_to_the_batch_before_is_not_taken_for_this_one(stage: Stage) -> None:
    name, batch = await asked(stage)
    await reply(stage, name, batch)
    await answer(stage, await claim(stage, name), {"complete": True})
    before = await stage.mark(name)
    told = {"ticket_id": name, "batch": batch["number"]}
    text = [{"question_id": "Q01", "text": "Too late."}]
    assert (await stage.refused("answer_batch", PAT, **told, answers=text)).code == "STALE_BATCH"
    assert await stage.mark(name) == before


# -- a claim without an end --------------------------------------------------------------------


@staged
async def test_whoever_claims_and_is_never_heard_of_again_holds_nothing_up(stage: Stage) -> None:
    for phase in ("SCANNING_RELEVANT_FILES", "COUNCIL_DELIBERATING", "COUNCIL_VOTING_INTERVIEW"):
        name = await brought(stage, phase)
        first = await claim(stage, name)
        # Whoever takes it up has as much time as whoever is gone: the round is not over by then.
        left_ms = first["lease"]["expires_at"] - stage.engine.store.now()
        assert 0 < left_ms <= first["task"]["deadline_s"] * 1000 / 2
        await stage.pass_ms(first["lease"]["expires_at"] - stage.engine.store.now() + 1)
        again = await claim(stage, name, first["task"]["member"]["name"], by=BOB)
        assert again["part_id"] == first["part_id"]
        assert await late(stage, first, said(first["task"])) == ("STALE_LEASE", True)
        await answer(stage, again, said(again["task"]), by=BOB)
        await stage.call("cancel", PAT, id=name, reason="enough")


@staged
async def test_a_vote_that_is_handed_out_twice_counts_once(stage: Stage) -> None:
    name = await brought(stage, "COUNCIL_VOTING_INTERVIEW")
    first = await claim(stage, name, "ann")
    await stage.pass_ms(LEASE_MS)
    again = await claim(stage, name, "ann", by=BOB)
    await answer(stage, again, vote(again["task"]), by=BOB)
    assert await late(stage, first, vote(first["task"], (20, 0, 0))) == ("STALE_LEASE", True)
    for member in NAMES[1:]:
        part = await claim(stage, name, member)
        await answer(stage, part, vote(part["task"]))
    told = (await status_of(stage, name))["council"]
    assert set(told["totals"].values()) == {3 * 5 * 10}


# -- a stale draft overwrites what is newer ----------------------------------------------------


@staged
@pytest.mark.parametrize("domain", ["interview", "prd", "beads"])
async def test_an_edit_of_an_old_version_is_refused_and_nothing_is_lost(
    stage: Stage, domain: str
) -> None:
    name = await brought(stage, f"WAITING_{domain.upper()}_APPROVAL")
    text = await text_of(stage, name, domain)
    old = canonical.digest(text)
    mine, theirs = (_edited(domain, text, word) for word in ("Mine", "Theirs"))
    told = {"ticket_id": name, "base_digest": old}
    await stage.call("save_artifact", PAT, **told, content=mine)
    before = await stage.mark(name)

    no = await stage.refused("save_artifact", PAT, **told, content=theirs)
    assert no.code == "STALE_EDIT"
    assert old in no.message
    # What was looked at before cannot be approved either: another one waits now.
    no = await stage.refused("approve", PAT, ticket_id=name, content_digest=old)
    assert no.code == "STALE_APPROVAL"
    assert await stage.mark(name) == before
    assert "Mine" in await text_of(stage, name, domain)


def _edited(domain: str, text: str, word: str) -> str:
    what = {"interview": "As you like.", "prd": "No apples.", "beads": "Do sell-apples"}[domain]
    if domain == "interview":
        document = canonical.read(text)
        questions = document["questions"]
        assert isinstance(questions, list)
        questions[0]["answer"]["free_text"] = word
        return canonical.write(document)
    assert what in text
    return text.replace(what, word)


@staged
async def test_a_reopening_with_an_old_version_is_refused(stage: Stage) -> None:
    name = await brought(stage, "DRAFTING_BEADS")
    text = await text_of(stage, name, "prd")
    told = {"ticket_id": name, "artifact": "prd", "reason": "more", "base_digest": "0" * 64}
    before = await stage.mark(name)
    no = await stage.refused("reopen", PAT, **told, content=text.replace("No apples.", "Pears."))
    assert no.code == "STALE_EDIT"
    assert await stage.mark(name) == before


# -- a status that nobody knows offers actions -------------------------------------------------


def test_a_phase_that_is_none_offers_nothing_and_every_other_what_its_edges_allow() -> None:
    flow = WORKFLOWS["ticket"]
    assert not flow.legal("UNHEARD_OF", "ticket")
    for phase in PHASES:
        events = {one.event for one in flow.legal(phase.name, "ticket")}
        if phase.kind == "terminal":
            assert not events, phase
        elif phase.name not in ("CLEANING_ENV", "BLOCKED_ERROR"):
            assert "cancel" in events, phase


# -- who answers for whom ----------------------------------------------------------------------


@staged
async def test_a_vote_on_drafts_that_are_not_there_is_refused_place_by_place(stage: Stage) -> None:
    name = await brought(stage, "COUNCIL_VOTING_PRD", structured_retries=5)
    part = await claim(stage, name, "ann")
    held = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    good = vote(part["task"])["scores"]
    for scores, path in (
        ({key: good[key] for key in ("Draft 1", "Draft 2")}, "$.scores"),
        ({**good, "Draft 4": good["Draft 1"]}, "$.scores"),
        ({**good, "Draft 2": {**good["Draft 2"], "risks": 21}}, "$.scores['Draft 2'].risks"),
        ({**good, "Draft 2": {**good["Draft 2"], "risks": 1.5}}, "$.scores['Draft 2'].risks"),
    ):
        no = await stage.refused("submit_work", ADA, **held, answer={"scores": scores})
        paths = [one["path"] for one in errors_of(no)]
        assert any(one.startswith(path.split("[")[0]) for one in paths), (path, paths)
    assert (await stage.whole(name)).row.unit.fields["totals"] in ((), [])


@staged
async def test_a_cancel_while_members_write_takes_their_work_back_and_keeps_what_comes(
    stage: Stage,
) -> None:
    name = await brought(stage, "DRAFTING_PRD")
    parts = [await claim(stage, name, member) for member in NAMES]
    results = await asyncio.gather(
        outcome(stage.call("cancel", PAT, id=name, reason="enough")),
        *(
            outcome(
                stage.call(
                    "submit_work", ADA, part_id=part["part_id"], lease=part["lease"]["token"],
                    answer=said(part["task"]),
                )
            )
            for part in parts
        ),
    )  # fmt: skip
    assert results[0] == "OK"
    assert (await status_of(stage, name))["phase"]["name"] == "CANCELED"
    kept = await stage.engine.store.artifacts(HOME, name)
    numbers = {int(part["part_id"].partition(".")[2]) for part in parts}
    assert {one.part for one in kept if one.part in numbers} == numbers
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_an_agent_does_not_choose_the_seed_of_votes(stage: Stage) -> None:
    name = await brought(stage, "SCANNING_RELEVANT_FILES")
    place = (await status_of(stage, name))["project_id"]
    told = {"project_id": place, "title": "Sell apples", "seed": "mine"}
    assert (await stage.refused("create_ticket", ADA, **told)).code == "NOT_ALLOWED"
    mine = await stage.call("create_ticket", PAT, **told)
    row = (await stage.whole(str(mine.data["ticket_id"]))).row
    assert row.unit.fields["seed"] == "mine"


@staged
async def test_a_project_that_changes_does_not_reach_a_ticket_that_runs(stage: Stage) -> None:
    name = await brought(stage, "COUNCIL_DELIBERATING")
    place = (await status_of(stage, name))["project_id"]
    others = [{"name": "eve", "agent": "scripted", "model": "eve-1"}]
    await stage.call("edit_project", PAT, project_id=place, members=others)
    for _ in range(2 * len(NAMES)):
        await on(stage, name, await status_of(stage, name))
    told = await status_of(stage, name)
    assert told["phase"]["name"] == "COMPILING_INTERVIEW"
    assert told["council"]["members"] == list(NAMES)
    assert "eve" not in json.dumps((await stage.whole(name)).row.unit.fields["config"])
