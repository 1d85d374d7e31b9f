"""The planning run with other members: models behind an endpoint, and an AI client over MCP."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, Final

from mcp.client.client import Client as McpClient

from interlock.ticketing import canonical
from interlock.worker.agents.agent import Task
from interlock.worker.agents.script import Script
from tests.doors.mcp.clients import Serving, called, document, over_http, refused
from tests.planning.ground import open_ground, past_of
from tests.planning.script import CALM, NAMES, SEED, WHOLE, script
from tests.planning.test_run import (
    COURSE,
    ROUND_S,
    check_interview,
    check_members,
    counted,
    course,
    planned,
)
from tests.planning.voices import voices

GUEST: Final = "cleo"


def test_models_behind_an_endpoint_plan_the_same(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    with voices(script(WHOLE)) as models, ground.base.serving() as server:
        ground.agents(f'[agents.scripted]\nkind = "openai"\nurl = "{models.url}"\n')
        with ground.working(server.url):
            name = asyncio.run(ground.begin(server.url, round_s=ROUND_S))
            told = asyncio.run(planned(ground, server.url, name))

    audit = ground.audit(name)
    past = past_of(audit)
    assert course(past) == COURSE
    assert past.votes == counted(SEED)
    check_members(audit)
    check_interview(canonical.read(told["texts"]["interview"]))
    # Each member was asked as its own model; the one who was refused once more than the others.
    drafts = Counter(model for model, task in models.heard if task == "prd/draft")
    assert drafts == {"ann-1": 1, "ben-1": 2, "cleo-1": 1}


async def guest(client: McpClient, says: Script, done: asyncio.Event) -> list[str]:
    """Be a member of the council in an AI client: claim, answer, until all is over."""
    tasks: list[str] = []
    while not done.is_set():
        wanted = {"workflow": "ticket", "member": GUEST, "waitS": 0.5}
        found = await called(client, "get_next_work", **wanted)
        if found["status"] != "claimed":
            continue
        part = found["data"]["part"]
        task = task_of(part["task"])
        if not tasks:
            await stumble(client, part)
        turn = says.turn(task, int(part["task"].get("number", 1)))
        held = {"partId": part["part_id"], "lease": part["lease"]["token"]}
        result = await client.call_tool("submit_work", {**held, "answer": dict(turn.answer or {})})
        assert not result.is_error, document(result)
        tasks.append(task.name)
    return tasks


async def stumble(client: McpClient, part: dict[str, Any]) -> None:
    """Hand in something that does not fit: what is wrong is told, and it may be mended."""
    held = {"partId": part["part_id"], "lease": part["lease"]["token"]}
    no = await refused(client, "submit_work", **held, answer={"questions": [{"phase": "x"}]})
    assert no["code"] == "ANSWER_INVALID"
    assert no["retries_left"] == 1
    assert "$.questions[0].phase" in {one["path"] for one in no["errors"]}
    await called(client, "heartbeat_work", **held)


def task_of(told: dict[str, Any]) -> Task:
    """Read a task as a client is told it."""
    # What it is to do is an order to it; who it is, it knows.
    assert "# Answer" in told["prompt"]["text"]
    assert not told["prompt"]["text"].startswith("<untrusted-")
    return Task(
        role=told["role"], task=told["task"], domain=told["domain"], member=GUEST, model="",
        prompt=told["prompt"]["text"], schema={}, deadline_s=told["deadline_s"],
    )  # fmt: skip


def test_a_member_played_by_an_ai_client_over_mcp_takes_part(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    ground.tell(CALM)
    token = asyncio.run(ground.base.token(GUEST))
    words = ("--agents", "--member", NAMES[0], "--member", NAMES[1], "--workspace")

    async def story(server: Serving) -> tuple[str, list[str]]:
        name = await ground.begin(server.url)
        done = asyncio.Event()
        async with over_http(server, "/mcp/work", token) as client:
            playing = asyncio.create_task(guest(client, script(CALM), done))
            deciding = asyncio.create_task(planned(ground, server.url, name))
            await asyncio.wait((playing, deciding), return_when=asyncio.FIRST_COMPLETED)
            done.set()
            tasks = await playing
            await deciding
            return name, tasks

    with ground.base.serving() as running, ground.working(running.url, *words):
        server = Serving(running.process, running.url, running.said, ground.base.folder)
        name, tasks = asyncio.run(story(server))

    audit = ground.audit(name)
    past = past_of(audit)
    assert course(past) == COURSE
    # All three have drafted questions this time, and nobody has liked any better.
    assert past.votes[0].totals == (150, 150, 150)
    assert past.votes[1:] == counted(SEED)[1:]
    assert tasks[:2] == ["interview/draft", "interview/vote"]
    # It has won the last vote: so it has refined and audited the blueprint, twice.
    assert tasks[-6:] == ["beads/refine", *["beads/audit"] * 5]
    claims = [one["actor"] for one in audit if one["event"] == "claim_work"]
    assert Counter(one["kind"] for one in claims)["agent"] == len(tasks)
