"""The demo's plan, worked over MCP: two agents, a person, a server that is killed in between.

Six steps. A branch adds one, an agent falls silent and another takes its step over, a source is
gone, the server dies while a result is on its way, a person sends a draft back and then approves
it, and in the end the deliverable is stored.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from interlock.cli.demo.desk import ANN, Desk, at_desk
from interlock.cli.demo.serving import WentWrong
from interlock.cli.demo.session import LOST, Document, Session
from interlock.cli.demo.telling import say
from interlock.cli.screen import print_text

STALL_S: Final = 1
SILENT_S: Final = 20
"""After how long a claimed step counts as stalled, and how long we wait to see it."""

KILL_AFTER_S: Final = 0.05
BAR: Final = 20
OUTPUT: Final = """# A store for a team of 40

Take the embedded one. It costs nothing to run, survived being killed, and can be moved later.

| store    | a year | running costs |
|----------|-------:|--------------:|
| embedded |      0 |             0 |
| hosted   |  1,200 |           300 |
"""

STEPS: Final = (
    {"title": "Search", "step_type": "search", "instructions": "Find stores for a team of 40."},
    {"title": "Extract", "step_type": "extract", "instructions": "Read the price list."},
    {"title": "Compare", "step_type": "analyze", "instructions": "Compare what they cost."},
    {"title": "Criticise", "step_type": "critique", "instructions": "Look for gaps.",
     "depends_on": [3]},
    {"title": "Review", "step_type": "checkpoint", "instructions": "Show the draft.",
     "depends_on": [4]},
    {"title": "Conclude", "step_type": "synthesize", "instructions": "Say which one to take.",
     "depends_on": [5]},
)  # fmt: skip
COMPARED: Final = ({"cheapest": "embedded"}, "the embedded one is the cheapest")
SUMMARY: Final = "A table of prices"
DRAFT: Final = """| store    | a year |
|----------|-------:|
| embedded |      0 |
| hosted   |  1,200 |
"""
COMPLETE: Final = f"""{DRAFT}
Running costs: nothing for the embedded one, 300 a year for the hosted one.
"""
"""What the person is shown: first without what they miss, then with it."""

REQUEST: Final = "compare-1"
WIDER: Final = {
    "title": "Search wider", "step_type": "search", "stall_after": STALL_S,
    "instructions": "Two are too few: look further.",
}  # fmt: skip
NEW: Final = {
    "name": "Which store?",
    "research_question": "Which store fits a team of 40?",
    "steps": STEPS,
    "branching_conditions": [
        {"after_step_order": 1, "expression": "found < 3", "action": "add_steps", "steps": [WIDER]}
    ],
    "review_policy": "human",
}


@dataclass(slots=True)
class Work(Desk):
    """The desk, and what is known of the plan."""

    plan: str = ""
    lease: str = ""
    step: Document = field(default_factory=dict)


@asynccontextmanager
async def _desk(folder: Path) -> AsyncIterator[Work]:
    async with at_desk(folder) as desk:
        yield Work(desk.server, desk.app, desk.token)


async def play(folder: Path) -> str:
    """Work the plan from its first call to the deliverable; return the plan's id."""
    async with _desk(folder) as desk:
        say("server", f"listens at {desk.server.url}, on an embedded store")
        async with desk.session("laptop") as laptop, desk.session("desktop") as desktop:
            await _begin(desk, laptop)
            await _fall_silent(desk, laptop, desktop)
            await _give_up(desk, desktop)
            await _claim(desk, desktop)
        await _kill(desk)
        async with desk.session("desktop") as desktop:
            await _resume(desk, desktop)
            await _review(desk, desktop)
            await _deliver(desk, desktop)
    return desk.plan


