"""What a session needs to go on with a plan it has never seen, and what a step builds upon."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Final

from interlock.commands.library import described, hit_told
from interlock.commands.plan.history import last_events
from interlock.commands.plan.status import lines, open_gate, standing_of, visit
from interlock.commands.plan.words import (
    REVIEW,
    WORK,
    go_on,
    read_step,
    seen,
)
from interlock.commands.row import Call
from interlock.service.order import Reply
from interlock.service.read import Read
from interlock.service.search import search
from interlock.store.library import Wanted
from interlock.store.rows import PartRow, unit_of
from interlock.wire.plan import PlanRef, StepContext

EVENTS: Final = 20
RELATED_MAX: Final = 5
QUERY_MAX: Final = 400
CHARACTERS_A_TOKEN: Final = 4
RESULTS_BUDGET: Final = 60_000
"""How many characters of results a plan's context holds; the rest is named by its digest."""


async def research_context(call: Call, asked: PlanRef) -> Reply:
    """Tell everything that a new session needs to go on."""
    read = await visit(call, asked.plan_id)
    fields = read.snapshot.unit.fields
    data = await standing_of(call, read)
    for name in ("current_steps", "completed_steps", "failed_steps", "pending_steps"):
        data.pop(name)
    budget = _Budget(RESULTS_BUDGET)
    data |= {
        "research_question": fields["research_question"],
        "plan_design_rationale": fields["design_rationale"],
        "plan_formatting_notes": fields["formatting_notes"],
        "steps": [line async for line in _steps(call, read, budget)],
        "conditions": list(_conditions(read)),
        "artifacts": await _artifacts(call, read.whole.row.id),
        "documents": await _documents(call, read.whole.row.id),
        "last_events": await last_events(call, read.whole.row, EVENTS),
    }
    warnings = ["Some results are named by their digest only."] if budget.is_spent else []
    status = read.snapshot.unit.status
    return seen(call, read, status, go_on(status), data, warnings)


class _Budget:
    """How much may still be said."""

    def __init__(self, characters: int) -> None:
        self.left = characters
        self.is_spent = False

    def takes(self, text: str) -> bool:
        """Say whether a text still fits, and count it if it does."""
        if len(text) > self.left:
            self.is_spent = True
            return False
        self.left -= len(text)
        return True


async def _steps(call: Call, read: Read, budget: _Budget) -> AsyncIterator[Reply]:
    for line, row in zip(lines(read.whole.parts, read.whole.due), read.whole.parts, strict=True):
        fields = row.part.fields
        line["instructions"] = fields["instructions"]
        if fields["notes"]:
            line["notes"] = fields["notes"]
        yield {**line, **await _result(call, row, budget)}


async def _result(call: Call, row: PartRow, budget: _Budget) -> Reply:
    """Return the result of a step, if it has one and it still fits; else where it is."""
    digest = str(row.part.fields["result"])
    if not digest or row.part.status != "completed":
        return {}
    content = await call.engine.store.content(call.tenant, digest)
    text = "" if content is None else content.decode()
    if not budget.takes(text):
        return {"result_digest": digest}
    known = json.loads(text) if text else {}
    return {"result": known.get("result", {}), "result_digest": digest}


def _conditions(read: Read) -> Iterator[Reply]:
    orders = {row.id: order for order, row in enumerate(read.whole.parts, 1)}
    for part, row in read.whole.conditions:
        told: Reply = {"after_step_order": orders[part], "expression": row.expression}
        told |= {"action": row.action, "params": row.params}
        if row.target is not None:
            told["target_step_order"] = orders.get(row.target)
        yield told


async def _artifacts(call: Call, plan: str) -> list[Reply]:
    rows = await call.engine.store.artifacts(call.tenant, plan)
    return [
        {
            "step_id": f"{plan}.{row.part}" if row.part else None, "name": row.name,
            "version": row.version, "digest": row.digest, "size": row.size,
            "media_type": row.media_type, "mark": row.mark,
        }
        for row in rows
    ]  # fmt: skip


async def _documents(call: Call, plan: str) -> list[Reply]:
    rows = await call.engine.store.library.documents(call.tenant, plan)
    return [described(row) for row in rows]


async def _related(call: Call, step: PartRow, budget: _Budget) -> list[Reply]:
    """Find what was stored for the plan that speaks of what the step is about."""
    fields = step.part.fields
    query = f"{fields['title']} {fields['instructions']}"[:QUERY_MAX]
    wanted = Wanted(unit_of(step.id))
    found = await search(call.engine, call.tenant, query, wanted, RELATED_MAX)
    return [hit_told(hit) for hit in found.hits if budget.takes(hit.snippet)]


async def step_context(call: Call, asked: StepContext) -> Reply:
    """Tell what a step builds upon: first what it depends on, then what came before it."""
    read, step = await read_step(call, asked.step_id)
    budget = _Budget(asked.token_budget * CHARACTERS_A_TOKEN)
    needs = {str(need) for need in step.part.needs}
    earlier = [row for row in read.whole.parts if row.ord < step.ord]
    told = {str(line["step_id"]): line for line in lines(read.whole.parts, read.whole.due)}
    budget.takes(str(step.part.fields["instructions"]))
    first = [row for row in earlier if row.id in needs]
    rest = [row for row in reversed(earlier) if row.id not in needs and _has_result(row)]
    data: Reply = {
        "plan_id": read.whole.row.id,
        "research_question": read.snapshot.unit.fields["research_question"],
        "step": {**told[step.id], "instructions": step.part.fields["instructions"],
                 "acceptance": step.part.fields["acceptance"], "notes": step.part.fields["notes"]},
        "depends_on": [{**told[row.id], **await _result(call, row, budget)} for row in first],
        "earlier": [{**told[row.id], **await _result(call, row, budget)} for row in rest],
    }  # fmt: skip
    data["related"] = await _related(call, step, budget)
    gate = await open_gate(call, read)
    if gate is not None and gate["step_id"] == step.id:
        data["gate"] = gate
    warnings = ["The budget is spent: some results are named only."] if budget.is_spent else []
    action = REVIEW if step.part.fields["step_type"] == "checkpoint" else WORK
    return seen(call, read, step.part.status, action, data, warnings)


def _has_result(row: PartRow) -> bool:
    return row.part.status == "completed"
