"""Tickets that stand where an idea about planning wants them."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw
import asyncpg

from interlock.errors import InterlockError
from interlock.service.engine import Principal
from tests.stage import ADA, PAT, Stage
from tests.tickets import answer, claim, said, started, status_of

Told = dict[str, Any]
ASKED: Final = [
    {"id": "Q01", "question": "Which?", "phase": "foundation", "answer_type": "free_text"},
    {"id": "Q02", "question": "Where?", "phase": "structure", "answer_type": "free_text"},
]
BATCH: Final = {"questions": ASKED, "commentary": "Let us begin."}
STEPS_MAX: Final = 60


async def brought(stage: Stage, phase: str, **limits: int) -> str:
    """Return a ticket that has just come into a phase of planning."""
    name = await started(stage, limits=limits)
    for _ in range(STEPS_MAX):
        told = await status_of(stage, name)
        if told["phase"]["name"] == phase:
            return name
        await on(stage, name, told)
    raise AssertionError(f"{phase} was never reached")


async def on(stage: Stage, name: str, told: Told) -> None:
    """Go one step on: a person decides, or the work that is offered is done."""
    if "batch" in told:
        await reply(stage, name, told["batch"])
    elif told["phase"]["name"].endswith("_APPROVAL"):
        digest = told["gates"][-1]["content_digest"]
        await stage.call("approve", PAT, ticket_id=name, content_digest=digest)
    else:
        part = await claim(stage, name)
        await answer(stage, part, said(part["task"]))


async def reply(stage: Stage, name: str, batch: Told, text: str = "Yes.") -> None:
    """Answer a batch."""
    each = [{"question_id": one["id"], "text": text} for one in batch["questions"]]
    await stage.call("answer_batch", PAT, ticket_id=name, batch=batch["number"], answers=each)


async def asked(stage: Stage) -> tuple[str, Told]:
    """Return a ticket whose first batch waits, and that batch."""
    name = await brought(stage, "WAITING_INTERVIEW_ANSWERS")
    await answer(stage, await claim(stage, name), BATCH)
    return name, (await status_of(stage, name))["batch"]


async def text_of(stage: Stage, name: str, document: str) -> str:
    """Read a document of a ticket."""
    told = (await stage.call("ticket_context", PAT, ticket_id=name)).data["texts"]
    assert isinstance(told, Mapping)
    return str(told[document])


async def late(
    stage: Stage, part: Told, given: Mapping[str, object], by: Principal = ADA
) -> tuple[str, bool]:
    """Hand in what comes too late; return how it is refused, and whether it is kept as late."""
    held = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
    no = await stage.refused("submit_work", by, **held, answer=dict(given))
    unit, _, number = part["part_id"].partition(".")
    kept = await stage.engine.store.artifacts("home", unit)
    marks = [one.mark for one in kept if one.part == int(number)]
    return no.code, "late" in marks


async def damage(stage: Stage, digest: str, content: bytes) -> None:
    """Change what is kept, behind the back of everybody."""
    if isinstance(stage.where, Path):
        with closing(apsw.Connection(str(stage.where))) as connection:
            connection.set_busy_timeout(5_000)
            connection.execute("UPDATE contents SET bytes = ? WHERE digest = ?", (content, digest))
        return
    connection_ = await asyncpg.connect(stage.where)
    try:
        await connection_.execute(
            "UPDATE contents SET bytes = $1 WHERE digest = $2", content, digest
        )
    finally:
        await connection_.close()


def errors_of(no: InterlockError) -> list[dict[str, str]]:
    """Return what is wrong with an answer that was refused."""
    assert no.code == "ANSWER_INVALID"
    errors = no.details["errors"]
    assert isinstance(errors, list | tuple)
    return [*errors]
