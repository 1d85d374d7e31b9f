"""What a person says about the way a ticket is built: another setup plan, a larger budget."""

from typing import cast

from interlock.commands.deciding import may_decide, on_one_version
from interlock.commands.row import Call
from interlock.commands.ticket.papers import papers_of
from interlock.commands.ticket.words import about, filed, showing, ticket_named
from interlock.service.errors import InvalidInput
from interlock.service.order import Asked, Filled, Order, Reply, require_version
from interlock.service.run import Answer
from interlock.ticketing import canonical
from interlock.ticketing.checked import Json, texts
from interlock.ticketing.execution.budget import LIMITS
from interlock.wire.ticket import RaiseBudget, RegenerateSetupPlan

NOTES = "execution_setup_plan_notes"


async def regenerate_setup_plan(call: Call, asked: RegenerateSetupPlan, gate: str = "") -> Answer:
    """Have the setup plan drafted again, with a word about what was wrong with it."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    told: Reply = {} if asked.comment is None else {"reason": asked.comment}

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        sent = Asked("regenerate_setup_plan", args=told, gate=gate, told=told)
        if asked.comment is not None:
            before = await papers.text(NOTES)
            known = texts(canonical.read(before), "notes") if before else []
            text = canonical.write({"notes": [*known, asked.comment]})
            sent = sent._replace(also=(filed(papers.unit, {NOTES: text}),))
        return about(call, name, (sent,), showing(call), papers.unit.version)

    return await on_one_version(call, name, order_of)


async def raise_budget(call: Call, asked: RaiseBudget) -> Answer:
    """Raise limits of a ticket; what is not named stays."""
    may_decide(call)
    name = ticket_named(asked.ticket_id)
    given = asked.model_dump(include=set(LIMITS), exclude_none=True)

    async def order_of() -> Order:
        papers = await papers_of(call, name)
        require_version(papers.unit, call.version)
        before = cast("Json", papers.fields["budget"] or {})
        _check_raised(before, given)
        told: Reply = {"budget": {**before, **given}}
        sent = Asked("raise_budget", told=told, also=(Filled(papers.unit.id, told),))
        return about(call, name, (sent,), showing(call, told), papers.unit.version)

    return await on_one_version(call, name, order_of)


def _check_raised(before: Json, given: Json) -> None:
    """Raise where nothing is said, or a limit would be lower than it is."""
    if not given:
        message = "raise_budget changes nothing."
        raise InvalidInput(message, fix=f"Send one of {', '.join(LIMITS)}.")
    for name, limit in given.items():
        now = before.get(name)
        if isinstance(now, int | float) and isinstance(limit, int | float) and limit < now:
            message = f"The limit of {name} is {now:,}; {limit:,} is less."
            raise InvalidInput(message, fix="Name a higher limit, or leave it out.")
