"""What agents do at the door in stories about missions: claim, resolve, hand in."""

from tests.missions import new_chain
from tests.spec.door import ADA, PAT, Document, Door
from tests.spec.mission.places import Brought

RESULTS = {"double": {"rows": [2, 4, 6]}, "total": {"total": 12, "count": 3}}
"""What each tool returns."""


async def claim(door: Door, it: Brought, kind: str) -> tuple[str, str]:
    """Claim the work of a kind that a mission has; return the part and the token of its lease."""
    told = {"workflow": "mission", "kind": kind, "tags": [it.tag]}
    part = (await door.ask("get_next_work", ADA, **told))["data"]["part"]
    return part["part_id"], part["lease"]["token"]


async def finish(door: Door, it: Brought, /, **said: object) -> Document:
    """Hand in what came of the step in question."""
    told = {"part_id": it.step, "lease": it.lease, **said}
    return await door.ask("submit_tool_result", ADA, **told)


async def run_all(door: Door, it: Brought) -> list[str]:
    """Run the steps of an executing hop to its end; return them in the order they were run in."""
    ran: list[str] = []
    asked = {"workflow": "mission", "kind": "tool_step", "tags": [it.tag]}
    while (answer := await door.ask("get_next_work", ADA, **asked))["status"] == "claimed":
        part = answer["data"]["part"]
        told = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        outputs = RESULTS[part["call"]["tool"]]
        await door.ask("submit_tool_result", ADA, **told, outputs=outputs)
        ran.append(part["part_id"])
    return ran


async def resolve(door: Door, it: Brought, steps: list[Document] | None = None) -> Document:
    """Hand in a chain for the hop in question, with the lease that was claimed."""
    chain = new_chain(it.mission) if steps is None else steps
    told = {"hop_id": it.hops["it"], "lease": it.lease, "steps": chain}
    answer = await door.ask("submit_resolution", ADA, **told)
    it.digest = answer["data"]["gate"]["content_digest"]
    return answer


async def run(door: Door, it: Brought) -> None:
    """Have the design of the hop in question executed."""
    told = {"hop_id": it.hops["it"], "content_digest": it.digest}
    await door.ask("execute_hop", PAT, **told)
