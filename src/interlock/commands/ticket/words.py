"""How the answers about tickets are worded, and what every command about one has in common."""

from collections.abc import Sequence
from typing import Final

from interlock.commands.names import is_ticket
from interlock.commands.plan.words import envelope
from interlock.commands.row import Call, moves
from interlock.service.order import Asked, Filled, Kept, Order, Reply, Result, Worded
from interlock.store.rows import UnitRow, unit_of
from interlock.workflows.ticket.phases import ANSWERS, APPROVALS, BLOCKED, BY_NAME, ENDED, SETUP

TOOLSET: Final = "ticket"
YAML: Final = "application/yaml"
JSON: Final = "application/json"
DOCUMENTS: Final = "documents"

ASKED: Final = "Wait until a person has answered, or answer_batch where the policy is relay."
PREPARED: Final = "Wait until the winner has prepared the next questions."
DECIDE: Final = "Wait until a person has approved what is shown, or saved an edit of it."
STUCK: Final = "Wait for a person: retry goes on where it stopped, cancel gives the ticket up."
BEGUN: Final = "Call get_next_work (workflow ticket, kind assignment) to take part."
OVER: Final = "The ticket has ended; ticket_context has everything it came to."
TO_START: Final = "Wait until a person has started the ticket."


def go_on(unit: UnitRow) -> str:
    """Say what comes next."""
    status, fields = unit.unit.status, unit.unit.fields
    if status in ENDED:
        return OVER
    if status == BLOCKED:
        return STUCK
    if status == ANSWERS:
        return ASKED if fields["batch"] else PREPARED
    if status in APPROVALS and (status != SETUP or fields["setup_ready"]):
        return DECIDE
    if status == "DRAFT" and not unit.tally.get("assignment"):
        return TO_START
    return BEGUN


def answered(
    result: Result, data: Reply, warnings: Sequence[str] = (), action: str | None = None
) -> Reply:
    """Word the answer to a command that has changed a ticket."""
    unit = result.unit
    part = result.done[0].part if result.done else None
    legal = moves(result.running, unit, result.caller, part)
    status = unit.unit.status
    told = {**data, "ticket_id": unit.id, "ticket_status": status, "label": BY_NAME[status].label}
    next_action = go_on(unit) if action is None else action
    return envelope(status, next_action, legal, told, warnings)


def showing(call: Call, data: Reply | None = None) -> Worded:
    """Return how a command is answered: with the gate that it has opened, if any."""

    def word(result: Result) -> Reply:
        told: Reply = dict(data or {})
        if result.opened:
            told["gate"] = gate_told(call, result.opened[-1].id, result.opened[-1].digest)
        return answered(result, told)

    return word


def gate_told(call: Call, gate: str, digest: str) -> Reply:
    """Name a gate, what is shown there, and where it is answered."""
    told: Reply = {"gate_id": gate, "url": f"{call.engine.site}/gates/{gate}"}
    return told | {"content_digest": digest} if digest else told


def ticket_named(name: str) -> str:
    """Return a name that could be a ticket's."""
    is_ticket(name)
    return name


def about(
    call: Call, name: str, asked: tuple[Asked, ...], word: Worded, version: int | None = None
) -> Order:
    """Return an order about a ticket or a part of one; with a version only on that one."""
    seen = call.version if version is None else version
    return Order(call.tenant, call.caller.actor(), unit_of(name), asked, word, call.key, seen)


def filed(unit: UnitRow, texts: dict[str, str], more: Reply | None = None) -> Filled:
    """Return documents of a ticket as they are from now on: kept, and named by their digests.

    A text that opens a brace is JSON, any other one YAML; both are written in one way only.
    """
    kept = tuple(
        Kept(name, text.encode(), JSON if text.startswith("{") else YAML)
        for name, text in texts.items()
    )
    known = dict(documents_of(unit)) | {one.name: one.digest for one in kept}
    return Filled(unit.id, {DOCUMENTS: known, **(more or {})}, kept)


def documents_of(unit: UnitRow) -> dict[str, str]:
    """Return by name the digest of the latest version of each document."""
    found = unit.unit.fields[DOCUMENTS]
    return (
        {str(name): str(digest) for name, digest in found.items()}
        if isinstance(found, dict)
        else {}
    )
