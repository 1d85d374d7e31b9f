"""Approvals: save an edit of what waits, approve what was shown, go back to what was approved.

An edit names the version it was made of, and is refused where that is not the newest: nobody's
work is overwritten. A document that was edited is read like one of a model, and told what is
wrong with it, place by place.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from interlock.commands.deciding import decision, may_decide, on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.band import require_room
from interlock.commands.ticket.papers import Papers, papers_of
from interlock.commands.ticket.warned import COMMANDS, with_warnings, wrong_commands
from interlock.commands.ticket.words import about, documents_of, filed, showing, ticket_named
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput
from interlock.service.order import Asked, Order, Reply, require_version
from interlock.service.resume import require_sound
from interlock.service.run import Answer
from interlock.ticketing import beads, canonical, interview_document, prd
from interlock.ticketing.checked import Json
from interlock.ticketing.execution import setup_plan
from interlock.wire.ticket import Approve, Reopen, SaveArtifact
from interlock.workflows.ticket.bead import BLUEPRINT
from interlock.workflows.ticket.phases import BY_NAME

AT_THEIR_GATES: Final = {"beads": "The blueprint", "setup": "The setup plan"}
"""What is only led back to its gate when it is reopened."""

Edits = Callable[[Papers, Json, Mapping[str, object]], Awaitable[dict[str, object]]]


class StaleEdit(InterlockError):
    """An edit was made of a version that is not the newest any more."""

    code = "STALE_EDIT"
    http = 409


async def _interview(
    papers: Papers, before: Json, after: Mapping[str, object]
) -> dict[str, object]:
    return interview_document.edited(before, after, papers.call.engine.store.now())


async def _prd(_: Papers, before: Json, after: Mapping[str, object]) -> dict[str, object]:
    return prd.edited(before, after)


async def _beads(papers: Papers, before: Json, after: Mapping[str, object]) -> dict[str, object]:
    return beads.edited(before, after, prd.references(await papers.document("prd")))


async def _setup(_: Papers, before: Json, after: Mapping[str, object]) -> dict[str, object]:
    return setup_plan.edited(before, after)


EDITS: Final[Mapping[str, Edits]] = {
    "interview": _interview,
    "prd": _prd,
    "beads": _beads,
    setup_plan.NAME: _setup,
}
"""How each document that is approved is edited."""


async def edited(papers: Papers, name: str, content: str, base: str | None) -> str:
    """Return a document as it is after an edit; raises where it does not fit, or is not of this."""
    newest = documents_of(papers.unit).get(name, "")
    if base != newest:
        message = f"The edit was made of {base or 'nothing'}; the newest version is {newest}."
        fix = "Nothing is lost: read the newest version, make the edit there, and save it again."
        raise StaleEdit(message, fix=fix)
    return canonical.write(
        await EDITS[name](papers, await papers.document(name), canonical.read(content))
    )


async def save_artifact(call: Call, asked: SaveArtifact) -> Answer:
    """Save an edit of what waits for approval."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        reviewed = BY_NAME[papers.unit.unit.status].review
        sent = Asked("save_artifact")
        # Of a setup plan that is still being drafted there is nothing to edit: that is told below.
        is_drafted = reviewed != setup_plan.NAME or papers.fields["setup_ready"]
        if reviewed in EDITS and is_drafted:
            text = await edited(papers, reviewed, asked.content, asked.base_digest)
            sent = await _showing(papers, reviewed, text, sent)
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)


async def _showing(papers: Papers, name: str, text: str, sent: Asked) -> Asked:
    args: dict[str, object] = {**sent.args, "digest": canonical.digest(text)}
    more: Reply = {}
    if name == "beads":
        document = canonical.read(text)
        args["beads"] = beads.machine_rows(document, is_parallel=papers.is_parallel)
        told = {COMMANDS: await wrong_commands(papers, document)}
        more = with_warnings(papers.fields, name, **told)
    return sent._replace(args=args, also=(filed(papers.unit, {name: text}, more),))


async def approve(call: Call, asked: Approve) -> Answer:
    """Approve what was shown."""
    return await approved(call, asked.ticket_id, {"content_digest": asked.content_digest})


async def approved(call: Call, ticket: str, said: Mapping[str, object], gate: str = "") -> Answer:
    """Approve what was shown, at a gate where one is named."""
    name = ticket_named(ticket)

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        if papers.unit.unit.status in BLUEPRINT:
            await require_room(papers)
        sent = decision(call, "approve", None, str(papers.fields["shown"]), said, gate)
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)


async def reopen(call: Call, asked: Reopen) -> Answer:
    """Go back to what was approved, with what it is to be from now on."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    event = f"reopen_{asked.artifact}"
    _check_content(asked)
    await require_sound(call.engine, call.tenant, name)

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        told = {"reason": asked.reason}
        sent = Asked(event, args={**told, **_shown_before(papers, asked)}, told=told)
        if asked.content is not None and papers.text_is_there(asked.artifact):
            text = await edited(papers, asked.artifact, asked.content, asked.base_digest)
            sent = await _showing(papers, asked.artifact, text, sent)
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)


def _check_content(asked: Reopen) -> None:
    """Raise unless an edit comes with what is approved at once, and only with that."""
    is_edited = asked.artifact not in AT_THEIR_GATES
    if is_edited and asked.content is None:
        message = f"Reopening the {asked.artifact} needs what it is to be from now on."
        raise InvalidInput(message, fix="Send the edited document as content, and base_digest.")
    if not is_edited and asked.content is not None:
        message = f"{AT_THEIR_GATES[asked.artifact]} is edited at its gate, where reopening leads."
        raise InvalidInput(message, fix="Reopen without content, then call save_artifact.")


def _shown_before(papers: Papers, asked: Reopen) -> dict[str, object]:
    name = setup_plan.NAME if asked.artifact == "setup" else asked.artifact
    return {"digest": documents_of(papers.unit).get(name, "")}
