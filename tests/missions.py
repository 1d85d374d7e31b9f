"""Missions for stories: brought to where a story begins by the commands that anybody would use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from interlock.service.engine import Principal
from interlock.toolbox.tool import Described
from interlock.wire.envelope import Envelope
from tests.stage import ADA, PAT, Stage

Told = dict[str, Any]
NUMBERS: Final = {"type": "array", "items": {"type": "number"}}


def new_mission(**more: object) -> Told:
    """Return what makes a mission: it is given numbers, and is to deliver their sum."""
    told: Told = {
        "name": "Add up", "goal": "Know the sum.", "success_criteria": ["it is right"],
        "inputs": [{"name": "numbers", "schema": NUMBERS, "content": [1, 2, 3]}],
        "outputs": [{"name": "sum", "description": "one number"}],
        "assets": [{"name": "between"}],
    }  # fmt: skip
    return told | more


def new_hop(mission: str, **more: object) -> Told:
    """Return what proposes a hop from the numbers to their sum."""
    told: Told = {"mission_id": mission, "name": "Add", "goal": "Add them.", "rationale": "so"}
    return told | {"inputs": ["numbers"], "output": "sum"} | more


async def status_of(stage: Stage, mission: str, by: Principal = PAT) -> Told:
    """Read how a mission stands."""
    return dict((await stage.call("mission_status", by, mission_id=mission)).data)


async def digest_of(stage: Stage, mission: str, by: Principal = PAT) -> str:
    """Return the digest of what is shown at the gate that was opened last."""
    return str((await status_of(stage, mission, by))["gates"][-1]["content_digest"])


async def gate_of(stage: Stage, mission: str, by: Principal = PAT) -> str:
    """Return the gate that was opened last."""
    return str((await status_of(stage, mission, by))["gates"][-1]["gate_id"])


async def propose(stage: Stage, by: Principal = ADA, /, **more: object) -> str:
    """Propose a mission; return its id."""
    answer = await stage.call("propose_mission", by, **new_mission(**more))
    return str(answer.data["mission_id"])


async def begin(
    stage: Stage, by: Principal = ADA, person: Principal = PAT, /, **more: object
) -> str:
    """Propose a mission and have it accepted; return its id."""
    mission = await propose(stage, by, **more)
    digest = await digest_of(stage, mission, person)
    await stage.call("accept_mission", person, mission_id=mission, content_digest=digest)
    return mission


async def pend(stage: Stage, mission: str, by: Principal = ADA, /, **more: object) -> str:
    """Propose a hop; return its id."""
    await stage.call("propose_hop", by, **new_hop(mission, **more))
    return str((await status_of(stage, mission, by))["hops"][-1]["hop_id"])


async def build(
    stage: Stage, mission: str, by: Principal = ADA, person: Principal = PAT, /, **more: object
) -> str:
    """Propose a hop and have it accepted; return its id."""
    hop = await pend(stage, mission, by, **more)
    digest = await digest_of(stage, mission, person)
    await stage.call("accept_hop", person, hop_id=hop, content_digest=digest)
    return hop


def asset(data: Mapping[str, Any], name: str) -> Told:
    """Return an asset of a status by its name."""
    return cast("Told", next(one for one in data["assets"] if one.get("name") == name))


async def standing(stage: Stage, mission: str, tenant: str = "home") -> str:
    """Say where a mission and its hops stand, as in ``BUILDING_HOP: PROPOSED``."""
    whole = await stage.whole(mission, tenant)
    hops = [row.part.status for row in whole.parts if row.part.kind == "hop"]
    return f"{whole.row.unit.status}: {' '.join(hops)}".rstrip(": ")


def shown(answer: Envelope) -> Told:
    """Return what a gate shows."""
    return cast("Told", answer.data["shown"])


# -- tools, designs, runs ----------------------------------------------------------------------


def _object(**properties: object) -> Told:
    return {"type": "object", "properties": properties, "required": list(properties)}


NUMBER: Final = {"type": "number"}
TOOLS: Final = {
    tool.name: tool
    for tool in (
        Described("double", "Twice each number.", _object(rows=NUMBERS), _object(rows=NUMBERS)),
        Described("total", "Their sum.", _object(rows=NUMBERS), _object(total=NUMBER, count=NUMBER)),
        Described("ask", "Ask a model.", _object(text={"type": "string"}), _object(text={}), ("model",)),
        Described("fetch", "Fetch it.", {"type": "object"}, _object(body={}), ("http",)),
    )
}  # fmt: skip
"""Tools as validation sees them; nothing here runs them."""


async def some_tools() -> Mapping[str, Described]:
    """Return the tools of a stage."""
    return TOOLS


def equip(stage: Stage) -> None:
    """Give the stage some tools, and a model."""
    stage.engine = replace(stage.engine, tools=some_tools, resources=frozenset({"model"}))


def new_chain(mission: str) -> list[Told]:
    """Return a chain that doubles the numbers and adds them up."""
    return [
        {
            "tool": "double", "parameter_mapping": {"rows": {"asset": f"{mission}.1"}},
            "result_mapping": {"rows": {"scratch": True}},
        },
        {
            "tool": "total", "parameter_mapping": {"rows": {"step": 1}},
            "result_mapping": {"total": {"asset": f"{mission}.2"}, "count": {"discard": True}},
        },
    ]  # fmt: skip


async def take(
    stage: Stage, mission: str, kind: str, by: Principal = ADA, tags: Sequence[str] = ()
) -> tuple[str, str]:
    """Claim the next work of a kind; return the part and the token of its lease."""
    answer = await stage.call("get_next_work", by, workflow="mission", kind=kind, tags=tags)
    part = cast("Told", answer.data["part"])
    assert part["part_id"].startswith(f"{mission}.")
    return str(part["part_id"]), str(part["lease"]["token"])


async def design(
    stage: Stage,
    mission: str,
    chain: Sequence[Told] | None = None,
    by: Principal = ADA,
    tags: Sequence[str] = (),
) -> Envelope:
    """Claim the hop of a mission and hand in a chain for it."""
    hop, lease = await take(stage, mission, "hop", by, tags)
    steps = new_chain(mission) if chain is None else chain
    return await stage.call("submit_resolution", by, hop_id=hop, lease=lease, steps=steps)


async def execute(stage: Stage, mission: str, person: Principal = PAT) -> Envelope:
    """Run the design of a mission's current hop as it is shown."""
    data = await status_of(stage, mission, person)
    digest = data["gates"][-1]["content_digest"]
    return await stage.call(
        "execute_hop", person, hop_id=data["current_hop"], content_digest=digest
    )


async def launch(
    stage: Stage, by: Principal = ADA, person: Principal = PAT, /, **more: object
) -> tuple[str, str]:
    """Bring a mission to where its first hop executes; return both ids."""
    mission = await begin(stage, by, person, **{k: v for k, v in more.items() if k != "hop"})
    hop = await build(stage, mission, by, person, **cast("Told", more.get("hop", {})))
    await design(stage, mission, None, by, cast("Sequence[str]", more.get("tags", ())))
    await execute(stage, mission, person)
    return mission, hop


async def finish(
    stage: Stage, mission: str, by: Principal = ADA, tags: Sequence[str] = (), /, **said: object
) -> Envelope:
    """Claim the next tool step and hand in what came of it."""
    step, lease = await take(stage, mission, "tool_step", by, tags)
    return await stage.call("submit_tool_result", by, part_id=step, lease=lease, **said)
