"""Begin a ticket, change what it says, start it; retry and cancel it.

Starting locks what the project is set to at that moment: a later change of the project does not
reach a ticket that runs. A retry of a ticket that was blocked before it began unlocks it again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from interlock.commands.deciding import may_decide, on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.words import about, answered, showing, ticket_named
from interlock.service.access import require
from interlock.service.create import NewUnit, create
from interlock.service.errors import InvalidInput
from interlock.service.order import Asked, Order, Reply, Result, require_version
from interlock.service.projects import Project, read_project
from interlock.service.resume import require_sound
from interlock.service.run import Answer, advance
from interlock.service.some import read_some
from interlock.wire.ticket import AboutTicket, CreateTicket, EditTicket, Retry
from interlock.workflows.ticket.council import quorum

WORDS = {"title": "name", "description": "description", "project_id": "project", "policy": "policy"}
"""What each word of a command is called in the ticket."""

FORGE = {"kind": "local"}
"""Where requests are opened unless the project says otherwise."""


async def create_ticket(call: Call, asked: CreateTicket) -> Answer:
    """Write down what is to be built."""
    await open_project(call, asked.project_id)
    fields = {ours: getattr(asked, theirs) for theirs, ours in WORDS.items()}
    if asked.seed is not None:
        # Who knows it knows whose draft is whose, so no agent gets to choose it.
        require(call.caller, "decide", "Choosing the seed of votes")
    # What every vote's order of drafts follows from, so that it can be shown again.
    fields["seed"] = asked.seed or call.engine.clock.secret()
    new = NewUnit("ticket", fields, tags=asked.tags)
    return await create(call.engine, call.caller, new, showing(call), call.key)


async def open_project(call: Call, name: str) -> Project:
    """Read a project in which something can be begun."""
    project = await read_project(call.engine, call.tenant, name)
    if project.row.archived_at is not None:
        message = f"The project {project.row.name!r} was archived."
        raise InvalidInput(message, fix="Begin the ticket in another project.")
    return project


async def edit_ticket(call: Call, asked: EditTicket) -> Answer:
    """Change what a ticket says."""
    name = ticket_named(asked.ticket_id)
    given = asked.model_dump(include=set(WORDS), exclude_none=True)
    if not given:
        message = "edit_ticket changes nothing."
        raise InvalidInput(message, fix=f"Send {', '.join(WORDS)}.")
    if asked.project_id is not None:
        await open_project(call, asked.project_id)
    args = {WORDS[word]: value for word, value in given.items()}
    sent = Asked("edit_ticket", args=args)
    return await advance(call.engine, about(call, name, (sent,), showing(call)))


async def start(call: Call, asked: AboutTicket) -> Answer:
    """Lock the configuration, and have the working tree made."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)

    async def order_of() -> Order:
        some = await read_some(call.engine, call.tenant, name)
        require_version(some.unit, call.version)
        project = await open_project(call, str(some.unit.unit.fields["project"]))
        sent = Asked("start", args=locked(project))
        return about(call, name, (sent,), _started, some.unit.version)

    return await on_one_version(call, name, order_of)


def _started(result: Result) -> Reply:
    action = "Wait until a worker has made the working tree; then the council begins."
    return answered(result, {}, action=action)


def locked(project: Project) -> dict[str, object]:
    """Return what a ticket has from its project from now on."""
    members = cast("Sequence[Mapping[str, object]]", project.settings["members"])
    limits = cast("Mapping[str, Any]", project.settings["limits"])
    row = project.row
    config: Reply = {
        "project_version": row.version, "repository": row.repository,
        "base_branch": row.base_branch, "members": list(members), "limits": dict(limits),
        "prompts": project.settings["prompts"], "forge": project.settings.get("forge") or FORGE,
    }  # fmt: skip
    return {
        "members": len(members),
        "roster": tuple(str(one["name"]) for one in members),
        "quorum": limits["quorum"] or quorum(len(members)),
        "structured_retries": limits["structured_retries"],
        "round_s": limits["round_s"],
        "tries_max": limits["tries_max"],
        "parallel": limits["parallel_beads"],
        "config": config,
        "budget": dict(cast("Mapping[str, object]", limits.get("budget") or {})),
    }


async def retry(call: Call, asked: Retry) -> Answer:
    """Go back to the phase that was left."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    await require_sound(call.engine, call.tenant, name)
    told: Reply = {} if asked.note is None else {"note": asked.note}
    # Without a note the one of an earlier retry is gone: it was for that attempt.
    sent = Asked("retry", args={"note": asked.note}, told=told)
    return await advance(call.engine, about(call, name, (sent,), showing(call)))


async def cancel_ticket(call: Call, name: str, reason: str) -> Answer:
    """Give a ticket up; what was made is kept."""
    may_decide(call)
    told: Reply = {"reason": reason}
    sent = Asked("cancel", args=told, told=told)
    return await advance(call.engine, about(call, ticket_named(name), (sent,), showing(call)))


async def decide_plainly(call: Call, name: str, event: str, reason: str, gate: str) -> Answer:
    """Take a decision that says nothing but itself."""
    may_decide(call)
    told: Reply = {"reason": reason} if reason else {}
    sent = Asked(event, args=told, gate=gate, told=told)
    return await advance(call.engine, about(call, ticket_named(name), (sent,), showing(call)))
