"""Who may say what, for which reason, and about what was shown; and which tools there are."""

from typing import Final

import pytest

from interlock.commands.all import COMMANDS
from tests.doors.rest.calling import on as on_rest
from tests.doors.rest.calling import token
from tests.missions import new_hop
from tests.spec.door import ADA, BOB, PAT, Document, Door, promise
from tests.spec.mission.places import WHY, bring, told
from tests.spec.mission.reading import part, seen, status
from tests.spec.mission.working import claim

pytestmark = pytest.mark.every_store

NAMES: Final = frozenset({
    "propose_mission", "edit_mission", "accept_mission", "propose_hop", "create_hop", "revise_hop",
    "withdraw_hop", "accept_hop", "reject_hop", "request_changes", "submit_resolution",
    "fail_resolution", "approve_design", "execute_hop", "submit_tool_result", "mark_hop_complete",
    "complete_early", "fix_hop", "abandon_recovery", "cancel", "reset_hop", "delete_hop",
    "archive_hop", "reset_mission", "set_asset", "mission_status", "list_missions",
    "mission_context",
})  # fmt: skip
QUEUE: Final = frozenset({"get_next_work", "heartbeat_work", "release_work", "explain"})

# fmt: off
REASONS: Final = {
    # command           where it works   about     the row of the spec
    "cancel":            ("ready",          "mission", "cancel"),
    "reject_hop":        ("pending",        "it",      "reject"),
    "request_changes":   ("designed",       "it",      "changes"),
    "mark_hop_complete": ("idle",           "it",      "complete"),
    "complete_early":    ("between",        "mission", "complete"),
    "reset_hop":         ("between",        "off",     "reset"),
    "reset_mission":     ("completed",      "mission", "reset"),
    "fix_hop":           ("executing held", "it",      "fix"),
    "delete_hop":        ("pending",        "it",      "delete"),
    "abandon_recovery":  ("building held",  "mission", "abandon"),
}
# fmt: on

DECIDED: Final = {
    "accept_mission": "proposed", "accept_hop": "pending", "reject_hop": "pending",
    "request_changes": "designed", "approve_design": "designed", "execute_hop": "designed",
}  # fmt: skip
"""The decisions about something that is shown, and where it is."""


def given(it: object, command: str, known: Document) -> Document:
    """Return what a command takes of what is known."""
    names = COMMANDS[command].takes.model_fields
    return {name: known[name] for name in names if name in known}


@promise("command.names")
async def test_the_toolset_has_the_tools_of_the_spec(door: Door) -> None:
    found = {tool.name for tool in (await door.clients[ADA].list_tools()).tools}

    assert found >= NAMES | QUEUE
    assert {row.name for row in COMMANDS.values() if row.toolset == "mission"} == NAMES


@promise("command.rest")
async def test_every_tool_has_its_place_over_http(door: Door) -> None:
    it = await bring(door.stage, "pending")
    secret = await token(door.stage, "user", "read", "work", "decide")
    async with on_rest(door.stage, secret) as client:
        answer = await client.get(f"/v1/missions/{it.mission}")
        assert answer.json()["data"]["status"] == "READY_FOR_NEXT_HOP"
        gates = (await client.get("/v1/gates")).json()["data"]["gates"]
        gate = next(one["gate_id"] for one in gates if one["gate_id"].startswith(it.mission))
        body = {"decision": "accept_hop", "content_digest": it.digest}
        answer = await client.post(f"/v1/gates/{gate}/decision", json=body)

    assert answer.status_code == 200, answer.text
    assert (await status(door, it))["status"] == "BUILDING_HOP"


@promise("command.edit")
async def test_a_mission_is_edited_only_while_it_is_proposed(door: Door) -> None:
    it = await bring(door.stage, "proposed")
    await door.ask("edit_mission", ADA, mission_id=it.mission, goal="other", success_criteria=["c"])
    told = {"mission_id": it.mission, "content_digest": it.digest}
    assert (await door.refuse("accept_mission", PAT, **told))["code"] == "STALE_APPROVAL"
    told["content_digest"] = (await status(door, it))["gates"][-1]["content_digest"]
    await door.ask("accept_mission", PAT, **told)
    no = await door.refuse("edit_mission", ADA, mission_id=it.mission, goal="late")

    assert (no["code"], (await status(door, it))["goal"]) == ("INVALID_TRANSITION", "other")


@promise("command.queue")
async def test_proposing_has_no_lease_and_the_first_proposal_wins(door: Door) -> None:
    it = await bring(door.stage, "ready")
    asked = {"workflow": "mission", "tags": [it.tag]}
    for by in (ADA, BOB):
        offered = await door.ask("get_next_work", by, **asked)
        assert (offered["status"], offered["data"]["mission_id"]) == ("propose", it.mission)
    await door.ask("propose_hop", ADA, **new_hop(it.mission))
    no = await door.refuse("propose_hop", BOB, **new_hop(it.mission))

    assert no["code"] == "HOP_OPEN"


