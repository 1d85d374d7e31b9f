"""Decisions at the gates of missions and hops, as the inbox sends them."""

from typing import Any, cast

from interlock.service.verify import verify
from tests.missions import (
    begin,
    build,
    design,
    digest_of,
    equip,
    gate_of,
    pend,
    propose,
    standing,
)
from tests.stage import ADA, HOME, PAT, Stage, staged

Told = dict[str, Any]


async def decide(stage: Stage, mission: str, decision: str, **more: object) -> None:
    """Decide at the gate that was opened last, as it is shown."""
    said = {"gate_id": await gate_of(stage, mission), "decision": decision}
    said["content_digest"] = await digest_of(stage, mission)
    await stage.call("decide_gate", PAT, **said, **more)


@staged
async def test_every_gate_is_decided_from_the_inbox(stage: Stage) -> None:
    equip(stage)
    mission = await propose(stage)
    await decide(stage, mission, "accept_mission")
    await pend(stage, mission)
    await decide(stage, mission, "reject_hop", feedback="another one")
    await pend(stage, mission)
    await decide(stage, mission, "accept_hop")
    await design(stage, mission)
    await decide(stage, mission, "approve_design")
    await decide(stage, mission, "request_changes", feedback="slower")
    await design(stage, mission)
    await decide(stage, mission, "execute_hop")

    assert await standing(stage, mission) == "EXECUTING_HOP: EXECUTING"
    asked = {"state": "all", "unit": mission, "limit": 50}
    gates = cast("list[Told]", (await stage.call("list_gates", PAT, **asked)).data["gates"])
    assert sorted(gate["decision"] for gate in gates if not gate["is_open"]) == [
        "accept_hop", "accept_mission", "execute_hop", "reject_hop", "request_changes",
    ]  # fmt: skip
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_a_rejection_needs_a_reason_and_a_person(stage: Stage) -> None:
    mission = await begin(stage)
    await pend(stage, mission)
    said = {"gate_id": await gate_of(stage, mission), "decision": "reject_hop"}
    said["content_digest"] = await digest_of(stage, mission)

    assert (await stage.refused("decide_gate", PAT, **said)).code == "REASON_REQUIRED"
    no = await stage.refused("decide_gate", ADA, **said, feedback="no")
    assert no.code == "HUMAN_REQUIRED"
    said["decision"] = "revise_hop"
    no = await stage.refused("decide_gate", PAT, **said)
    assert (no.code, "revise_hop" in no.fix) == ("INVALID_INPUT", True)
    assert await standing(stage, mission) == "READY_FOR_NEXT_HOP: PROPOSED"


@staged
async def test_a_design_that_waits_is_shown_at_its_own_gate_alone(stage: Stage) -> None:
    equip(stage)
    mission = await begin(stage)
    await build(stage, mission)
    await design(stage, mission)
    gates = cast("list[Told]", (await stage.call("list_gates", PAT, unit=mission)).data["gates"])

    assert [(gate["kind"], gate["status"]) for gate in gates] == [("hop", "READY_TO_EXECUTE")]
