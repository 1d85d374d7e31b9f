"""The events of a mission that are more than one command: how hops end it, hold it, begin it anew."""

from typing import Final

import pytest

from tests.missions import new_mission
from tests.spec.door import ADA, PAT, Door, promise
from tests.spec.mission.places import WHY, Brought, bring, system
from tests.spec.mission.reading import status, walk
from tests.spec.mission.working import claim, finish, run_all

pytestmark = pytest.mark.every_store


@promise("mission.propose_mission", "command.mission-fields")
async def test_a_proposed_mission_says_all_that_it_was_told(door: Door) -> None:
    more = {"description": "by hand", "policy": "relay"}
    made = await door.ask("propose_mission", ADA, **new_mission(**more))
    context = (await door.ask("mission_context", ADA, mission_id=made["data"]["mission_id"]))[
        "data"
    ]

    assert made["status"] == "PROPOSED"
    told = {
        name: context[name]
        for name in ("name", "goal", "description", "success_criteria", "policy")
    }
    assert told == {
        "name": "Add up", "goal": "Know the sum.", "description": "by hand",
        "success_criteria": ["it is right"], "policy": "relay",
    }  # fmt: skip
    assert context["attempt"] == 1
    assert [(one["name"], one["role"], one["status"]) for one in context["assets"]] == [
        ("numbers", "input", "PROPOSED"), ("sum", "output", "PROPOSED"),
        ("between", "intermediate", "PROPOSED"),
    ]  # fmt: skip
    assert [gate["command_line"].split()[-1] for gate in context["gates"]] == ["accept_mission"]


@promise("mission.approve_design", "policy.digest")
async def test_an_approval_is_kept_with_the_digest_and_executing_implies_one(door: Door) -> None:
    for command in ("approve_design", "execute_hop"):
        it = await bring(door.stage, "designed")
        before = await door.sequence(it.mission)
        await door.ask(command, PAT, hop_id=it.hops["it"], content_digest=it.digest)
        entries = await door.audit(it.mission, before)
        written = [body["set"] for body in entries if "approved" in body.get("set", {})]

        assert written == [{"approved": it.digest}]
        expected = "EXECUTING_HOP" if command == "execute_hop" else "HOP_READY_TO_EXECUTE"
        assert (await status(door, it))["status"] == expected


@promise("mission.validation_failed", "hop.validation_failed", "step.invalidated")
async def test_a_design_that_is_no_longer_valid_goes_back(door: Door) -> None:
    it = await bring(door.stage, "designed")
    before = await door.sequence(it.mission)
    await door.ask("set_asset", PAT, asset_id=f"{it.mission}.1", content=[])
    await system(door.stage, "validation_failed", it.mission, it.hops["it"])

    assert (await walk(door, it, before)).startswith(
        "hop READY_TO_EXECUTE>READY_TO_RESOLVE, mission HOP_READY_TO_EXECUTE>BUILDING_HOP, "
        "tool_step READY_TO_EXECUTE>READY_TO_CONFIGURE"
    )


ENDS: Final = {False: "READY_FOR_NEXT_HOP", True: "COMPLETED"}


@promise(
    "mission.hop_completed", "mission.hop_completed-final", "hop.completed",
    "cascade.final-completed", "step.completed", "step.in-order",
)  # fmt: skip
@pytest.mark.parametrize("is_final", [False, True])
async def test_the_last_step_completes_the_hop_and_the_final_hop_the_mission(
    door: Door, *, is_final: bool
) -> None:
    it = await bring(door.stage, "designed")
    told = {"hop_id": it.hops["it"], "content_digest": it.digest, "is_final": is_final}
    await door.ask("execute_hop", PAT, **told)
    before = await door.sequence(it.mission)
    steps = await run_all(door, it)

    assert steps == sorted(steps, key=lambda name: int(name.rpartition(".")[2]))
    assert (await walk(door, it, before)).endswith(
        f"<hop EXECUTING>COMPLETED, <mission EXECUTING_HOP>{ENDS[is_final]}"
    )
    assert "current_hop" not in await status(door, it)


@promise("mission.resolution_failed", "hop.resolution_failed", "cascade.hop-failed")
@pytest.mark.parametrize(
    ("failure", "end"), [("user_correctable", ""), ("system", ", <mission BUILDING_HOP>FAILED")]
)
async def test_what_cannot_be_resolved_holds_or_fails(door: Door, failure: str, end: str) -> None:
    it = await bring(door.stage, "resolving")
    before = await door.sequence(it.mission)
    told = {"hop_id": it.hops["it"], "lease": it.lease, "failure": failure, "message": "no"}
    await door.ask("fail_resolution", ADA, **told)

    assert await walk(door, it, before) == f"hop READY_TO_RESOLVE>FAILED{end}"
    assert (await status(door, it)).get("held", False) is not bool(end)


