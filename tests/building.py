"""Tickets that are being built: planned by one member, then brought to any phase of execution."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from interlock.service.engine import Principal
from tests.reports import SITE
from tests.stage import HOME, PAT, Stage
from tests.tickets import Answers, said, status_of, ticket

Told = dict[str, Any]
WIM: Final = Principal(HOME, "worker", "wim", frozenset({"read", "work"}))
ALONE: Final = ("ann",)
SETUP: Final = "WAITING_EXECUTION_SETUP_APPROVAL"
REVIEW: Final = "WAITING_PR_REVIEW"


async def take(stage: Stage, name: str, site: str = SITE, by: Principal = WIM) -> Told:
    """Claim the next work of a ticket; return its part."""
    found = await stage.call("get_next_work", by, workflow="ticket", site=site)
    assert found.status == "claimed", found
    assert found.data["unit_id"] == name
    part = found.data["part"]
    assert isinstance(part, dict)
    return part


class Said(NamedTuple):
    """What a worker is answered."""

    data: Told
    next_action: str


async def report(stage: Stage, part: Told, told: Mapping[str, object], **more: object) -> Said:
    """Hand in what came of some work."""
    named = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    answer = await stage.call("submit_work", WIM, **named, answer=dict(told), **more)
    return Said(dict(answer.data), answer.next_action)


async def done(stage: Stage, name: str, says: Mapping[str, Answers] | None = None) -> Said:
    """Have the next work of a ticket done as usual, or as a story says."""
    part = await take(stage, name)
    task = part["task"]
    return await report(stage, part, (says or {}).get(task["task"], said)(task))


async def planned(stage: Stage, **more: object) -> str:
    """Return a ticket whose blueprint was approved: it waits for its checks."""
    name = await ticket(stage, ALONE, **more)
    await stage.call("start", PAT, ticket_id=name)
    await to(stage, name, "PRE_FLIGHT_CHECK")
    return name


async def to(
    stage: Stage, name: str, phase: str, says: Mapping[str, Answers] | None = None
) -> Told:
    """Work and decide until a ticket is in a phase; return how it stands."""
    while (now := await status_of(stage, name))["phase"]["name"] != phase:
        at = now["phase"]["name"]
        if "batch" in now:
            batch = now["batch"]
            answers = [{"question_id": one["id"], "text": "Yes."} for one in batch["questions"]]
            told = {"ticket_id": name, "batch": batch["number"], "answers": answers}
            await stage.call("answer_batch", PAT, **told)
        elif at == SETUP and any(one["status"] == "offered" for one in now["work"]):
            await done(stage, name, says)
        elif now["phase"]["view"] == "approval":
            digest = now["gates"][-1]["content_digest"]
            await stage.call("approve", PAT, ticket_id=name, content_digest=digest)
        elif at == REVIEW and not any(one["status"] == "offered" for one in now["work"]):
            await stage.call("merge", PAT, ticket_id=name)
        else:
            await done(stage, name, says)
    return now


async def brought(stage: Stage, phase: str, **more: object) -> str:
    """Return a ticket that was brought to a phase of execution."""
    name = await planned(stage, **more)
    await to(stage, name, phase)
    return name
