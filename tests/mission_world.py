"""A mission for every command of missions, brought to where that command succeeds."""

from typing import Any, Final

from interlock.service.engine import Principal
from tests.missions import (
    begin,
    build,
    design,
    execute,
    finish,
    new_chain,
    pend,
    propose,
    status_of,
    take,
)
from tests.stage import Stage

Document = dict[str, Any]

STANDS: Final = {
    "propose_mission": "", "list_missions": "proposed", "mission_status": "proposed",
    "mission_context": "proposed", "edit_mission": "proposed", "accept_mission": "proposed",
    "set_asset": "proposed", "cancel": "proposed",
    "propose_hop": "ready", "create_hop": "ready",
    "revise_hop": "pending", "withdraw_hop": "pending", "accept_hop": "pending", "reject_hop": "pending",
    "reset_hop": "cancelled hop", "delete_hop": "cancelled hop",
    "submit_resolution": "building", "fail_resolution": "building", "request_changes": "building",
    "approve_design": "designed", "execute_hop": "designed",
    "submit_tool_result": "running", "mark_hop_complete": "executing",
    "archive_hop": "hop done", "complete_early": "hop done",
    "fix_hop": "held", "abandon_recovery": "held", "reset_mission": "ended",
}  # fmt: skip
"""Where a mission must stand for each command."""

ORDER: Final = ("", "proposed", "ready", "pending", "building", "designed", "executing")
"""The way that all of them go, as far as they go it."""

MORE: Final = {
    "edit_mission": frozenset({"goal"}), "revise_hop": frozenset({"goal"}),
    "submit_resolution": frozenset({"steps"}), "submit_tool_result": frozenset({"outputs"}),
    "propose_mission": frozenset({"inputs", "outputs"}), "propose_hop": frozenset({"inputs"}),
    "create_hop": frozenset({"inputs"}),
}  # fmt: skip
"""What is told although it need not be."""

ON_THE_WAY: Final = {
    "cancelled hop": "pending", "running": "executing", "hop done": "executing",
    "held": "executing", "ended": "proposed",
}  # fmt: skip


async def bring(
    stage: Stage, by: Principal, agent: Principal, command: str, tags: list[str], /, **more: object
) -> Document:
    """Bring a mission to where a command wants it; return what commands call what there is."""
    stands = STANDS[command]
    given: Document = {
        "name": "Add up", "goal": "Know it.", "output": "sum", "inputs": ["numbers"],
        "content": [4, 5], "failure": "system", "message": "no way", "outputs": {"rows": [2]},
    }  # fmt: skip
    if not stands:
        told = {"inputs": [{"name": "numbers"}], "outputs": [{"name": "sum"}]}
        return given | told | {"unit_id": "", "mission_id": ""}
    mission, hop, part, lease = await _on(stage, by, agent, stands, {"tags": tags, **more})
    data = await status_of(stage, mission, by)
    gates = data.get("gates", [{"content_digest": ""}])
    return given | {
        "mission_id": mission, "unit_id": mission, "id": mission, "asset_id": f"{mission}.1",
        "hop_id": hop, "part_id": part, "lease": lease, "steps": new_chain(mission), "tags": tags,
        "content_digest": gates[-1]["content_digest"],
    }  # fmt: skip


async def _on(
    stage: Stage, by: Principal, agent: Principal, stands: str, new: Document
) -> tuple[str, str, str, str]:
    tags: list[str] = new["tags"]
    far = ORDER.index(ON_THE_WAY.get(stands, stands))
    hop = part = lease = ""
    if far < ORDER.index("ready"):
        mission = await propose(stage, agent, **new)
    else:
        mission = await begin(stage, agent, by, **new)
    if far == ORDER.index("pending"):
        hop = await pend(stage, mission, agent)
    elif far > ORDER.index("pending"):
        hop = await build(stage, mission, agent, by)
    if stands == "building":
        hop, lease = await take(stage, mission, "hop", agent, tags)
    elif far >= ORDER.index("designed"):
        await design(stage, mission, None, agent, tags)
    if far >= ORDER.index("executing"):
        await execute(stage, mission, by)
    if stands == "running":
        part, lease = await take(stage, mission, "tool_step", agent, tags)
    await _besides(stage, by, agent, (mission, hop, stands), tags)
    return mission, hop, part, lease


async def _besides(
    stage: Stage, by: Principal, agent: Principal, about: tuple[str, str, str], tags: list[str]
) -> None:
    """Do what leads off the way."""
    mission, hop, stands = about
    why = {"reason": "enough"}
    if stands == "cancelled hop":
        await stage.call("cancel", by, id=hop, **why)
    elif stands == "ended":
        await stage.call("cancel", by, id=mission, **why)
    elif stands == "held":
        await finish(stage, mission, agent, tags, failure="validation")
    elif stands in ("executing", "hop done"):
        await stage.call("set_asset", by, asset_id=f"{mission}.2", content=6)
    if stands == "hop done":
        await stage.call("mark_hop_complete", by, hop_id=hop, **why)
