"""Where a mission and its hops can stand together, and how one is brought there.

Wherever there can be others, a mission has a completed and a cancelled hop beside the one in
question: so each place stands for three pairs of statuses. Commands bring it there; what only
the system says goes through ``advance``, as the sweeper does it.
"""

from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NamedTuple

from interlock.service.engine import clockwork
from interlock.service.order import Asked, Order
from interlock.service.run import advance
from tests.missions import begin, build, design, execute, finish, new_chain, pend, propose, take
from tests.missions import status_of as told_of
from tests.stage import ADA, HOME, PAT, Stage

Told = dict[str, Any]

WHY: Final[Told] = {"reason": "because"}
_tags = count(1)


class Stands(NamedTuple):
    """Where a mission stands; and its hop in question, if it has one."""

    mission: str
    hop: str = ""
    is_held: bool = False


# fmt: off
PLACES: Final = {
    "proposed":       Stands("PROPOSED"),
    "ready":          Stands("READY_FOR_NEXT_HOP"),
    "between":        Stands("READY_FOR_NEXT_HOP"),
    "pending":        Stands("READY_FOR_NEXT_HOP",   "PROPOSED"),
    "asked":          Stands("BUILDING_HOP",         "PROPOSED"),
    "resolving":      Stands("BUILDING_HOP",         "READY_TO_RESOLVE"),
    "building held":  Stands("BUILDING_HOP",         "FAILED", is_held=True),
    "designed":       Stands("HOP_READY_TO_EXECUTE", "READY_TO_EXECUTE"),
    "running":        Stands("EXECUTING_HOP",        "EXECUTING"),
    "idle":           Stands("EXECUTING_HOP",        "EXECUTING"),
    "executing held": Stands("EXECUTING_HOP",        "FAILED", is_held=True),
    "completed":      Stands("COMPLETED",            "COMPLETED"),
    "superseded":     Stands("COMPLETED",            "COMPLETED"),
    "failed":         Stands("FAILED",               "FAILED"),
    "broken":         Stands("FAILED"),
    "cancelled":      Stands("CANCELLED",            "CANCELLED"),
    "given up":       Stands("CANCELLED",            "FAILED"),
    "dropped":        Stands("CANCELLED"),
}
"""``between`` has done something, ``running`` a step in work, ``idle`` none and its output ready."""
# fmt: on

ALONE: Final = ("proposed", "ready", "broken", "dropped")
"""Places of missions that have no hop at all."""

BESIDE: Final = {"done": "COMPLETED", "off": "CANCELLED"}
"""The hops beside the one in question: what they are called here, and their status."""


def hops_at(place: str) -> dict[str, str]:
    """Return the hops of a place by what they are called here, each with its status."""
    if place in ALONE:
        return {}
    stands = PLACES[place]
    return ({"it": stands.hop} if stands.hop else {}) | BESIDE


@dataclass(slots=True)
class Brought:
    """A mission that was brought to a place, with all that commands about it must name."""

    place: str
    mission: str
    tag: str
    hops: dict[str, str]
    digest: str = ""
    # The tool step in question, and the lease of whatever was claimed.
    step: str = ""
    lease: str = ""


async def system(stage: Stage, event: str, unit: str, part: str | None = None) -> None:
    """Say what only the system may say."""
    order = Order(
        HOME, clockwork(HOME).actor(), unit, (Asked(event, part, args=WHY),), lambda _: {}
    )
    await advance(stage.engine, order)


async def bring(stage: Stage, place: str, policy: str = "human") -> Brought:
    """Bring a new mission to a place."""
    tag = f"tag-{next(_tags)}"
    more: Told = {"tags": [tag], "policy": policy}
    if place in ("proposed", "broken", "dropped"):
        it = Brought(place, await propose(stage, **more), tag, {})
    else:
        it = Brought(place, await begin(stage, **more), tag, {})
    if place == "broken":
        await system(stage, "system_error", it.mission)
    elif place == "dropped":
        await stage.call("cancel", PAT, id=it.mission, **WHY)
    if place not in ALONE:
        await _beside(stage, it)
        if place != "between":
            await _on(stage, it)
    gates = (await told_of(stage, it.mission)).get("gates", [{"content_digest": "none"}])
    it.digest = gates[-1]["content_digest"]
    return it


async def _beside(stage: Stage, it: Brought) -> None:
    """Let a mission have completed a hop, and another one cancelled."""
    it.hops["done"] = await build(stage, it.mission)
    await design(stage, it.mission, tags=(it.tag,))
    await execute(stage, it.mission)
    await _mark_complete(stage, it, it.hops["done"])
    it.hops["off"] = await pend(stage, it.mission)
    await stage.call("cancel", PAT, id=it.hops["off"], **WHY)


async def _mark_complete(stage: Stage, it: Brought, hop: str) -> None:
    await stage.call("set_asset", PAT, asset_id=f"{it.mission}.2", content=6)
    await stage.call("mark_hop_complete", PAT, hop_id=hop, **WHY)


async def _on(stage: Stage, it: Brought) -> None:
    """Propose another hop, and take it as far as its place is."""
    place = it.place
    is_final = place in ("completed", "superseded")
    if place == "pending":
        it.hops["it"] = await pend(stage, it.mission)
        return
    it.hops["it"] = hop = await build(stage, it.mission, is_final=is_final)
    if place == "asked":
        await stage.call("request_changes", PAT, hop_id=hop, **WHY)
    if place in ("asked", "resolving", "building held"):
        _, it.lease = await take(stage, it.mission, "hop", tags=(it.tag,))
        if place == "building held":
            told = {"failure": "user_correctable", "message": "which numbers?"}
            await stage.call("fail_resolution", hop_id=hop, lease=it.lease, **told)
        return
    await design(stage, it.mission, tags=(it.tag,))
    if place != "designed":
        await execute(stage, it.mission)
    it.step = next(iter(await _steps(stage, it)))
    await _run(stage, it, hop)


async def _run(stage: Stage, it: Brought, hop: str) -> None:
    """Take a designed hop to where its place is."""
    mission, place = it.mission, it.place
    if place in ("running", "cancelled"):
        it.step, it.lease = await take(stage, mission, "tool_step", tags=(it.tag,))
    if place == "idle":
        await stage.call("set_asset", PAT, asset_id=f"{mission}.2", content=6)
    elif place in ("completed", "superseded"):
        await _mark_complete(stage, it, hop)
    elif place in ("executing held", "failed", "given up"):
        failure = "validation" if place == "executing held" else "system"
        await finish(stage, mission, ADA, (it.tag,), failure=failure)
    if place in ("cancelled", "given up"):
        await stage.call("cancel", PAT, id=mission, **WHY)
    if place == "superseded":
        await stage.call("reset_mission", PAT, mission_id=mission, **WHY)


async def _steps(stage: Stage, it: Brought) -> list[str]:
    whole = await stage.whole(it.mission)
    hop = it.hops["it"]
    return [
        one.id for one in whole.parts if one.part.kind == "tool_step" and one.part.parent == hop
    ]


def told(it: Brought, hop: str = "") -> Told:
    """Return everything that any command about a mission or a hop of it is told."""
    return {
        "mission_id": it.mission, "hop_id": hop, "name": "Add", "goal": "Add them.",
        "inputs": ["numbers"], "output": "sum", "content_digest": it.digest, "lease": it.lease,
        "steps": new_chain(it.mission), "failure": "user_correctable", "message": "no way",
        "asset_id": f"{it.mission}.3", "content": 7, "part_id": it.step or hop, **WHY,
    }  # fmt: skip
