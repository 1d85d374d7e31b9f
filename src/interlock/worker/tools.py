"""Tool steps: what was claimed becomes a call of a tool in a child, its outcome is handed in.

Whether a failure is tried again is said by the server, which counts the attempts; how long we
wait before is decided here.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from interlock.clock import Clock
from interlock.toolbox.around import Around
from interlock.toolbox.child import DEADLINE_S, Outcome, run_in_child
from interlock.toolbox.tool import SYSTEM, VALIDATION
from interlock.worker.work import HandIn, Work, standing

RUNS: Final = "EXECUTING"
"""Where a tool step stands that is to be tried again by whoever has it."""

RESULT_BYTES_MAX: Final = 1_000_000
"""How large a result may be where the server does not say."""

SMALLER: Final = (
    "Have the tool return less: narrow its arguments, or split the step and keep only what is"
    " needed. Whoever runs the server can raise body_bytes_max."
)
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
    # How many bytes of a result the server takes.
    result_bytes_max: int
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
            outcome = fitting(await self._outcome(called), called.result_bytes_max)
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
        int(call.get("result_bytes_max") or RESULT_BYTES_MAX),
        _wrong(error) if isinstance(error, Mapping) else None,
    )


def _wrong(error: Mapping[str, object]) -> Outcome:
    failure, message = (str(error.get(name, "")) for name in ("failure", "message"))
    return Outcome(failure=failure or VALIDATION, message=message)


def fitting(outcome: Outcome, bytes_max: int) -> Outcome:
    """Return an outcome that the server takes: a result that is too large is a failure.

    Handed in, it would be refused however often it is sent.
    """
    if outcome.failure:
        return outcome
    size = len(json.dumps(outcome.result, ensure_ascii=False).encode(errors="surrogatepass"))
    if size <= bytes_max:
        return outcome
    message = f"The result of the tool has {size:,} bytes, and {bytes_max:,} can be handed in."
    return Outcome(failure=VALIDATION, message=message, detail=SMALLER, took_ms=outcome.took_ms)


def submitted(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as it is handed in: named outputs, or the class of the failure and why."""
    if not outcome.failure:
        outputs = outcome.result if isinstance(outcome.result, Mapping) else {}
        return {"outputs": dict(outputs)}
    error = {"message": outcome.message[:MESSAGE_MAX] or outcome.failure}
    if outcome.detail:
        error["detail"] = outcome.detail[:DETAIL_MAX]
    return {"failure": outcome.failure, "error": error, "resource_down": outcome.resource_down}
