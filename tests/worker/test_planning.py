"""Workers and their agents plan whole tickets through the commands, a person decides beside them."""

import asyncio
import json
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from interlock.clock import SystemClock
from interlock.commands.verbs import LocalVerbs
from interlock.kernel.rules import WORKER
from interlock.service.access import create_token
from interlock.worker.agents.agent import Agent
from interlock.worker.agents.openai import OpenAI
from interlock.worker.agents.script import load_script
from interlock.worker.agents.scripted import Scripted
from interlock.worker.assignments import Assignments
from interlock.worker.loop import Loop
from interlock.worker.tools import Retries
from interlock.worker.work import Pace, Wanted
from tests import tickets
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process
from tests.service.endpoints import endpoint, openai
from tests.serving.farm import Base
from tests.stage import PAT, Stage, opened
from tests.tickets import SAID, bead, expansion, new_project, prd, questions, started, status_of
from tests.worker.shop import wait_for
from tests.worker.ways import Way

QUICK: Final = Pace(
    slots=3, wait_s=0.3, heartbeat_s=5, grace_s=1, backoff_s=0.02, backoff_max_s=0.1
)
ROLES: Final = [
    Wanted("ticket", "assignment", role=one) for one in ("implementer", "council", "winner")
]
PATIENCE_S: Final = 60
END: Final = "PRE_FLIGHT_CHECK"
Turn = dict[str, Any]


def votes(drafts: int) -> Turn:
    """Return a vote that likes everything the same, by domain."""
    return {
        domain: {"answer": tickets.vote({
            "domain": domain,
            "schema": {"properties": {"scores": {"properties": dict.fromkeys(range(drafts))}}},
        })}
        for domain in ("interview", "prd", "beads")
    }  # fmt: skip


def usual(name: str) -> Turn:
    """Return what is said where nothing special is wanted."""
    return {"answer": SAID[name]({"prompt": {"text": ""}})}


FOLLOW_UP: Final = {"question": "And pears?", "phase": "assembly", "answer_type": "yes_no"}
BATCH: Final = [
    {"id": "Q01", "question": "Which ones?", "phase": "foundation", "answer_type": "single_choice",
     "options": ["red", "green"]},
    {"id": "Q02", "question": "What about 2?", "phase": "structure", "answer_type": "free_text"},
]  # fmt: skip
BEGIN: Final = {"questions": BATCH, "commentary": "Let us begin.", "is_final": False}
BETTER: Final = prd("More apples")
SCRIPT: Final[Mapping[str, Mapping[str, object]]] = {
    "*": {
        **{key: usual(key.replace("/", "_")) for key in (
            "interview/draft", "prd/draft", "beads/draft", "scan", "interview/refine",
            "prd/refine", "beads/refine",
        )},
        "interview/vote": votes(2)["interview"],
        "prd/vote": votes(3)["prd"],
        "beads/vote": votes(3)["beads"],
        "interview/batch": {"answer": {"complete": True}},
        "interview/batch#1": {"answer": BEGIN},
        "interview/batch#4": {
            "answer": {"questions": [{"id": "Q04", **FOLLOW_UP}], "commentary": "One more."},
        },
        "interview/audit#1": {
            "answer": {"status": "gaps", "gaps": ["Pears."], "follow_up_questions": [FOLLOW_UP]},
        },
        "interview/audit#2": {"answer": {"status": "clean", "gaps": []}},
        "prd/audit#1": {
            "answer": {
                "status": "gaps", "gaps": ["More."], "prd": BETTER,
                "changes": [{"type": "modified", "item": "EPIC-1", "reason": "More."}],
            },
        },
        "prd/audit#2": {"answer": {"status": "clean", "gaps": []}},
        "beads/audit": usual("beads_audit"),
    },
    "ben": {
        "prd/draft": [
            {"fault": "invalid", "text": "Let me think."},
            {**usual("prd_draft"), "delay_s": 0.05},
        ],
    },
    "cleo": {"interview/draft": {"fault": "timeout"}},
}  # fmt: skip


async def decide(stage: Stage, name: str) -> None:
    """Be the person: answer every batch, approve every gate, until the work could begin."""
    while True:
        told = await status_of(stage, name)
        phase = told["phase"]["name"]
        if phase in (END, "BLOCKED_ERROR"):
            return
        if phase.endswith("_APPROVAL"):
            digest = told["gates"][-1]["content_digest"]
            await stage.call("approve", PAT, ticket_id=name, content_digest=digest)
        elif phase == "WAITING_INTERVIEW_ANSWERS" and "batch" in told:
            batch = told["batch"]
            answers = [{"question_id": one["id"], "text": "Yes."} for one in batch["questions"]]
            await stage.call(
                "answer_batch", PAT, ticket_id=name, batch=batch["number"], answers=answers
            )
        await asyncio.sleep(0.02)


