"""The past of a ticket, phase by phase: each time it was in one is an attempt, read from the audit.

An attempt says from which entry of the audit to which it lasted, so that whoever wants to see it
as it stood can ask for the ticket as it was right before it was left.
"""

from collections.abc import Iterable
from typing import Final, cast

from interlock.commands.row import Call
from interlock.service.order import Reply
from interlock.service.record import Body, read_body
from interlock.store.port import AuditRow
from interlock.workflows.ticket.phases import BY_NAME

PAGE: Final = 1_000


async def attempts_of(call: Call, ticket: str) -> list[Reply]:
    """Return the attempts of all phases in their order."""
    rows: list[AuditRow] = []
    while True:
        after = rows[-1].link.sequence if rows else 0
        more = await call.engine.store.audit(call.tenant, ticket, after, PAGE)
        rows += more
        if len(more) < PAGE:
            return list(
                told_attempts(
                    (one.link.sequence, one.link.at, read_body(one.link.body)) for one in rows
                )
            )


def told_attempts(entries: Iterable[tuple[int, int, Body]]) -> list[Reply]:
    """Return attempts from the entries of an audit: sequence, instant and body of each."""
    found: list[Reply] = []
    counts: dict[str, int] = {}
    for sequence, at, body in entries:
        status = _entered(body, is_first=not found)
        if status is None:
            continue
        if found:
            found[-1] |= {"left_at": at, "last": sequence - 1, "by": _why(body)}
        counts[status] = counts.get(status, 0) + 1
        phase = BY_NAME.get(status)
        found.append({
            "phase": status, "label": status if phase is None else phase.label,
            "group": "" if phase is None else phase.group, "attempt": counts[status],
            "first": sequence, "entered_at": at,
        })  # fmt: skip
    return found


def _entered(body: Body, *, is_first: bool) -> str | None:
    """Return the phase that an entry tells the ticket has entered; its own again is no other."""
    if body.get("change") == "move" and body.get("unit"):
        return str(body["target"]) if body["target"] != body["source"] else None
    if is_first:
        return "DRAFT"
    return None


def _why(body: Body) -> str:
    return str(body.get("reason") or cast("str", body.get("signal", "")))