@promise("command.queue")
async def test_resolving_and_running_have_a_lease(door: Door) -> None:
    for place, kind in (("pending", "hop"), ("idle", "tool_step")):
        it = await bring(door.stage, place)
        if kind == "hop":
            await door.ask("accept_hop", PAT, hop_id=it.hops["it"], content_digest=it.digest)
        part_id, lease = await claim(door, it, kind)
        assert lease
        assert (await part(door, it, part_id))["fields"]["holder"] == "ada"
        asked = {"workflow": "mission", "kind": kind, "tags": [it.tag]}
        assert (await door.ask("get_next_work", BOB, **asked))["status"] == "no_work"


# -- reasons -----------------------------------------------------------------------------------


@promise("reason.told")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=pytest.mark.promise(f"reason.{row[2]}"))
        for name, row in REASONS.items()
    ],
)
async def test_a_reason_must_be_given_and_is_kept(door: Door, command: str) -> None:
    place, target, _ = REASONS[command]
    it = await bring(door.stage, place)
    hop = it.hops.get(target, "")
    known = told(it, hop) | {"id": hop or it.mission}
    asked = given(it, command, known)
    before = await seen(door, it.mission)
    for missing in ({}, {"reason": ""}, {"reason": "  "}):
        no = await door.refuse(command, PAT, **{**asked, "reason": None} | missing)
        assert no["code"] in ("INVALID_INPUT", "REASON_REQUIRED")
    assert await seen(door, it.mission) == before
    first = await door.sequence(it.mission)
    await door.ask(command, PAT, **asked)

    assert (await door.audit(it.mission, first))[0]["told"]["reason"] == "because"


# -- policy ------------------------------------------------------------------------------------


@promise("policy.human", "policy.relay")
@pytest.mark.parametrize("command", DECIDED)
async def test_people_decide_unless_the_mission_lets_agents_relay(door: Door, command: str) -> None:
    for policy in ("human", "relay"):
        it = await bring(door.stage, DECIDED[command], policy)
        asked = given(it, command, told(it, it.hops.get("it", "")))
        if policy == "human":
            assert (await door.refuse(command, ADA, **asked))["code"] == "HUMAN_REQUIRED"
        else:
            await door.ask(command, ADA, **asked)


@promise("policy.human")
async def test_people_decide_where_nothing_else_was_said(door: Door) -> None:
    made = await door.ask("propose_mission", ADA, name="n", goal="g")
    mission = made["data"]["mission_id"]
    digest = made["data"]["gate"]["content_digest"]
    no = await door.refuse("accept_mission", ADA, mission_id=mission, content_digest=digest)

    assert no["code"] == "HUMAN_REQUIRED"


@promise("policy.digest")
@pytest.mark.parametrize("command", DECIDED)
async def test_a_person_names_the_digest_of_what_was_shown(door: Door, command: str) -> None:
    it = await bring(door.stage, DECIDED[command])
    asked = given(it, command, told(it, it.hops.get("it", "")))
    for digest in (None, "0" * 64):
        no = await door.refuse(command, PAT, **asked | {"content_digest": digest})
        assert no["code"] == "STALE_APPROVAL"
    await door.ask(command, PAT, **asked)


@promise("policy.agents-may")
async def test_agents_propose_resolve_and_submit(door: Door) -> None:
    made = await door.ask("propose_mission", ADA, name="n", goal="g")
    assert made["status"] == "PROPOSED"
    it = await bring(door.stage, "ready")
    assert (await door.ask("propose_hop", ADA, **new_hop(it.mission)))[
        "status"
    ] == "READY_FOR_NEXT_HOP"
    it = await bring(door.stage, "resolving")
    chain = given(it, "submit_resolution", told(it, it.hops["it"]))
    assert (await door.ask("submit_resolution", ADA, **chain))["status"] == "HOP_READY_TO_EXECUTE"
    it = await bring(door.stage, "running")
    done = {"part_id": it.step, "lease": it.lease, "outputs": {"rows": [1]}}
    assert (await door.ask("submit_tool_result", ADA, **done))["status"] == "EXECUTING_HOP"


@promise("mission.complete_early", "policy.agents-may")
async def test_an_agent_does_not_complete_a_mission(door: Door) -> None:
    it = await bring(door.stage, "between", "relay")
    no = await door.refuse("complete_early", ADA, mission_id=it.mission, **WHY)

    assert no["code"] == "NOT_ALLOWED"
