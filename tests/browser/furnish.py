"""Something on every page: plans at different points, a mission, a ticket, people, tokens."""

from interlock.service.create import NewUnit, create
from interlock.service.order import Asked, Order
from interlock.service.people import invite
from interlock.service.run import advance
from interlock.service.sessions import make_login
from tests.browser.desk import Desk
from tests.browser.pages import Names
from tests.browser.work import Work, begin

BRANCH = {
    "after_step_order": 1, "expression": "found < 3", "action": "add_steps",
    "steps": [{"title": "Search wider", "instructions": "Two are too few."}],
}  # fmt: skip
REPORT = "# Prices\n\n| store | a year |\n|---|---:|\n| embedded | 0 |\n\n- [source](https://example.com/prices)\n"


async def empty(desk: Desk) -> Names:
    """Return what there is to open where nothing was ever done."""
    async with desk.app() as app:
        login, _ = await make_login(app.engine, app.owner())
        invitation, _ = await invite(app.engine, app.owner(), "new@example.com", "member")
    return {"login": login, "invitation": invitation}


async def furnished(desk: Desk) -> Names:
    """Work until there is something on every page; return the names of it."""
    names = await empty(desk)
    async with desk.agent() as session:
        work = await begin(session, branching_conditions=[BRANCH], tags=["stores", "2026"])
        names["plan"] = work.plan
        names["failed"] = await _begin_work(work)
        await work.ask(
            "A table of prices", "Is one source enough?", table="embedded 0\nhosted 1200"
        )
        names["decided"] = await _modified(desk, "Add the running costs")
        await work.ask(
            "A table of prices", "Is one source enough?", table="embedded 0\nrunning 300"
        )
        names["gate"] = await _gate(desk)
        done = await begin(session, "Which colour?", steps=[{"instructions": "Choose one."}])
        await done.claim()
        await done.submit("Green", colour="green")
        new = await begin(session, "Which town?")
        await new.claim()
        names["new"] = new.plan
    names |= await _more(desk, names["gate"])
    names |= await kept(desk, names["plan"])
    return names


async def _more(desk: Desk, gate: str) -> Names:
    """Make what no agent makes: a link, a token, a mission and a ticket."""
    names = {}
    async with desk.app() as app:
        verbs = await app.verbs()
        told = await verbs.call("link_gate", {"gate_id": gate})
        names["link"] = str(told.data["link"]).rpartition("/")[2]
        await verbs.call("create_token", {"name": "a laptop"})
        owner = app.owner()
        for workflow in ("mission", "ticket"):
            fields = {"members": 1, "quorum": 1, "policy": "relay"} if workflow == "ticket" else {}
            new = NewUnit(workflow, fields)
            made = await create(app.engine, owner, new, lambda one: {"unit": one.unit.id})
            names[workflow] = str(made.reply["unit"])
        started = Order(
            owner.tenant, owner.actor(), names["ticket"], (Asked("start"),), lambda _: {}
        )
        await advance(app.engine, started)
    return names


async def kept(desk: Desk, plan: str) -> Names:
    """Return the digests of what is kept for a plan: a note of an agent, and a result."""
    async with desk.app() as app:
        asked = {"id": plan, "limit": 200}
        told = (await (await app.verbs()).call("list_artifacts", asked)).data["artifacts"]
    assert isinstance(told, list)
    digests = {"notes" if "note" in one["name"] else one["name"]: one["digest"] for one in told}
    return {"artifact": digests["notes"], "result": digests["result"]}


async def _begin_work(work: Work) -> str:
    """Hand in a step after which one is added, keep what was found, and fail a step."""
    await work.claim()
    kept = {"artifact_type": "notes", "title": "Prices", "media_type": "text/markdown"}
    for content in (REPORT, REPORT + "- hosted: 1200\n"):
        await work.session.call("store_research", plan_id=work.plan, content=content, **kept)
    await work.submit("Two stores found", found=2)
    step = await work.claim()
    failed = {"action": "fail_step", "step_id": step, "reason": "the list is gone"}
    await work.session.call("modify_plan", plan_id=work.plan, **failed)
    return step.rpartition(".")[2]


async def _gate(desk: Desk) -> str:
    async with desk.app() as app:
        listed = (await (await app.verbs()).call("list_gates", {})).data["gates"]
    assert isinstance(listed, list)
    return str(listed[-1]["gate_id"])


async def _modified(desk: Desk, feedback: str) -> str:
    """Let the owner send a review back; return its gate."""
    async with desk.app() as app:
        verbs = await app.verbs()
        listed = (await verbs.call("list_gates", {})).data["gates"]
        assert isinstance(listed, list)
        gate = listed[-1]
        said = {"gate_id": gate["gate_id"], "content_digest": gate["content_digest"]}
        await verbs.call("decide_gate", {**said, "decision": "modify", "feedback": feedback})
    return str(gate["gate_id"])
