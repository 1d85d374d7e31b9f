"""The past of a ticket, read from the audit: the attempts of its phases, and what went wrong.

Each time a ticket was in a phase is an attempt. It says from which entry of the audit to which it
lasted, so that whoever wants to see it as it stood can ask for the ticket as it was right before
it was left. Each time it was blocked is an occurrence, which ends with how that was resolved.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, cast

from interlock.commands.row import Call
from interlock.service.order import Reply
from interlock.service.record import Body, read_body
from interlock.store.port import AuditRow
from interlock.workflows.ticket.phases import BLOCKED, BY_NAME

PAGE: Final = 1_000
RESOLVED: Final = {"RETRY": "retried", "CANCEL": "cancelled"}
"""How an occurrence ends, by what ends it; going back to a gate reopens it."""

REPLACED: Final = "replaced"
"""How an occurrence ends where something else was found to be wrong meanwhile."""


class Entry(NamedTuple):
    """One entry of an audit: its sequence, its instant, and what it says."""

    sequence: int
    at: int
    body: Body


async def entries_of(call: Call, ticket: str) -> list[Entry]:
    """Read all entries about a ticket; those that cannot be read are passed over."""
    rows: list[AuditRow] = []
    while True:
        after = rows[-1].link.sequence if rows else 0
        more = await call.engine.store.audit(call.tenant, ticket, after, PAGE)
        rows += more
        if len(more) < PAGE:
            return [
                Entry(one.link.sequence, one.link.at, body)
                for one in rows
                if (body := _read(one.link.body)) is not None
            ]


def _read(text: str) -> Body | None:
    """Read an entry; None for one that somebody has damaged: verifying names it."""
    try:
        body: object = read_body(text)
    except ValueError:
        return None
    return cast("Body", body) if isinstance(body, dict) else None


# -- attempts ----------------------------------------------------------------------------------


async def attempts_of(call: Call, ticket: str) -> list[Reply]:
    """Return the attempts of all phases in their order."""
    return told_attempts(await entries_of(call, ticket))


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
    if _is_move(body):
        return str(body["target"]) if body["target"] != body["source"] else None
    if is_first:
        return "DRAFT"
    return None


def _is_move(body: Body) -> bool:
    return body.get("change") == "move" and bool(body.get("unit"))


def _why(body: Body) -> str:
    return str(body.get("reason") or cast("str", body.get("signal", "")))


# -- occurrences -------------------------------------------------------------------------------


async def occurrences_of(call: Call, ticket: str) -> list[Reply]:
    """Return every time that a ticket was blocked, the first one first."""
    return told_occurrences(await entries_of(call, ticket))


def told_occurrences(entries: Iterable[tuple[int, int, Body]]) -> list[Reply]:
    """Return occurrences from the entries of an audit: sequence, instant and body of each."""
    found: list[Reply] = []
    for sequence, at, body in entries:
        if not body.get("unit"):
            continue
        is_open = bool(found) and "resolution" not in found[-1]
        if is_open and _is_move(body) and body["source"] == BLOCKED:
            signal = str(body["signal"])
            found[-1] |= _resolved(RESOLVED.get(signal, "reopened"), at, body)
            is_open = False
        written = cast("Mapping[str, object]", body.get("set", {}))
        if "occurrence" in written:
            if is_open:
                found[-1] |= _resolved(REPLACED, at, body)
            found.append({"sequence": sequence, "at": at})
        if found and "resolution" not in found[-1]:
            found[-1] |= _told(written)
    return found


def _resolved(how: str, at: int, body: Body) -> Reply:
    actor = cast("Mapping[str, str]", body.get("actor", {}))
    return {"resolution": how, "resolved_at": at, "resolved_by": actor.get("id", "")}


def _told(written: Mapping[str, object]) -> Reply:
    """Tell what an entry says of an occurrence: its number, what was wrong, and where."""
    told: Reply = {}
    if "occurrence" in written:
        told["number"] = written["occurrence"]
    if "previous" in written:
        told["previous_status"] = written["previous"]
    error = written.get("error")
    return told | dict(error) if isinstance(error, Mapping) else told
