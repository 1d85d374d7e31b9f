"""How a ticket stands, what a session needs to go on with one, and lists of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from interlock.commands.listing import amiss, page, place_of
from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.commands.ticket.history import occurrences_of
from interlock.commands.ticket.papers import Papers
from interlock.commands.ticket.talk import batch_told
from interlock.commands.ticket.words import (
    documents_of,
    gate_told,
    go_on,
    ticket_named,
)
from interlock.service.order import Reply
from interlock.service.projects import read_project
from interlock.service.read import Read, read_unit
from interlock.service.resume import sound_units
from interlock.service.some import Some
from interlock.store.port import Listed, Which
from interlock.store.rows import PartRow, UnitRow
from interlock.wire.ticket import ListTickets, TicketRef
from interlock.workflows.ticket.assignment import COMPLETED, TIMED_OUT, WITHDRAWN
from interlock.workflows.ticket.phases import (
    ANSWERS,
    BLOCKED,
    BY_NAME,
    GROUPS,
    REFINES,
    VOTES,
    Phase,
)

TOLD: Final = ("warnings", "note", "site", "tree", "pull_request", "budget", "spent")
"""What of a ticket is told as it is, where there is any of it."""

OUTCOMES: Final = {
    "submitted": COMPLETED,
    "expired": TIMED_OUT,
    "cancelled": WITHDRAWN,
    "offered": "waiting",
    "claimed": "working",
}
"""What is said of a member by where its assignment stands; a failed one says why."""


async def ticket_status(call: Call, asked: TicketRef) -> Reply:
    """Say how a ticket stands."""
    read = await read_unit(call.engine, call.tenant, ticket_named(asked.ticket_id))
    return _seen(call, read, await standing(call, read))


def _seen(call: Call, read: Read, data: Reply) -> Reply:
    unit = read.whole.row
    legal = moves(read.running, unit, call.caller.kind)
    return envelope(unit.unit.status, go_on(unit), legal, data)


async def standing(call: Call, read: Read) -> Reply:
    """Tell how a ticket stands."""
    unit = read.whole.row
    fields = unit.unit.fields
    data: Reply = {"ticket_id": unit.id, "title": fields["name"], "version": unit.version}
    data |= {"project_id": fields["project"], "policy": fields["policy"], "phase": phase_told(unit)}
    data["documents"] = documents_of(unit)
    data |= {name: fields[name] for name in TOLD if fields[name]}
    work = [_assignment(read, row) for row in _of_kind(read, "assignment")]
    if work:
        data["work"] = work
    if unit.id in read.whole.due:
        data["work_until"] = read.whole.due[unit.id]
    data |= council_told(unit)
    beads = [_bead(read, row) for row in _of_kind(read, "bead")]
    if beads:
        data |= {"beads": beads, "tries_max": fields["tries_max"]}
    if unit.unit.status == BLOCKED:
        data["error"] = {
            **cast("Reply", fields["error"] or {}),
            "occurrence": fields["occurrence"], "previous_status": fields["previous"],
        }  # fmt: skip
    if fields["occurrence"]:
        data["occurrences"] = await occurrences_of(call, unit.id)
    if unit.unit.status == ANSWERS and fields["batch"]:
        data["batch"] = await _batch(call, read)
    gates = await call.engine.store.gates.of_unit(call.tenant, unit.id)
    waiting = [gate_told(call, one.id, one.digest) for one in gates if one.is_open]
    return data | {"gates": waiting} if waiting else data


async def _batch(call: Call, read: Read) -> Reply:
    """Tell the questions that wait, with what can be chosen."""
    unit = read.whole.row
    some = Some(read.running, unit, None, {}, {}, read.whole.incarnation)
    session = await Papers(call, some).session()
    return batch_told(session)


def phase_told(unit: UnitRow) -> Reply:
    """Tell the phase a ticket is in, with all that its row of the inventory says.

    Of a row that somebody has damaged it is told as far as it can be.
    """
    phase = BY_NAME.get(unit.unit.status) or _unknown(unit.unit.status)
    label = phase.label
    beads = unit.tally.get("bead", {})
    if phase.progress == "beads":
        label = label.replace("?/?", f"{beads.get('done', 0)}/{sum(beads.values())}")
    if phase.name == BLOCKED:
        error = cast("Mapping[str, object]", unit.unit.fields.get("error") or {})
        label = label.replace("reason", str(error.get("code", "")))
    return {
        "name": phase.name, "label": label, "group": GROUPS.get(phase.group, ""), "view": phase.view,
        "editable": phase.is_editable, "actor": phase.actor, "column": phase.column,
    }  # fmt: skip


def _unknown(status: str) -> Phase:
    return Phase(status, status, "", "error", "", False, False, "", "user")  # noqa: FBT003 (a row)


def _of_kind(read: Read, kind: str) -> list[PartRow]:
    return [row for row in read.whole.parts if row.part.kind == kind]


def _assignment(read: Read, row: PartRow) -> Reply:
    fields = row.part.fields
    outcome = _members(read).get(str(fields["member"])) or outcome_of(row)
    told: Reply = {"part_id": row.id, "status": row.part.status, "outcome": outcome}
    told |= {name: fields[name] for name in ("role", "task", "member") if fields[name]}
    names = ("rejected", "failure", "holder", "tries", "site")
    told |= {name: fields[name] for name in names if fields[name]}
    if row.id in read.whole.due and fields["holder"] is not None:
        told["until"] = read.whole.due[row.id]
    return told


def _members(read: Read) -> Mapping[str, str]:
    """Return what had become of each member's work when the ticket was blocked in a round.

    Blocking it has withdrawn what was out of time.
    """
    error = cast("Mapping[str, object]", read.whole.row.unit.fields["error"] or {})
    return cast("Mapping[str, str]", error.get("members", {}))


def outcome_of(row: PartRow) -> str:
    """Say in a word what came of an assignment."""
    failure = cast("Mapping[str, object]", row.part.fields["failure"] or {})
    return OUTCOMES.get(row.part.status) or str(failure.get("class", "failed"))


def council_told(unit: UnitRow) -> Reply:
    """Tell the council: who has drafted; and once it has voted the points and who has won.

    While they vote nobody is told the points so far.
    """
    fields = unit.unit.fields
    roster = cast("Sequence[str]", fields["roster"])
    drafts = cast("Sequence[str]", fields["drafts"])
    if not roster:
        return {}
    drafted = [name for name, digest in zip(roster, drafts, strict=False) if digest]
    told: Reply = {"members": list(roster), "quorum": fields["quorum"], "drafted": drafted}
    # A vote that was stopped goes on: nobody is told the points of that either.
    status = fields["previous"] if unit.unit.status == BLOCKED else unit.unit.status
    if status not in VOTES and fields["totals"]:
        totals = cast("Sequence[int]", fields["totals"])
        told["totals"] = dict(zip(roster, totals, strict=False))
        told["winner"] = roster[cast("int", fields["winner"])]
    elif status in REFINES:
        told["winner"] = roster[cast("int", fields["winner"])]
    return {"council": told}


def _bead(read: Read, row: PartRow) -> Reply:
    fields = row.part.fields
    told: Reply = {"bead_id": row.id, "title": fields["title"], "status": row.part.status}
    place = read.snapshot.ids.index(row.id)
    needs = read.snapshot.parts[place].needs
    told |= {"needs": list(needs)} if needs else {}
    names = ("key", "tries", "holder", "commit", "report", "site")
    told |= {name: fields[name] for name in names if fields[name]}
    if fields["notes"]:
        told["notes"] = list(cast("Sequence[object]", fields["notes"]))
    if row.id in read.whole.due and fields["holder"] is not None:
        told["until"] = read.whole.due[row.id]
    return told


async def list_tickets(call: Call, asked: ListTickets) -> Reply:
    """List tickets, the last changed first."""
    which = Which(not asked.include_ended, asked.status or "", asked.tag or "")
    place = place_of(asked.cursor)
    if asked.project_id is not None:
        await read_project(call.engine, call.tenant, asked.project_id)
    rows = await sound_units(call.engine, call.tenant, "ticket", place, asked.limit, which)
    found = list(_lines(rows, asked.project_id))
    return page("tickets", found, rows, asked.limit)


def _lines(rows: Sequence[Listed], project: str | None) -> Iterator[Reply]:
    for one in rows:
        fields = one.row.unit.fields
        if project is not None and fields.get("project") != project:
            continue
        yield {
            "ticket_id": one.row.id, "title": fields.get("name", ""),
            "project_id": fields.get("project", ""), "phase": phase_told(one.row),
            "changed_at": one.row.changed_at, "tags": one.tags, **amiss(one),
        }  # fmt: skip
