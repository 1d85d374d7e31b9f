"""Each tool of the research toolset: what it takes, what it answers, in the one envelope."""

from dataclasses import replace
from typing import Final

import pytest

from interlock.outside.model import OPENAI, model_at
from tests.doors.mcp.clients import called, on, refused
from tests.service.endpoints import endpoint, openai
from tests.spec.door import ADA, BOB, PAT, Document, Door, handed_in, plain, promise

TYPES: Final = ("search", "extract", "analyze", "critique", "synthesize", "checkpoint", "custom")


@promise("command.create_research_plan")
async def test_a_plan_is_made_with_everything_it_can_have(door: Door) -> None:
    steps = [
        {"step_type": "search", "instructions": "look", "title": "Look", "acceptance": "three"},
        {"step_type": "extract", "instructions": "take", "depends_on": [1], "stall_after": 60},
    ]
    condition = {"after_step_order": 1, "expression": "n > 1", "action": "continue"}
    made = await door.ask(
        "create_research_plan", name="A plan", research_question="What is so?", steps=steps,
        branching_conditions=[condition], plan_design_rationale="because",
        output_formatting_notes="short", review_policy="human", stall_after=120,
        max_parallel_steps=2, session_id="s1",
    )  # fmt: skip
    plan = made["data"]["plan_id"]

    assert made["status"] == "planning"
    assert made["data"]["step_ids"] == [f"{plan}.1", f"{plan}.2"]
    assert made["data"]["first_step"] == f"{plan}.1"
    context = await door.context(plan)
    assert context["plan_design_rationale"] == "because"
    assert context["steps"][1]["depends_on"] == [1]
    step = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]
    assert (step["title"], step["step_type"], step["acceptance"]) == ("Look", "search", "three")


@promise("command.create_research_plan")
@pytest.mark.parametrize(
    "steps", [[], [{}], [{"instructions": ""}], [{"instructions": "a", "step_type": "x"}]]
)
async def test_a_plan_has_at_least_one_step_that_says_something(door: Door, steps: object) -> None:
    told = {"name": "A plan", "research_question": "?", "steps": steps}

    assert (await door.refuse("create_research_plan", **told))["code"] == "INVALID_INPUT"


@promise("deviation.9", "command.create_research_plan")
async def test_the_original_spellings_are_taken(door: Door) -> None:
    told = {"name": "A plan", "researchQuestion": "What?", "maxParallelSteps": 1,
            "steps": [{"stepType": "search", "instructions": "a"},
                      {"instructions": "b", "dependsOn": [1]}]}  # fmt: skip
    made = await door.ask("create_research_plan", **told)
    plan = made["data"]["plan_id"]
    step = (await door.ask("get_next_step", planId=plan))["data"]["step"]
    done = await door.ask(
        "submit_step_result", stepId=step["step_id"], resultSummary="s", claimNext=True
    )

    assert done["data"]["next_step"]["step_id"] == f"{plan}.2"


@promise("rule.step-types", "deviation.10", "command.get_next_step.in_progress")
@pytest.mark.parametrize("kind", TYPES)
async def test_a_checkpoint_alone_changes_what_the_agent_is_told(door: Door, kind: str) -> None:
    plan = await door.plan([{"instructions": "a", "step_type": kind}])
    told = await door.ask("get_next_step", plan_id=plan)

    assert (told["status"], told["data"]["step"]["step_type"]) == ("in_progress", kind)
    assert ("request_user_review" in told["next_action"]) == (kind == "checkpoint")


@promise("command.get_next_step.in_progress")
async def test_a_step_is_handed_out_with_all_that_is_needed(door: Door) -> None:
    plan = await door.plan([{"instructions": "a", "title": "First", "acceptance": "done when"}])
    step, lease = await door.claim(plan)
    await door.ask("release_step", step_id=step, lease=lease, note="down")
    told = (await door.ask("get_next_step", plan_id=plan))["data"]["step"]

    assert {"step_id", "order", "step_type", "title", "instructions", "acceptance", "attempt",
            "notes", "lease"} <= set(told)  # fmt: skip
    assert set(told["lease"]) == {"token", "holder", "expires_at", "lasts_ms"}