async def planned(stage: Stage, name: str, crew: Mapping[str, Agent], pace: Pace = QUICK) -> None:
    """Let a worker and a person plan a ticket together."""
    clock = SystemClock()
    way = Way(stage)
    asking = Assignments(crew, way.call, clock, Retries(0.01, 0.02)).run
    loop = Loop(way, dict.fromkeys(ROLES, asking), pace, clock)
    running = asyncio.create_task(loop.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await decide(stage, name)
    finally:
        loop.drain()
        await running


def test_a_council_of_scripts_plans_a_ticket_with_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"members": SCRIPT}))

    async def story() -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await started(stage, limits={"round_s": 1})
            await planned(stage, name, {"scripted": Scripted(load_script(path))})
            told = await status_of(stage, name)
            assert told["phase"]["name"] == END, json.dumps(told.get("error"))
            assert [one["title"] for one in told["beads"]] == ["Do sell-apples", "Do count-apples"]
            made = [one for one in await stage.audit(name) if "cause" not in one]
            assert [one["set"] for one in made if one["event"] == "reject_work"] == [
                {"rejected": 1}
            ]
            (failed,) = [one["set"] for one in made if one.get("signal") == "fail"]
            why = "timed_out: There was no answer within 1 s."
            assert failed == {"failure": {"class": "timed_out", "message": why}}
            lines = (await stage.call("read_logs", PAT, id=name, member="ben", limit=1000)).data[
                "lines"
            ]
            assert isinstance(lines, list)
            texts = [one["text"] for one in lines]
            assert "Let me think." in texts
            assert any(one.startswith("The answer was refused: $") for one in texts)
            assert {one["member"] for one in lines} == {"ben"}

    asyncio.run(story())


def test_a_model_behind_an_endpoint_plans_a_ticket_alone(tmp_path: Path) -> None:
    names = (
        "scan", "interview_draft", "interview_refine", "", "interview_batch", "interview_batch",
        "interview_audit", "prd_draft", "prd_refine", "prd_audit", "beads_draft", "beads_refine",
        "beads_audit",
    )  # fmt: skip
    answers = [usual(one)["answer"] if one else BEGIN for one in names]
    said = [f"Here it is:\n```json\n{json.dumps(one)}\n```" for one in answers]

    async def story(url: str) -> None:
        async with opened(tmp_path / "interlock.db") as stage:
            name = await started(stage, ("ann",))
            await planned(stage, name, {"scripted": OpenAI(url, "key")}, QUICK._replace(slots=1))
            told = await status_of(stage, name)
            assert told["phase"]["name"] == END, json.dumps(told.get("error"))

    with endpoint(*map(openai, said)) as fake:
        asyncio.run(story(f"{fake.url}/v1"))

    assert len(fake.heard) == len(names)
    assert {one.body["model"] for one in fake.heard} == {"ann-1"}
    first = fake.heard[0].body["messages"]
    assert isinstance(first, list)
    assert "People want apples." in first[1]["content"]
    assert "# Answer\n" in first[1]["content"]


async def begun(base: Base) -> tuple[str, str]:
    """Make a ticket whose files are to be scanned; return its id and a worker's token."""
    async with base.app() as app:
        person, worker = app.owner(), replace(app.owner(), kind=WORKER, id="hands")
        asked = LocalVerbs(app.engine, person)
        made = await asked.call("create_project", new_project(("ann",)))
        told = {"project_id": made.data["project_id"], "title": "Sell apples"}
        name = str((await asked.call("create_ticket", told)).data["ticket_id"])
        await asked.call("start", {"ticket_id": name})
        hands = LocalVerbs(app.engine, worker)
        part = (await hands.call("get_next_work", {"workflow": "ticket"})).data["part"]
        assert isinstance(part, dict)
        lease = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        await hands.call("submit_work", {**lease, "answer": {}})
        return name, (await create_token(app.engine, person, "worker", WORKER))[0]


async def has_batch(base: Base, name: str) -> bool:
    """Say whether questions wait for the person."""
    async with base.app() as app:
        asked = LocalVerbs(app.engine, app.owner())
        return "batch" in (await asked.call("ticket_status", {"ticket_id": name})).data


def test_a_worker_in_its_own_process_works_over_the_wire_and_mends_what_was_refused(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "worker"
    folder.mkdir()
    bad = {"answer": {"questions": [{"phase": "never", "question": 3}]}}
    draft = {"interview/draft": [bad, usual("interview_draft")]}
    script = {"members": {"*": {**SCRIPT["*"], **draft}}}
    (folder / "answers.json").write_text(json.dumps(script))
    (folder / "interlock.toml").write_text(
        '[agents.scripted]\nkind = "scripted"\nfile = "answers.json"\n'
    )
    base = Base(tmp_path / "data")

    name, token = asyncio.run(begun(base))
    with base.serving() as server:
        line = command(folder, "worker", "--agents", "--member", "ann", "--server", server.url)
        told = environment() | {"INTERLOCK_TOKEN": token, "INTERLOCK_LOG": "text"}
        with Process(line, told, stderr=PIPE) as worker:
            wait_for(lambda: asyncio.run(has_batch(base, name)))
            worker.send_signal(signal.SIGINT)
            _, said = worker.communicate(timeout=PATIENCE_S)

    assert worker.returncode == 0, said
    assert "interview/draft by ann done, 1 refused" in said
    assert token not in said


def test_what_the_script_says_is_what_the_story_needs() -> None:
    assert [one["id"] for one in questions()] == ["Q01", "Q02"]
    assert expansion("a", "b")[1]["blocked_by"] == ["a"]
    assert bead()["prd_refs"] == [BETTER["epics"][0]["user_stories"][0]["id"]]
