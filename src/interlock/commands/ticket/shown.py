"""What a model is shown with a task: the blocks of its context, made from what is kept."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from interlock.commands.ticket.desk import Desk
from interlock.ticketing import canonical, repository
from interlock.ticketing.checked import Json, part
from interlock.ticketing.context import ALTERNATIVE, OWN_DRAFT, Block, Context, assemble
from interlock.ticketing.vote import labels

SETUP: Final = (
    "execution_setup_plan", "execution_setup_profile", "execution_setup_plan_notes",
)  # fmt: skip
DOCUMENTS: Final = ("relevant_files", "interview", "prd", "blueprint", "beads")


async def context_of(desk: Desk) -> Context:
    """Put together what the task of an assignment shows."""
    blocks = [
        block for kind in desk.task.context if kind in BLOCKS async for block in BLOCKS[kind](desk)
    ]
    return assemble(desk.task.context, blocks, desk.call.engine.clock.secret())


async def _ticket(desk: Desk) -> AsyncIterator[Block]:
    fields = desk.fields
    yield Block("ticket_details", f"{fields['name']}\n\n{fields['description'] or ''}".strip())


async def _note(desk: Desk) -> AsyncIterator[Block]:
    yield Block("user_note", str(desk.fields["note"] or ""))


async def _session(desk: Desk) -> AsyncIterator[Block]:
    yield Block("session", await desk.text("session"))


async def _full_answers(desk: Desk) -> AsyncIterator[Block]:
    yield Block("full_answers", await desk.text("full_answers"))


async def _answers(desk: Desk) -> AsyncIterator[Block]:
    """Show what people said, without what was skipped."""
    interview = await desk.document("interview")
    told = [
        {"id": row["id"], "question": row["prompt"], "answer": row["answer"]}
        for row in _rows(interview)
        if not part(row, "answer").get("skipped")
    ]
    yield Block("user_answers", canonical.write({"answers": told}))


def _rows(interview: Json) -> list[Json]:
    found = interview.get("questions")
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


async def _repository(desk: Desk) -> AsyncIterator[Block]:
    """Show what the repository has by name; nothing where whoever made the tree has not told."""
    if desk.text_is_there(repository.NAME):
        yield Block("repository", repository.shown(await desk.document(repository.NAME)))


async def _drafts(desk: Desk) -> AsyncIterator[Block]:
    """Show drafts: to a voter without names and shuffled, to the winner with its own first."""
    found = {
        place: canonical.write(judged_of(desk.task.domain, draft))
        for place, draft in (await desk.drafts()).items()
    }
    if desk.task.task == "vote":
        for label, place in zip(labels(len(found)), desk.order, strict=True):
            yield Block("drafts", found[place], label)
        return
    yield Block("drafts", found[desk.winner], OWN_DRAFT)
    for label, place in alternatives(desk).items():
        yield Block("drafts", found[place], label)


def alternatives(desk: Desk) -> dict[str, int]:
    """Return by label the places of the members whose drafts have not won."""
    others = (place for place in desk.drafted if place != desk.winner)
    return {ALTERNATIVE.format(number): place for number, place in enumerate(others, 1)}


def judged_of(domain: str, draft: Json) -> Json:
    """Return what of a draft is voted on and refined: of a PRD not the answers filled before."""
    return part(draft, "prd") if domain == "prd" else draft


async def _bead(desk: Desk) -> AsyncIterator[Block]:
    row = await desk.bead()
    # Which others there are is no business of whoever builds this one.
    shown = {name: row[name] for name in row if name not in ("blocks", "blocked_by", "priority")}
    yield Block("bead_data", canonical.write(shown))


def _notes(kind: str) -> Callable[[Desk], AsyncIterator[Block]]:
    """Show what was learnt from earlier attempts at the same work."""

    async def blocks(desk: Desk) -> AsyncIterator[Block]:
        if desk.notes:
            yield Block(kind, canonical.write({"attempts": [dict(one) for one in desk.notes]}))

    return blocks


def _document(name: str) -> Callable[[Desk], AsyncIterator[Block]]:
    async def blocks(desk: Desk) -> AsyncIterator[Block]:
        yield Block(name, await desk.text(name))

    return blocks


BLOCKS: Final[Mapping[str, Callable[[Desk], AsyncIterator[Block]]]] = {
    "ticket_details": _ticket,
    "user_note": _note,
    "session": _session,
    "user_answers": _answers,
    "full_answers": _full_answers,
    "repository": _repository,
    "drafts": _drafts,
    **{name: _document(name) for name in (*DOCUMENTS, *SETUP)},
    "bead_data": _bead,
    **{name: _notes(name) for name in ("bead_notes", "execution_setup_notes", "final_test_notes")},
}
"""The kinds of blocks that there is something for."""
