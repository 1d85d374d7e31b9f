"""What a ticket has spent: counted with every piece of work, and stopped when a limit is reached.

The ticket is blocked right after the commit that reached the limit. Should that be missed (the
server died in between), it is blocked when its next work is handed out.
"""

from collections.abc import Mapping
from typing import Final, cast

from interlock.commands.row import Call
from interlock.commands.ticket.desk import Desk
from interlock.commands.ticket.stopped import stop
from interlock.service.order import Reply
from interlock.service.some import read_some
from interlock.store.rows import UnitRow, unit_of
from interlock.ticketing.checked import Json
from interlock.ticketing.execution.budget import REACHED, in_words, reached, spent
from interlock.workflows.ticket.phases import REVIEW, RUNNING

ATTEMPTS: Final = ("code", "prepare", "test")
"""Tasks that are tried again and again: what a limit of attempts counts."""

DELIVERED: Final = (REVIEW, "CLEANING_ENV")
"""Where nothing is left that could cost much, and stopping would only be in the way."""


def spending(desk: Desk, usage: Mapping[str, object] | None) -> Reply:
    """Return what the ticket has spent once a piece of work is counted; a field of it."""
    before = cast("Json", desk.fields["spent"] or {})
    is_attempt = desk.task.task in ATTEMPTS
    if not usage and not is_attempt:
        return {}
    return {"spent": spent(before, usage or {}, is_attempt=is_attempt)}


def over_budget(unit: UnitRow) -> str:
    """Say which limits of a ticket are reached; empty where none is, or where it does not matter."""
    status, fields = unit.unit.status, unit.unit.fields
    if status not in RUNNING or status in DELIVERED:
        return ""
    found = reached(cast("Json", fields["spent"] or {}), cast("Json", fields["budget"] or {}))
    return in_words(found) if found else ""


async def stop_if_spent(call: Call, name: str) -> bool:
    """Block a ticket that has reached a limit; say whether it was."""
    some = await read_some(call.engine, call.tenant, unit_of(name))
    why = over_budget(some.unit)
    # Where somebody is faster and it still must be stopped, the next hand-out does it.
    return bool(why) and await stop(call, some.unit, REACHED, why)
