"""Giving up work of a mission in the words that all workflows share.

It becomes the failure that the command of the kind reports. Who names no class says that nobody
foresaw it, and such a failure a person cannot repair.
"""

from typing import Final

from interlock.commands.mission.resolve import fail_resolution
from interlock.commands.mission.run import UNHANDLED, submit_tool_result
from interlock.commands.mission.words import part_named
from interlock.commands.row import Call
from interlock.service.errors import InvalidInput
from interlock.service.run import Answer
from interlock.service.some import read_some
from interlock.wire.mission import FailResolution, StepError, SubmitToolResult
from interlock.wire.work import GiveUpWork

FIX: Final = "Give up a hop or a tool step; set_asset supplies what an asset lacks."


async def give_up(call: Call, asked: GiveUpWork) -> Answer:
    """Say that a hop cannot be resolved, or that the tool of a step has failed."""
    name, failure = part_named(asked.part_id), asked.failure or UNHANDLED
    some = await read_some(call.engine, call.tenant, name)
    kind = "" if some.part is None else some.part.part.kind
    if kind == "tool_step":
        error = StepError(message=asked.reason)
        return await submit_tool_result(
            call,
            SubmitToolResult(part_id=name, failure=failure, error=error, lease=asked.lease),
        )
    if kind == "hop":
        return await fail_resolution(
            call,
            FailResolution(hop_id=name, failure=failure, message=asked.reason, lease=asked.lease),
        )
    raise InvalidInput(f"Nobody works on {name}, so it is not given up.", fix=FIX)
