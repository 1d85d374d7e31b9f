"""Everything that a session needs to go on with a ticket: its words, documents, and its past."""

from typing import Final

from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.commands.ticket.history import attempts_of
from interlock.commands.ticket.papers import Papers
from interlock.commands.ticket.status import standing
from interlock.commands.ticket.words import documents_of, go_on, ticket_named
from interlock.service.order import Reply
from interlock.service.read import read_unit
from interlock.service.some import Some
from interlock.wire.ticket import TicketRef

BUDGET: Final = 60_000
"""How many characters of documents a context tells; the rest is named by its digest."""

FIRST: Final = ("execution_setup_plan", "beads", "prd", "interview", "relevant_files")
"""Which documents are told first: the last ones hold what came before."""

EVIDENCE: Final = (
    "preflight_report", "execution_setup_report", "execution_setup_profile", "final_test_report",
    "integration_report", "pull_request_report", "merge_report", "cleanup_report",
)  # fmt: skip
"""What was reported while the ticket was built; read by its digest, with the beads' own reports."""


async def ticket_context(call: Call, asked: TicketRef) -> Reply:
    """Tell everything that a session needs to go on with a ticket."""
    read = await read_unit(call.engine, call.tenant, ticket_named(asked.ticket_id))
    unit = read.whole.row
    data = await standing(call, read)
    data["description"] = unit.unit.fields["description"]
    data["attempts"] = await attempts_of(call, unit.id)
    papers = Papers(call, Some(read.running, unit, None, {}, {}, read.whole.incarnation))
    texts: Reply = {}
    left, cut = BUDGET, []
    for name in (one for one in FIRST if one in documents_of(unit)):
        text = await papers.text(name)
        if len(text) <= left:
            texts[name] = text
            left -= len(text)
        else:
            cut.append(f"{name} is too long to be told here; read it by its digest.")
    data["texts"] = texts
    known = documents_of(unit)
    data["evidence"] = {name: known[name] for name in EVIDENCE if name in known}
    legal = moves(read.running, unit, call.caller.kind)
    return envelope(unit.unit.status, go_on(unit), legal, data, cut)
