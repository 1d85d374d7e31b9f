"""Reviews in the client: asked once, relayed as such, and left to the link where they must be."""

from dataclasses import replace
from typing import Any, cast

import pytest
from mcp.client.client import Client
from mcp.client.context import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp_types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from interlock.doors.mcp.review import FORM
from tests.doors.mcp.clients import ERAS, Document, called, document, on
from tests.stage import ADA, Stage, staged

Said = dict[str, str] | None


def person(said: Said, heard: list[str]) -> ElicitationFnT:
    """Return a person who answers a form; None declines."""

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        assert params.requested_schema == FORM
        heard.append(params.message)
        if said is None:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content=cast("Any", said))

    return answer


async def review(client: Client, stage: Stage, plan: str) -> Document:
    step, lease = await stage.claim(plan)
    asked = {"stepId": step, "lease": lease, "summary": "I found it.", "questions": ["Is it so?"]}
    return document(await client.call_tool("request_user_review", asked))


@staged
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ({"decision": "approve"}, "executing: completed pending"),
        ({"decision": "modify", "feedback": "More."}, "executing: in_progress pending"),
        ({"decision": "skip", "feedback": ""}, "executing: skipped pending"),
        ({"decision": "reject", "feedback": "No."}, "failed: failed skipped"),
    ],
)
async def test_what_the_person_says_becomes_a_decision_that_was_relayed(
    stage: Stage, mode: str, said: Said, standing: str
) -> None:
    plan = await stage.plan(2)
    heard: list[str] = []
    async with on(stage, mode=mode, elicitation=person(said, heard)) as client:
        await review(client, stage, plan)

    assert await stage.standing(plan) == standing
    assert heard == ["An agent asks for your review:\n\nI found it.\n- Is it so?"]
    entries = [entry for entry in await stage.audit(plan) if entry.get("decision")]
    assert entries
    for entry in entries:
        actor = cast("Document", entry["actor"])
        assert (actor["kind"], actor["on_behalf_of"]) == ("agent", "user")


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_a_person_who_does_not_answer_leaves_the_review_open(stage: Stage, mode: str) -> None:
    plan = await stage.plan(1)
    async with on(stage, mode=mode, elicitation=person(None, [])) as client:
        told = await review(client, stage, plan)

    assert told["status"] in ("awaiting_review", "awaiting_input")
    assert await stage.standing(plan) == "awaiting_review: awaiting_input"


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_a_plan_that_wants_a_person_is_left_to_the_link(stage: Stage, mode: str) -> None:
    plan = await stage.plan(1, review_policy="human")
    heard: list[str] = []
    async with on(stage, mode=mode, elicitation=person({"decision": "approve"}, heard)) as client:
        told = await review(client, stage, plan)

    assert heard == []
    gate = told["data"]["gate"]
    assert gate["url"].endswith(f"/gates/{gate['gate_id']}")
    assert await stage.standing(plan) == "awaiting_review: awaiting_input"


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_that_cannot_ask_gets_the_link(stage: Stage, mode: str) -> None:
    plan = await stage.plan(1)
    async with on(stage, mode=mode) as client:
        told = await review(client, stage, plan)

    gate = told["data"]["gate"]
    assert gate["url"].endswith(f"/gates/{gate['gate_id']}")


@staged
@pytest.mark.parametrize("mode", ERAS)
async def test_a_review_that_is_refused_asks_nobody(stage: Stage, mode: str) -> None:
    plan = await stage.plan(1)
    heard: list[str] = []
    async with on(stage, mode=mode, elicitation=person({"decision": "skip"}, heard)) as client:
        result = await client.call_tool(
            "request_user_review", {"step_id": f"{plan}.1", "summary": "Is it so?"}
        )

    assert result.is_error
    assert heard == []


@staged
async def test_a_decision_without_what_it_needs_is_refused_and_can_be_made_again(
    stage: Stage,
) -> None:
    plan = await stage.plan(1)
    async with on(stage, elicitation=person({"decision": "reject"}, [])) as client:
        told = await review(client, stage, plan)
        again = await called(
            client, "submit_user_decision", step_id=f"{plan}.1", decision="reject", feedback="No."
        )

    assert (told["code"], again["status"]) == ("FEEDBACK_REQUIRED", "failed")


@staged
async def test_an_agent_that_may_not_look_still_opens_the_review(stage: Stage) -> None:
    plan = await stage.plan(1)
    blind = replace(ADA, scopes=frozenset({"work"}))
    async with on(stage, blind, elicitation=person({"decision": "approve"}, [])) as client:
        told = await review(client, stage, plan)

    assert told["data"]["gate"]["url"]