@promise("command.get_next_step.no_pending_steps")
async def test_when_all_is_under_way_it_is_said_who_holds_what(door: Door) -> None:
    plan = await door.plan(2)
    await door.fail(f"{plan}.1")
    step, _ = await door.claim(plan, BOB)
    told = await door.ask("get_next_step", plan_id=plan)

    assert told["status"] == "no_pending_steps"
    assert (told["data"]["counts"], told["data"]["held_back"]) == (
        {"failed": 1, "in_progress": 1}, [],
    )  # fmt: skip
    (held,) = told["data"]["current_steps"]
    assert (held["step_id"], held["holder"]) == (step, "bob")
    assert held["until"] > door.stage.clock.now()


@promise("command.get_next_step.wait")
async def test_whoever_waits_is_told_at_the_end_of_it(door: Door) -> None:
    plan = await door.plan(1)
    await door.claim(plan)
    told = await door.ask("get_next_step", BOB, plan_id=plan, wait_s=0.05)
    no = await door.refuse("get_next_step", BOB, plan_id=plan, wait_s=11)

    assert (told["status"], no["code"]) == ("no_pending_steps", "INVALID_INPUT")


@promise("command.submit_step_result")
async def test_a_result_is_kept_whole(door: Door) -> None:
    plan = await door.plan(2)
    step, lease = await door.claim(plan)
    answer = await door.submit(
        step, lease=lease, result={"n": 1}, confidence=0.5, step_execution_report="long",
        evidence=["here"],
    )  # fmt: skip

    assert answer["data"]["step"]["status"] == "completed"
    assert (answer["data"]["plan_status"], answer["data"]["branches"]) == ("executing", [])
    assert "get_next_step" in answer["next_action"]
    line = (await door.context(plan))["steps"][0]
    assert (line["result"], line["confidence"]) == ('{"n": 1}', 0.5)


@promise("command.submit_step_result", "refusal.INVALID_INPUT")
@pytest.mark.parametrize(
    "wrong", [{"confidence": 1.1}, {"confidence": -0.1}, {"result": []}, {"result_summary": ""}]
)
async def test_a_result_has_its_shape(door: Door, wrong: Document) -> None:
    plan = await door.plan(1)
    no = await door.refuse("submit_step_result", **{**handed_in(f"{plan}.1"), **wrong})

    assert no["code"] == "INVALID_INPUT"
    assert next(iter(wrong)) in no["message"]


@promise("rule.large-results")
async def test_a_large_result_is_named_by_its_digest(door: Door) -> None:
    plan = await door.plan(2)
    await door.submit(f"{plan}.1", result={"text": "x" * 70_000})
    context = await door.ask("get_research_context", plan_id=plan)

    line = context["data"]["steps"][0]
    assert "result" not in line
    (kept,) = [row for row in context["data"]["artifacts"] if row["name"] == "result"]
    assert line["result_digest"] == kept["digest"]
    assert "digest" in context["warnings"][0]


@promise("command.submit_step_result.claim_next")
async def test_one_call_submits_and_claims(door: Door) -> None:
    plan = await door.plan(2)
    step, lease = await door.claim(plan)
    told = await door.submit(step, lease=lease, claim_next=True)

    assert told["data"]["next_step"]["step_id"] == f"{plan}.2"
    assert told["data"]["next_step"]["lease"]["holder"] == "ada"
    last = await door.submit(f"{plan}.2", claim_next=True)
    assert (last["status"], "next_step" in last["data"]) == ("completed", False)


@promise("command.get_plan_status")
async def test_the_status_has_everything(door: Door) -> None:
    plan = await door.plan(5)
    await door.submit(f"{plan}.1")
    await door.fail(f"{plan}.2")
    works, _ = await door.claim(plan)
    asks = await door.review(plan)
    status = await door.status(plan)

    assert {"plan_id", "name", "status", "derived_status", "stalled", "stalled_steps", "progress",
            "total_steps", "counts", "settled", "gate"} <= set(status)  # fmt: skip
    assert [step["step_id"] for step in status["current_steps"]] == [works, asks]
    assert [step["summary"] for step in status["completed_steps"]] == ["found"]
    assert [step["failure"] for step in status["failed_steps"]] == ["no source has it"]
    assert [step["step_id"] for step in status["pending_steps"]] == [f"{plan}.5"]
    assert status["gate"]["step_id"] == asks