async def _begin(desk: Work, laptop: Session) -> None:
    """Make the plan and hand in its first step, after which a branch adds one."""
    made = await laptop.call("create_research_plan", **NEW)
    desk.plan = made["data"]["plan_id"]
    say("laptop", f"creates {desk.plan} with {len(STEPS)} steps")
    await _claim(desk, laptop)
    told = await _submit(desk, laptop, {"found": 2}, "two stores found")
    branch = told["data"]["branches"][0]
    if not branch["applied"]:
        raise WentWrong(f"the branch was not taken: {branch}")
    say("laptop", "hands it in; found < 3 holds, so the plan adds a step: Search wider")


async def _fall_silent(desk: Work, laptop: Session, desktop: Session) -> None:
    """Let one session take a step and fall silent, and another take it over."""
    await _claim(desk, laptop)
    old, step = desk.lease, desk.step["step_id"]
    say("laptop", f"... falls silent (a step counts as stalled after {STALL_S} s)")
    await _until_stalled(desk, desktop)
    say("server", "notices, without being asked: the plan is stalled")
    taken = await desktop.call("take_over_step", step_id=step, reason="its session is silent")
    desk.lease = taken["data"]["step"]["lease"]["token"]
    say("desktop", "takes the step over; the plan goes on")
    late = {"step_id": step, "lease": old, "result_summary": "four found, too late"}
    no = await laptop.refused("submit_step_result", "STALE_LEASE", **late)
    say("laptop", "wakes up and hands its result in: refused, and kept as late")
    print_text(f"{'':11}{no['code']}: {no['message']}")
    await _submit(desk, desktop, {"found": 4}, "four stores found")
    say("desktop", "hands in: four stores found")


async def _until_stalled(desk: Work, session: Session) -> None:
    async with asyncio.timeout(SILENT_S):
        while True:
            standing = await session.call("get_plan_status", plan_id=desk.plan)
            if standing["data"]["status"] == "stalled":
                return
            await asyncio.sleep(0.1)


async def _give_up(desk: Work, desktop: Session) -> None:
    """Fail a step; the plan goes on without it."""
    await _claim(desk, desktop)
    failed = {"action": "fail_step", "step_id": desk.step["step_id"], "reason": "the list is gone"}
    await desktop.call("modify_plan", plan_id=desk.plan, **failed)
    say("desktop", "fails it: the list is gone. A failed step never fails the plan")
    await _progress(desk, desktop)


async def _kill(desk: Work) -> None:
    """Kill the server while a result is on its way."""
    ends: list[int] = []
    asyncio.get_running_loop().call_later(KILL_AFTER_S, lambda: ends.append(desk.server.kill()))
    try:
        async with desk.session("desktop") as desktop:
            while True:
                await _submit(desk, desktop, *COMPARED, request_id=REQUEST)
    except* LOST:
        # Whether it was taken before the kill nobody can know: that is what request ids are for.
        say("server", "KILLED (SIGKILL) while a result is on its way")
    if ends != [-signal.SIGKILL]:
        raise WentWrong(f"the server ended by itself, with {ends}, before it could be killed")
    desk.server.start()
    say("server", "started again, at the same address")


async def _resume(desk: Work, desktop: Session) -> None:
    """Send what was on its way once more, and once again: one request id, one effect."""
    first = await _submit(desk, desktop, *COMPARED, request_id=REQUEST)
    again = await _submit(desk, desktop, *COMPARED, request_id=REQUEST)
    if first["receipt"] != again["receipt"]:
        raise WentWrong(f"one request, two effects: {first['receipt']} and {again['receipt']}")
    say("desktop", f"sends it again, twice, as {REQUEST}: done once, the same answer twice")
    await _claim(desk, desktop)
    await _submit(desk, desktop, {"gaps": 1}, "the running costs are missing")
    say("desktop", "hands in: the running costs are missing")
    await _progress(desk, desktop)