@promise("mission.hop_failed", "hop.failed", "cascade.hop-failed", "asset.error", "step.failed")
@pytest.mark.parametrize(
    ("failure", "end"), [("validation", ""), ("system", ", <mission EXECUTING_HOP>FAILED")]
)
async def test_a_step_that_fails_fails_its_hop(door: Door, failure: str, end: str) -> None:
    it = await bring(door.stage, "running")
    before = await door.sequence(it.mission)
    await finish(door, it, failure=failure)

    assert await walk(door, it, before) == (
        "tool_step EXECUTING>FAILED, <asset IN_PROGRESS>ERROR, <hop EXECUTING>FAILED" + end
    )
    assert (await status(door, it)).get("held", False) is not bool(end)


@promise("mission.abandon_recovery", "hop.mission_failed")
async def test_where_a_repair_is_given_up_the_record_is_closed(door: Door) -> None:
    it = await bring(door.stage, "executing held")
    await door.ask("abandon_recovery", PAT, mission_id=it.mission, **WHY)
    data = await status(door, it)

    assert (data["status"], data.get("held"), data.get("recovery")) == ("FAILED", None, None)


@promise("mission.system_error", "hop.mission_failed", "cascade.mission-failed")
@pytest.mark.parametrize("place", ["pending", "asked", "resolving", "designed", "idle"])
async def test_a_mission_that_fails_takes_its_active_hop_along(door: Door, place: str) -> None:
    it = await bring(door.stage, place)
    before = await door.sequence(it.mission)
    await system(door.stage, "system_error", it.mission)
    mission, hop = (await door.audit(it.mission, before))[:2]

    assert (mission["target"], hop["target"], hop["ids"]) == ("FAILED", "FAILED", [it.hops["it"]])
    assert hop["cause"]["after"] == mission["sequence"]


async def reset(door: Door, it: Brought) -> str:
    """Begin a mission anew; return the id of the new one."""
    answer = await door.ask("reset_mission", PAT, mission_id=it.mission, **WHY)
    return str(answer["data"]["new_mission_id"])


@promise("mission.reset_mission")
@pytest.mark.parametrize("place", ["completed", "failed", "cancelled"])
async def test_a_reset_makes_a_new_mission_and_leaves_the_old_one(door: Door, place: str) -> None:
    it = await bring(door.stage, place)
    old = (await door.ask("mission_context", PAT, mission_id=it.mission))["data"]
    successor = await reset(door, it)
    new = (await door.ask("mission_context", PAT, mission_id=successor))["data"]
    after = await status(door, it)

    assert (after["status"], after["superseded_by"]) == (old["status"], successor)
    assert (new["status"], new["reset_of"], new["attempt"], new["hops"]) == (
        "PROPOSED",
        it.mission,
        2,
        [],
    )
    for name in ("name", "description", "goal", "success_criteria"):
        assert new[name] == old[name]
    assert [one["name"] for one in new["assets"]] == ["numbers", "sum", "between"]
    assert [one.get("content") for one in new["assets"]] == [[1, 2, 3], None, None]
    no = await door.refuse("reset_mission", PAT, mission_id=it.mission, **WHY)
    assert no["code"] == "ALREADY_RESET"


@promise("mission.complete_early")
async def test_early_completion_needs_every_output(door: Door) -> None:
    it = await bring(door.stage, "ready")
    told = {"inputs": ["numbers"], "output": f"{it.mission}.3", "name": "Add", "goal": "Add."}
    made = await door.ask("create_hop", PAT, mission_id=it.mission, **told)
    hop = (await status(door, it))["hops"][-1]["hop_id"]
    digest = made["data"]["gate"]["content_digest"]
    await door.ask("accept_hop", PAT, hop_id=hop, content_digest=digest)
    _, lease = await claim(door, it, "hop")
    chain = [{"tool": "total", "parameter_mapping": {"rows": {"asset": f"{it.mission}.1"}},
              "result_mapping": {"total": {"asset": f"{it.mission}.3"}}}]  # fmt: skip
    shown = await door.ask("submit_resolution", ADA, hop_id=hop, lease=lease, steps=chain)
    digest = shown["data"]["gate"]["content_digest"]
    await door.ask("execute_hop", PAT, hop_id=hop, content_digest=digest)
    await door.ask("set_asset", PAT, asset_id=f"{it.mission}.3", content=1)
    await door.ask("mark_hop_complete", PAT, hop_id=hop, **WHY)

    no = await door.refuse("complete_early", PAT, mission_id=it.mission, **WHY)
    assert no["code"] == "OUTPUTS_MISSING"
