"""One call of a tool, from its arguments to its result. It never raises what the caller did wrong.

A refusal is a result that says what to do about it. What nobody foresaw becomes ``INTERNAL`` with
a reference: the caller gets the reference, standard error gets the story.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp_types import CallToolResult
from starlette.requests import ClientDisconnect

from interlock.commands.verbs import LocalVerbs
from interlock.doors.mcp.answer import answered, document, refused
from interlock.doors.mcp.spelling import in_snake_case
from interlock.doors.mcp.tools import Toolset
from interlock.doors.noting import CallLog, unforeseen, write_down
from interlock.doors.waiting import while_there
from interlock.errors import InterlockError
from interlock.outside.marks import Marks
from interlock.service.calls import ToolCall
from interlock.service.engine import Engine, Principal
from interlock.wire.envelope import Envelope, Problem, problem

Context = ServerRequestContext[Any, Any]

PRINCIPAL: Final = "interlock.principal"
"""Where an HTTP request carries who is calling."""

MARK_LENGTH: Final = 16
PROGRESS_EVERY_S: Final = 1.0
CHANNEL: Final = "mcp"

GONE: Final = Problem(
    code="GONE", message="The caller has left.", fix="Nobody reads this.", retryable=True
)
"""What is written down of a call whose caller did not wait for its answer."""

log = logging.getLogger("interlock.mcp")


@dataclass(frozen=True, slots=True)
class Desk:
    """What a call needs: the engine, the tools on offer, and who calls where no request says."""

    engine: Engine
    toolset: Toolset
    durability: Callable[[], str] = lambda: "full"
    caller: Principal | None = None
    calls: CallLog | None = None

    def who(self, context: Context) -> Principal:
        """Return who is calling; a door that lets nobody in without a name has always one."""
        if self.caller is not None:
            return self.caller
        found = context.request.scope[PRINCIPAL] if context.request is not None else None
        if not isinstance(found, Principal):
            raise TypeError("a request came in without a principal")
        return found

    def marks(self) -> Marks:
        """Return marks that nobody has seen before."""
        return Marks(self.engine.clock.secret()[:MARK_LENGTH])

    async def run(
        self, caller: Principal, command: str, arguments: Mapping[str, object]
    ) -> Envelope:
        """Call a command for a caller; raises where it is refused."""
        known = replace(caller, channel=CHANNEL)
        return await LocalVerbs(self.engine, known, self.durability()).call(command, arguments)


async def call(
    desk: Desk, context: Context, tool: str, given: Mapping[str, object]
) -> tuple[CallToolResult, Envelope | None]:
    """Call a tool; return its result, and the envelope where it was not refused."""
    begun = monotonic()
    caller = desk.who(context)
    spelled = in_snake_case(desk.toolset.takes[tool], dict(given))
    arguments = spelled if isinstance(spelled, dict) else {}
    envelope = None
    try:
        async with _progress(context, arguments.get("wait_s")):
            running = desk.run(caller, tool, arguments)
            # Over standard input and output there is no request: who leaves there ends the process.
            request = context.request if arguments.get("wait_s") else None
            envelope = await (while_there(request, running) if request is not None else running)
        result = answered(document(envelope, desk.marks()))
    except ClientDisconnect:
        result = refused(GONE)
    except InterlockError as error:
        result = refused(problem(error), error.details)
    except Exception as bug:  # noqa: BLE001  whatever it is, it is written down, and told as ours
        envelope = None
        result = refused(problem(unforeseen(desk.engine.clock, log, tool, bug)))
    elapsed = (monotonic() - begun) * 1000
    session = arguments.get("session_id")
    caller = replace(caller, session=session) if isinstance(session, str) else caller
    write_down(desk.calls, log, ToolCall(
        tool, arguments, result.structured_content, elapsed, result.is_error, caller, CHANNEL,
    ))  # fmt: skip
    return result, envelope


@asynccontextmanager
async def _progress(context: Context, wait_s: object) -> AsyncIterator[None]:
    """Tell a caller who waits how long they have waited; the SDK asks whether they want it."""
    if not isinstance(wait_s, int | float) or wait_s <= 0:
        yield
        return
    task = asyncio.create_task(_tell(context, float(wait_s)))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _tell(context: Context, wait_s: float) -> None:
    waited = 0.0
    while waited < wait_s:
        await context.session.report_progress(waited, wait_s, "waiting for work")
        await asyncio.sleep(PROGRESS_EVERY_S)
        waited += PROGRESS_EVERY_S