async def _review(desk: Work, desktop: Session) -> None:
    """Ask the person, who sends the draft back once and then approves it."""
    await _claim(desk, desktop)
    await _ask(desk, desktop, DRAFT)
    relayed = {"step_id": desk.step["step_id"], "decision": "approve"}
    no = await desktop.refused("submit_user_decision", "HUMAN_REQUIRED", **relayed)
    say("desktop", f"tries to approve its own draft: refused, {no['code']}")
    await _decide(desk, "modify", "add the running costs")
    await _claim(desk, desktop)
    if "add the running costs" not in desk.step["instructions"]:
        raise WentWrong(f"the feedback is not in the instructions: {desk.step['instructions']}")
    await _ask(desk, desktop, COMPLETE)
    await _decide(desk, "approve")


async def _ask(desk: Work, desktop: Session, table: str) -> None:
    draft = {"result": {"prices": table}, "result_summary": SUMMARY}
    asked = {"step_id": desk.step["step_id"], "summary": SUMMARY, "lease": desk.lease, **draft}
    await desktop.call("request_user_review", **asked)
    say("desktop", f"asks for a review: {SUMMARY}")


async def _decide(desk: Work, decision: str, feedback: str | None = None) -> None:
    gate = (await desk.person("get_plan_status", plan_id=desk.plan))["gate"]
    decided = {"decision": decision, "content_digest": gate["content_digest"]}
    if feedback is not None:
        decided["feedback"] = feedback
    await desk.person("submit_user_decision", step_id=gate["step_id"], **decided)
    say(ANN, f"decides: {decision}" + (f", {feedback}" if feedback else ""))


async def _deliver(desk: Work, desktop: Session) -> None:
    """Finish the plan and store what it was for."""
    await _claim(desk, desktop)
    await _submit(desk, desktop, {"take": "embedded"}, "take the embedded one")
    done = await desktop.call("get_next_step", plan_id=desk.plan)
    if done["status"] != "plan_complete":
        raise WentWrong(f"the plan should be complete, not {done['status']}")
    say("desktop", "hands in: take the embedded one. There is no more to do: plan_complete")
    await _progress(desk, desktop)
    output = {"title": "A store for a team of 40", "content": OUTPUT, "media_type": "text/markdown"}
    stored = await desktop.call("store_research_output", plan_id=desk.plan, **output)
    name = stored["data"]["output_id"]
    say("desktop", f"stores the deliverable as {name}")
    read = await desk.person("get_artifact", artifact_id=name)
    print_text("\n" + "\n".join(f"    {line}" for line in str(read["content"]).splitlines()))


async def _claim(desk: Work, session: Session) -> None:
    """Take the next step."""
    answer = await session.call("get_next_step", plan_id=desk.plan)
    if answer["status"] != "in_progress":
        raise WentWrong(f"there should be a step to take: {answer['next_action']}")
    desk.step = answer["data"]["step"]
    desk.lease = desk.step["lease"]["token"]
    say(session.name, f"takes step {desk.step['step_id'].rpartition('.')[2]}: {_title(desk.step)}")


def _title(step: Document) -> str:
    """Return a step's title without the marks that stored text comes back in."""
    return str(step["title"]).partition(">")[2].rpartition("</")[0] or str(step["title"])


async def _submit(
    desk: Work, session: Session, result: Mapping[str, object], summary: str, request_id: str = ""
) -> Document:
    """Hand in the step that is held."""
    given: dict[str, object] = {"step_id": desk.step["step_id"], "lease": desk.lease}
    given |= {"result": result, "result_summary": summary}
    given |= {"request_id": request_id} if request_id else {}
    return await session.call("submit_step_result", **given)


async def _progress(desk: Work, session: Session) -> None:
    """Show how far the plan is."""
    data = (await session.call("get_plan_status", plan_id=desk.plan))["data"]
    filled = round(BAR * data["progress"] / 100)
    counts = ", ".join(f"{count} {status}" for status, count in data["counts"].items() if count)
    print_text(f"{'':11}{'▰' * filled}{'▱' * (BAR - filled)} {data['progress']} %  ({counts})")
