"""What has happened to a plan, last things first, in the words of its users."""

import json

from interlock.commands.row import Call
from interlock.service.order import Reply
from interlock.store.rows import UnitRow
from interlock.workflows.plan.history import action_of, command_of, event_types, reason_of


async def last_events(call: Call, unit: UnitRow, count: int) -> list[Reply]:
    """Return the last entries of a plan's audit, the newest first."""
    after = max(unit.version - count, 0)
    rows = await call.engine.store.audit(call.tenant, unit.id, after, count)
    return [told(row.link.body) for row in reversed(rows)]


def told(text: str) -> Reply:
    """Tell one entry of the audit: what kind of event it is, who did it, to what, and why."""
    body: Reply = json.loads(text)
    event: Reply = {"sequence": body["sequence"], "at": body["at"]}
    event |= {"types": list(event_types(body)), "actor": body["actor"], "event": body["event"]}
    names = {"ids": "step_ids", "source": "from", "target": "to"}
    event.update({word: body[name] for name, word in names.items() if body.get(name)})
    found = {"command": command_of(body), "action": action_of(body), "reason": reason_of(body)}
    event.update({name: word for name, word in found.items() if word})
    kept = ("rationale", "decision", "feedback", "summary", "branches", "note")
    return event | {name: body[name] for name in kept if name in body}
