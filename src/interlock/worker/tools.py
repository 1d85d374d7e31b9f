"""Tool steps: what was claimed becomes a call of a tool in a child, its outcome is handed in.

Whether a failure is tried again is said by the server, which counts the attempts; how long we
wait before is decided here.
"""

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.toolbox.around import Around
from interlock.toolbox.child import DEADLINE_S, Outcome, run_in_child
from interlock.toolbox.tool import SYSTEM, VALIDATION
from interlock.worker.work import HandIn, Work, standing

RUNS: Final = "EXECUTING"
"""Where a tool step stands that is to be tried again by whoever has it."""

MESSAGE_MAX: Final = 2_000
DETAIL_MAX: Final = 8_000


class Retries(NamedTuple):
    """How long we wait before the next attempt: doubled each time, and drawn from 0 to that."""

    first_s: float = 1.0
    most_s: float = 60.0


class CallOf(NamedTuple):
    """What is to be called."""

    tool: str
    arguments: Mapping[str, object]
    deadline_s: float
    attempt: int
    # What is wrong with it already, as the server says; then there is nothing to run.
    wrong: Outcome | None = None


class Tools:
    """Runs tool steps."""

    def __init__(self, around: Around, clock: Clock, retries: Retries) -> None:
        """Take what tools find around them."""
        self._around = around
        self._clock = clock
        self._retries = retries

    async def run(self, work: Work, hand_in: HandIn) -> str:
        """Run a tool until it has succeeded or the server has had enough of it."""
        called = call_of(work.told)
        attempt = called.attempt
        while True:
            outcome = await self._outcome(called)
            answer = await hand_in("submit_tool_result", submitted(outcome))
            how = f"{called.tool} {outcome.failure or 'done'} in {outcome.took_ms} ms"
            if not outcome.failure or standing(answer, work.kind) != RUNS:
                return f"{how}, attempt {attempt}" if attempt > 1 else how
            await asyncio.sleep(self.pause_s(attempt))
            attempt += 1

    async def _outcome(self, called: CallOf) -> Outcome:
        if called.wrong is not None:
            return called.wrong
        try:
            return await run_in_child(
                called.tool, called.arguments, around=self._around, deadline_s=called.deadline_s
            )
        except OSError as exc:
            # Not the tool's fault, and not to be tried again by us: no process can be started.
            return Outcome(failure=SYSTEM, message=f"The tool cannot be started: {exc}")

    def pause_s(self, attempt: int) -> float:
        """Return how long to wait after an attempt, counted from 1."""
        limit_s = self._retries.first_s * 2 ** min(attempt - 1, 20)
        return self._clock.jitter(min(limit_s, self._retries.most_s))


def call_of(told: Mapping[str, object]) -> CallOf:
    """Read what is to be called from a tool step as it was handed out."""
    call = told.get("call")
    if not isinstance(call, Mapping):
        raise TypeError("the server does not say what is to be called")
    arguments, error = call.get("arguments"), call.get("error")
    return CallOf(
        str(call.get("tool", "")),
        arguments if isinstance(arguments, Mapping) else {},
        float(call.get("deadline_s") or DEADLINE_S),
        max(1, int(call.get("attempt") or 1)),
        _wrong(error) if isinstance(error, Mapping) else None,
    )


def _wrong(error: Mapping[str, object]) -> Outcome:
    failure, message = (str(error.get(name, "")) for name in ("failure", "message"))
    return Outcome(failure=failure or VALIDATION, message=message)


def submitted(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as it is handed in: named outputs, or the class of the failure and why."""
    if not outcome.failure:
        outputs = outcome.result if isinstance(outcome.result, Mapping) else {}
        return {"outputs": dict(outputs)}
    error = {"message": outcome.message[:MESSAGE_MAX] or outcome.failure}
    if outcome.detail:
        error["detail"] = outcome.detail[:DETAIL_MAX]
    return {"failure": outcome.failure, "error": error, "resource_down": outcome.resource_down}
