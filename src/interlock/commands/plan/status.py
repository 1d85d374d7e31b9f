"""How a plan stands, the review that is open, and the end that a person may put to it."""

import json
from collections.abc import Iterator, Mapping
from typing import Final, cast

from interlock.commands.names import is_plan
from interlock.commands.plan.words import (
    answered,
    go_on,
    read_plan,
    seen,
)
from interlock.commands.plans import progress
from interlock.commands.row import Call
from interlock.kernel.refusal import Refusal
from interlock.service.order import Asked, Order, Reply, Result
from interlock.service.read import Read
from interlock.service.run import Answer, advance
from interlock.service.sweep import sweep
from interlock.store.rows import PartRow
from interlock.wire.plan import FailPlan, PlanRef
from interlock.workflows.plan.transitions import derive_plan_status
from interlock.workflows.plan.workflow import ENDED

LISTED_MAX: Final = 200
"""How many steps of one status a status lists; the counts have them all."""


async def plan_status(call: Call, asked: PlanRef) -> Reply:
    """Say how a plan stands; leases that have run out are noticed on the way."""
    is_plan(asked.plan_id)
    await sweep(call.engine, tenant=call.tenant, unit=asked.plan_id)
    read = await visit(call, asked.plan_id)
    status = read.snapshot.unit.status
    data = await standing_of(call, read)
    warnings = []
    if any(count > LISTED_MAX for count in cast("dict[str, int]", data["counts"]).values()):
        warnings.append(f"At most {LISTED_MAX} steps of each status are listed.")
    return seen(call, read, status, go_on(status), data, warnings)


async def visit(call: Call, plan: str) -> Read:
    """Read a plan; where a session sees it for the first time, the plan remembers that."""
    read = await read_plan(call, plan)
    session = call.caller.session
    known = cast("tuple[str, ...]", read.snapshot.unit.fields["sessions"])
    is_open = read.snapshot.unit.status not in ENDED
    if not session or session in known or not is_open or "work" not in call.caller.scopes:
        return read
    order = Order(call.tenant, call.caller.actor(), plan, (Asked("visit"),), _visited)
    try:
        await advance(call.engine, order)
    except Refusal:
        return read  # it has ended in between
    return await read_plan(call, plan)


def _visited(_: Result) -> Reply:
    return {}


async def standing_of(call: Call, read: Read) -> Reply:
    """Tell everything about how a plan stands."""
    unit = read.whole.row
    fields = unit.unit.fields
    counts = dict(unit.tally.get("step", {}))
    total = sum(counts.values())
    done = counts.get("completed", 0) + counts.get("skipped", 0)
    settled = done + counts.get("failed", 0)
    steps = list(lines(read.whole.parts, read.whole.due))
    silent = [step["step_id"] for step in steps if step.get("is_stalled")]
    data: Reply = {
        "plan_id": unit.id,
        "name": fields["name"],
        "status": unit.unit.status,
        "derived_status": derive_plan_status(counts),
        "stalled": bool(silent),
        "stalled_steps": silent,
        "version": unit.version,
        "total_steps": total,
        "counts": counts,
        "progress": progress(counts),
        "settled": round(100 * settled / total) if total else 0,
        "review_policy": fields["review_policy"],
    }
    if fields["failure"]:
        data["failure"] = fields["failure"]
    for name, statuses in LISTS.items():
        data[name] = [step for step in steps if step["status"] in statuses][:LISTED_MAX]
    gate = await open_gate(call, read)
    return data if gate is None else data | {"gate": gate}


LISTS: Final = {
    "current_steps": ("in_progress", "awaiting_input"),
    "completed_steps": ("completed",),
    "failed_steps": ("failed",),
    "skipped_steps": ("skipped",),
    "pending_steps": ("pending",),
}


def lines(parts: tuple[PartRow, ...], due: Mapping[str, int]) -> Iterator[Reply]:
    """Tell each step in a line; ``due`` says when leases run out."""
    orders = {row.id: order for order, row in enumerate(parts, 1)}
    for order, row in enumerate(parts, 1):
        fields = row.part.fields
        line: Reply = {"step_id": row.id, "order": order, "title": fields["title"]}
        line |= {"step_type": fields["step_type"], "status": row.part.status}
        line["attempt"] = fields["attempt"]
        if row.part.needs:
            line["depends_on"] = sorted(orders[str(need)] for need in row.part.needs)
        if fields["holder"] is not None:
            line["holder"] = fields["holder"]
            if row.id in due:
                line["until"] = due[row.id]
        if fields["lapsed"]:
            line["is_stalled"] = True
        line |= _come_to(row)
        yield line


def _come_to(row: PartRow) -> Reply:
    """Tell what a step has come to."""
    fields = row.part.fields
    told: Reply = {}
    if row.part.status == "completed":
        told["summary"] = fields["summary"]
        if fields["confidence"] is not None:
            told["confidence"] = fields["confidence"]
    elif row.part.status == "failed":
        told["failure"] = fields["failure"] or "The plan has failed."
    return told


async def open_gate(call: Call, read: Read) -> Reply | None:
    """Return what a person is asked now, and where they answer; None where nobody is asked."""
    row = next((row for row in read.whole.parts if row.part.status == "awaiting_input"), None)
    if row is None:
        return None
    digest = str(row.part.fields["shown"])
    content = await call.engine.store.content(call.tenant, digest)
    asked: Reply = json.loads(content) if content else {}
    gates = await call.engine.store.gates.of_unit(call.tenant, read.whole.row.id)
    waiting = [gate.id for gate in gates if gate.is_open and gate.part == row.number]
    # It may have been decided between the two reads; then the step alone is named.
    name = waiting[-1] if waiting else f"{row.id}:"
    return {**gate_told(call, name, row.id, digest), **asked}


def gate_told(call: Call, gate: str, step: str, digest: str) -> Reply:
    """Name a gate, what was shown there, and where it is answered."""
    return {
        "gate_id": gate,
        "step_id": step,
        "content_digest": digest,
        "url": f"{call.engine.site}/gates/{gate}",
        "command_line": f"interlock decide {gate} approve",
    }


async def fail_plan(call: Call, asked: FailPlan) -> Answer:
    """End a plan for good."""
    is_plan(asked.plan_id)
    args = {"reason": asked.reason}
    sent = Asked("fail_plan", args=args, told=args)
    actor = call.caller.actor()
    order = Order(call.tenant, actor, asked.plan_id, (sent,), _failed, call.key, call.version)
    return await advance(call.engine, order)


def _failed(result: Result) -> Reply:
    return answered(result, result.unit.unit.status, go_on(result.unit.unit.status), {})
