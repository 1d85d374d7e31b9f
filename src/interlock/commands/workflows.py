"""Workflows as they are served here: their machines as data, and drawn."""

from typing import Final

from interlock.commands.row import AnyCommand, Call, Command
from interlock.kernel.draw.mermaid import mermaid
from interlock.kernel.export import export
from interlock.service.engine import Running
from interlock.service.errors import NotFound
from interlock.service.order import Reply
from interlock.wire.records import WorkflowRef
from interlock.wire.work import Nothing

TOOLSET: Final = "work"


async def list_workflows(call: Call, _: Nothing) -> Reply:
    """List the workflows that units run on here."""
    return _read({"workflows": [_told(one) for one in call.engine.flows.values()]})


async def get_workflow(call: Call, asked: WorkflowRef) -> Reply:
    """Read one workflow whole."""
    running = call.engine.flows.get(asked.name)
    if running is None:
        raise NotFound(asked.name)
    data = _told(running)
    return _read(data | {"machine": export(running.flow), "mermaid": mermaid(running.flow)})


def _told(running: Running) -> Reply:
    flow = running.flow
    return {
        "name": flow.name, "doc": flow.doc, "digest": running.digest, "kind": flow.unit.name,
        "parts": [part.name for part in flow.parts],
        "statuses": [status.name for status in flow.unit.statuses],
    }  # fmt: skip


def _read(data: Reply) -> Reply:
    return {"status": "ok", "next_action": "", "legal_moves": [], "data": data, "warnings": []}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_workflows", Nothing, list_workflows, "read", TOOLSET,
            http="GET /workflows",
            doc="Which workflows there are, and what each is made of."),
    Command("get_workflow", WorkflowRef, get_workflow, "read", TOOLSET,
            http="GET /workflows/{name}",
            doc="A workflow whole: its machines, rules and ties as data, and drawn in Mermaid."),
)
# fmt: on
