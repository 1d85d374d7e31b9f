"""How the answers about plans are worded, and what every command about one asks of a name."""

from collections.abc import Sequence
from typing import Final

from interlock.commands.names import is_plan, is_step
from interlock.commands.row import Call, moves, where_of
from interlock.kernel.offered import offered
from interlock.kernel.refusal import Legal
from interlock.kernel.seen import Unit
from interlock.service.engine import Running
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Asked, Order, Reply, Result, Worded
from interlock.service.read import Read, read_unit
from interlock.store.rows import PartRow, UnitRow, unit_of
from interlock.workflows.plan.workflow import ENDED

TOOLSET: Final = "research"
MS: Final = 1000

NEXT: Final = "Call get_next_step with plan_id to go on."
WORK: Final = "Do what the instructions say, then call submit_step_result with the lease."
REVIEW: Final = "This step is a checkpoint: call request_user_review before you go on."
ASKED: Final = "Wait until the person has decided, then call get_next_step."
OVER: Final = "The plan has ended; get_research_context has everything it came to."


class InvalidStepReference(InvalidInput):
    """A step is named that is not there, or not where it would have to be."""

    code = "INVALID_STEP_REFERENCE"


def envelope(
    status: str,
    action: str,
    legal: list[str],
    data: Reply,
    warnings: Sequence[str] = (),
) -> Reply:
    """Return an answer in the one form that all of them have."""
    reply: Reply = {"status": status, "next_action": action, "legal_moves": legal}
    return reply | {"data": data, "warnings": list(warnings)}


def legal_of(
    running: Running, unit: UnitRow, caller: str, step: PartRow | None = None
) -> list[str]:
    """Name what a caller may do now: with the step in hand, then with the plan.

    A step may be asked for while there may be one.
    """
    claims: tuple[Legal, ...] = ()
    if running.queues["step"].takes(unit.unit, unit.tally):
        found = offered(running.flow, where_of(unit, caller), "step", "pending")
        claims = tuple(row for row in found if row.event == "claim")
    return moves(running, unit, caller, step, *claims)


def answered(
    result: Result, status: str, action: str, data: Reply, warnings: Sequence[str] = ()
) -> Reply:
    """Word the answer to a command that has changed a plan."""
    unit, last = result.unit, result.done[-1].part if result.done else None
    legal = legal_of(result.running, unit, result.caller, last)
    told = {**data, "plan_id": unit.id, "plan_status": unit.unit.status}
    return envelope(status, action, legal, told, warnings)


def seen(
    call: Call, read: Read, status: str, action: str, data: Reply, warnings: Sequence[str] = ()
) -> Reply:
    """Word an answer that only looks."""
    legal = legal_of(read.running, read.whole.row, call.caller.kind)
    return envelope(status, action, legal, data, warnings)


def go_on(status: str) -> str:
    """Say what comes next, as far as the plan alone can tell."""
    return OVER if status in ENDED else ASKED if status == "awaiting_review" else NEXT


def step_told(result: Result, row: PartRow) -> Reply:
    """Tell a step to whoever works on it."""
    fields = row.part.fields
    told: Reply = {"step_id": row.id, "status": row.part.status, "attempt": fields["attempt"]}
    told["order"] = result.places.get(row.id, row.number)
    told |= {name: fields[name] for name in ("title", "step_type", "instructions")}
    told |= {name: fields[name] for name in ("acceptance", "notes") if fields[name]}
    lease = result.lease(row)
    return told if lease is None else told | {"lease": lease}


def changed(result: Result) -> Reply:
    """Word the answer to a command about one step."""
    part = result.done[0].part
    data: Reply = {} if part is None else {"step": step_told(result, part)}
    return answered(result, result.unit.unit.status, go_on(result.unit.unit.status), data)


def about_step(call: Call, step: str, asked: Asked, word: Worded = changed) -> Order:
    """Return an order about one step."""
    is_step(step)
    return about(call, unit_of(step), (asked,), word)


def about(call: Call, plan: str, asked: tuple[Asked, ...], word: Worded) -> Order:
    """Return an order whose answer tells steps, each with its place in the plan."""
    actor = call.caller.actor()
    return Order(
        call.tenant, actor, plan, asked, word, call.key, call.version, tells_places=_is_shuffled
    )


def _is_shuffled(plan: Unit) -> bool:
    """Say whether a step's number may differ from its place: only then is it worth counting."""
    return bool(plan.fields["is_shuffled"])


async def read_plan(call: Call, name: str) -> Read:
    """Read a plan with all its steps."""
    is_plan(name)
    return await read_unit(call.engine, call.tenant, name)


async def read_step(call: Call, name: str) -> tuple[Read, PartRow]:
    """Read a step, and the plan that it belongs to."""
    is_step(name)
    read = await read_unit(call.engine, call.tenant, name)
    return read, find_step(read, name)


def find_step(read: Read, name: str) -> PartRow:
    """Return a step of a plan that was read."""
    for row in read.whole.parts:
        if row.id == name:
            return row
    raise NotFound(name)
