"""Two tickets on one worker: whatever the agent of one does, the other one is not disturbed."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

from interlock.cli.demo import feature
from interlock.cli.demo.person import Person
from interlock.client import Client
from tests.execution.ground import Ground, open_ground
from tests.execution.proof import beads_of

EVIL: Final = "eve"
DOES: Final = (
    "hooks", "filters", "fsmonitor", "rewrites_git", "symlinks", "submodules", "daemon", "floods",
    "config", "deletes_tree", "dirty_index", "commits",
)  # fmt: skip
"""What the agent does at each attempt, beside work that is wrong; then it works as it should."""

PATIENCE_S: Final = 240


def script() -> dict[str, Any]:
    """Return what both agents say: one is calm, the other one misbehaves at its first bead."""
    said = feature.script()
    calm = said["members"][feature.MEMBER]
    evil = {key: {**turn} for key, turn in calm.items()}
    good = evil["code:basket-total"]
    for number, name in enumerate(DOES, 1):
        evil[f"code:basket-total#{number}"] = {
            "answer": good["answer"], "files": {"basket.py": "broken\n"}, "misbehave": [name],
        }  # fmt: skip
    said["members"][EVIL] = evil
    return said


async def begun(ground: Ground, client: Client, member: str) -> str:
    """Start a ticket of a project whose only member is this one."""
    told = feature.project(str(ground.bare))
    told["members"][0]["name"] = member
    told["limits"]["tries_max"] = 20
    project = (await client.call("create_project", told)).data["project_id"]
    new = {"project_id": project, "title": feature.TITLE, "description": "Receipts."}
    name = str((await client.call("create_ticket", new)).data["ticket_id"])
    await client.call("start", {"ticket_id": name})
    return name


async def both(ground: Ground, url: str) -> list[str]:
    """Have both tickets planned and built up to their requests; return them, the calm one first."""
    async with asyncio.timeout(PATIENCE_S), Client(url, ground.person) as client:
        names = [await begun(ground, client, one) for one in (feature.MEMBER, EVIL)]
        told = await asyncio.gather(
            *(Person(client.call, name).decide("WAITING_PR_REVIEW") for name in names)
        )
        for one in told:
            assert one["phase"]["name"] == "WAITING_PR_REVIEW", json.dumps(one.get("error"))
        return names


def test_the_neighbour_of_an_agent_that_misbehaves_is_not_disturbed(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    ground.tell(script())
    with ground.base.serving() as server, ground.working(server.url):
        calm, evil = asyncio.run(both(ground, server.url))

    attempts = {
        name: [len(one["notes"]) for one in beads_of(ground, name)] for name in (calm, evil)
    }
    assert attempts == {calm: [0, 1, 0], evil: [len(DOES), 1, 0]}
    reasons = [note["reason"] for note in beads_of(ground, evil)[0]["notes"]]
    assert set(reasons) == {"tests_failed", "refused_content"}
    room = ground.room / "workspaces"
    assert not [*room.glob("*/home/canary")], "something planted was run by us"
    trees = [ground.git("rev-parse", f"refs/pull/{number}/head^{{tree}}") for number in (1, 2)]
    assert trees[0] == trees[1], "both have built the same, and nothing else"
    for name in (calm, evil):
        ground.audit(name)