@promise("command.list_active_plans")
async def test_active_plans_are_listed_newest_change_first(door: Door) -> None:
    first, second, over = [await door.plan(1, tags=["listed"]) for _ in range(3)]
    door.pass_ms(1)
    await door.claim(first)
    await door.submit(f"{over}.1")
    wanted = {"filter": {"tag": "listed"}, "limit": 1}
    page = await door.ask("list_active_plans", **wanted)
    rest = await door.ask("list_active_plans", **wanted, cursor=page["data"]["cursor"])

    assert [one["plan_id"] for one in page["data"]["plans"]] == [first]
    assert [one["plan_id"] for one in rest["data"]["plans"]] == [second]


@promise("command.get_research_context")
async def test_a_new_session_is_told_everything(door: Door) -> None:
    plan = await door.plan(2, session_id="old")
    await door.submit(f"{plan}.1", result={"n": 1})
    await door.ask("store_research", plan_id=plan, artifact_type="notes", title="N", content="c")
    step = await door.review(plan, questions=["is it so?"])
    told = await door.ask("get_research_context", PAT, plan_id=plan, session_id="new")

    data = told["data"]
    assert data["research_question"] == "What is so?"
    assert [row["status"] for row in data["steps"]] == ["completed", "awaiting_input"]
    assert data["steps"][0]["result"] == '{"n": 1}'
    assert data["gate"]["step_id"] == step
    assert {row["name"] for row in data["artifacts"]} >= {"result", "review"}
    assert [row["title"] for row in data["documents"]] == ["N"]
    assert data["last_events"][0]["types"] == ["session_resumed"]
    assert "decided" in told["next_action"]


@promise("command.get_step_context")
async def test_a_step_is_told_what_it_builds_upon(door: Door) -> None:
    steps = [{"instructions": "a"}, {"instructions": "b"}, {"instructions": "c", "depends_on": [1]}]
    plan = await door.plan(steps)
    await door.submit(f"{plan}.1", result={"n": 1})
    await door.submit(f"{plan}.2", result={"text": "y" * 900})
    told = await door.ask("get_step_context", step_id=f"{plan}.3", token_budget=200)

    data = told["data"]
    assert [row["step_id"] for row in data["depends_on"]] == [f"{plan}.1"]
    assert data["depends_on"][0]["result"] == '{"n": 1}'
    assert [row["step_id"] for row in data["earlier"]] == [f"{plan}.2"]
    assert "result" not in data["earlier"][0]
    assert told["warnings"]
    assert "related" in data


@promise("command.store_research", "command.store_research_output", "command.search_sources")
async def test_what_is_stored_is_found(door: Door) -> None:
    plan = await door.plan(1)
    told = {"plan_id": plan, "step_id": f"{plan}.1", "artifact_type": "source", "title": "Herons",
            "content": "The grey heron fishes at dawn.", "source_urls": ["https://example.org/h"]}  # fmt: skip
    stored = (await door.ask("store_research", **told))["data"]
    again = (await door.ask("store_research", **{**told, "content": "It fishes at dusk."}))["data"]
    output = (
        await door.ask(
            "store_research_output", plan_id=plan, title="Report", content="# Herons",
            media_type="text/markdown",
        )
    )["data"]  # fmt: skip

    assert (stored["version"], again["version"], len(stored["digest"])) == (1, 2, 64)
    assert output["output_id"]
    read = (await door.ask("get_artifact", artifact_id=output["output_id"]))["data"]
    assert read["content"] == "# Herons"


