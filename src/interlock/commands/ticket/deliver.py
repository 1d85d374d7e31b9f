"""The end of a ticket: merge its request, close it unmerged, finish by hand, or a merge elsewhere.

Merging is a worker's work; a person only asks for it. A merge that somebody made outside of us is
reported by a worker that has seen it, and counts only for the commit that was reviewed.
"""

from interlock.commands.deciding import may_decide, on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.execute import merged_request
from interlock.commands.ticket.papers import papers_of
from interlock.commands.ticket.words import about, filed, showing, ticket_named
from interlock.service.order import Asked, Order, Reply, require_version
from interlock.service.run import Answer, advance
from interlock.store.rows import dump
from interlock.ticketing.checked import text
from interlock.ticketing.execution.judge import HeadMoved
from interlock.wire.ticket import AboutTicket, PlainlyTicket, ReportMerge


async def merge(call: Call, asked: AboutTicket, gate: str = "") -> Answer:
    """Have the pull request merged by a worker."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    sent = Asked("merge", gate=gate)
    return await advance(call.engine, about(call, name, (sent,), showing(call)))


async def close_unmerged(call: Call, asked: PlainlyTicket, gate: str = "") -> Answer:
    """End a ticket without a merge; branch and request are left alone."""
    report: Reply = {"merged": False, "disposition": "closed_unmerged", "reason": asked.reason}
    return await _filing(call, asked, "close_unmerged", "merge_report", report, gate)


async def finish(call: Call, asked: PlainlyTicket, gate: str = "") -> Answer:
    """Complete a ticket whose clean-up hangs; what was not cleaned is kept as a warning."""
    why = asked.reason or "finished by hand before the clean-up had ended"
    report: Reply = {"status": "warning", "removed": [], "kept": [], "errors": [why]}
    return await _filing(call, asked, "finish", "cleanup_report", report, gate)


async def _filing(
    call: Call, asked: PlainlyTicket, event: str, document: str, report: Reply, gate: str
) -> Answer:
    """Send a decision that says nothing but itself, and file what it leads to."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    told: Reply = {"reason": asked.reason} if asked.reason else {}

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        also = (filed(papers.unit, {document: dump(report)}),)
        sent = Asked(event, args=told, gate=gate, told=told, also=also)
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)


async def report_merge(call: Call, asked: ReportMerge) -> Answer:
    """Take in that somebody has merged the pull request outside of us."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    report: Reply = {"merged": True, "merge_commit": asked.merge_commit, "by": "outside"}
    report["base_head"] = asked.base_head

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        if text(papers.tree, "candidate") != asked.head:
            raise HeadMoved(asked.head, text(papers.tree, "candidate"))
        also = (filed(papers.unit, {"merge_report": dump(report)}, merged_request(papers.fields)),)
        sent = Asked("outside_merge", told={"merge_commit": asked.merge_commit}, also=also)
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)