@promise("command.search_sources", "deviation.10")
async def test_what_is_stored_is_found_by_its_words(door: Door) -> None:
    plan, other = await door.plan(1), await door.plan(1)
    for one in (plan, other):
        await door.ask(
            "store_research", plan_id=one, artifact_type="source", title="Herons",
            content="The grey heron fishes at dawn.", source_urls=["https://example.org/h"],
        )  # fmt: skip
    await door.index()
    told = await door.ask("search_sources", query="heron dawn", filters={"plan_id": plan}, limit=5)

    (hit,) = told["data"]["hits"]
    assert (hit["plan_id"], hit["title"], hit["matched"]) == (plan, "Herons", ["keyword"])
    assert "heron" in hit["snippet"]
    assert hit["score"] > 0
    assert "Only words" in told["warnings"][0]


@promise("command.explain")
async def test_it_is_explained_why_a_step_is_where_it_is(door: Door) -> None:
    step = await door.at("awaiting_input")
    told = await door.ask("explain", id=step)
    plan = await door.ask("explain", id=step.partition(".")[0])

    assert (told["status"], plan["status"]) == ("awaiting_input", "awaiting_review")
    calls = [row["command"] for row in told["data"]["calls"]]
    assert any(row.startswith("submit_user_decision") for row in calls)
    assert told["data"]["since"]


@promise("command.ping")
async def test_ping_says_who_you_are(door: Door) -> None:
    for by, kind in ((ADA, "agent"), (PAT, "user")):
        data = (await door.ask("ping", by))["data"]
        assert (data["id"], data["kind"], data["tenant"]) == (by.id, kind, "home")
        assert data["version"]


@promise("command.submit_feedback")
async def test_a_plan_is_rated(door: Door) -> None:
    plan = await door.plan(1)
    await door.ask("submit_feedback", PAT, plan_id=plan, rating=5, text="good")
    for rating in (0, 6):
        no = await door.refuse("submit_feedback", PAT, plan_id=plan, rating=rating)
        assert no["code"] == "INVALID_INPUT"


@promise("command.extract_data")
async def test_data_is_extracted_checked_and_mended_once(door: Door) -> None:
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    told = {"source_text": "There are 3.", "schema": schema}
    with endpoint(openai("{}"), openai('{"n": 3}'), openai("{}")) as fake:
        model = model_at(OPENAI, fake.url, "key", "big")
        stage = replace(door.stage, engine=replace(door.stage.engine, model=model))
        async with on(stage) as client:
            good = plain(await called(client, "extract_data", **told))
            no = await refused(client, "extract_data", **told)

    assert (good["data"]["extracted"], good["data"]["mended"]) == ('{"n": 3}', True)
    assert (no["code"], len(fake.heard)) == ("EXTRACTION_FAILED", 4)


@promise("command.extract_data")
async def test_without_a_model_extraction_says_how_to_set_one_up(door: Door) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    no = await door.refuse("extract_data", source_text="There are 3.", schema=schema)

    assert no["code"] == "MODEL_NOT_CONFIGURED"
    assert "INTERLOCK_" in no["fix"]


# -- refusals that belong to no row ------------------------------------------------------------


@promise("refusal.NOT_FOUND")
@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("get_next_step", {"plan_id": "plan-000000000000"}),
        ("get_plan_status", {"plan_id": "plan-000000000000"}),
        ("submit_step_result", {"step_id": "plan-000000000000.1", "result_summary": "s"}),
        ("get_step_context", {"step_id": "plan-000000000000.1"}),
        ("explain", {"id": "plan-000000000000"}),
        ("get_artifact", {"artifact_id": "doc-000000000000"}),
    ],
)
async def test_what_is_not_there_is_not_found(door: Door, tool: str, told: Document) -> None:
    assert (await door.refuse(tool, **told))["code"] == "NOT_FOUND"


@promise("command.any.envelope")
async def test_every_answer_has_the_one_envelope(door: Door) -> None:
    plan = await door.plan(1)
    for tool, told in (
        ("get_plan_status", {"plan_id": plan}), ("get_next_step", {"plan_id": plan}),
        ("ping", {}), ("list_active_plans", {}),
    ):  # fmt: skip
        answer = await door.ask(tool, **told)
        assert {"status", "next_action", "legal_moves", "data", "warnings"} <= set(answer)
    no = await door.refuse("heartbeat_step", step_id=f"{plan}.1", lease="x.1")
    assert {"code", "message", "fix", "retryable", "legal_moves"} <= set(no)
