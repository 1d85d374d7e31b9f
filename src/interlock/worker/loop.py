"""The loop of a worker: pull, show signs of life, run, hand in; and stop in good order.

What a kind of work means is not known here: a table says who runs it. Whoever runs something is
cancelled when the work was lost (cancelled, or taken over) or when the grace is over, and has to
end what it started.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from itertools import cycle
from typing import Final

from interlock.client.caller import Caller
from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.telemetry.logs import TOLD
from interlock.wire.envelope import Envelope
from interlock.worker.patience import Patience
from interlock.worker.work import Pace, Runner, Wanted, Work, work_of

RELEASE_S: Final = 3.0
"""How long we try to give work back; after that its lease has to run out."""

AT_ONCE_MS: Final = 200
"""Whoever answers so soon that there is nothing has not waited for anything."""

WAIT_MIN_S: Final = 2 * AT_ONCE_MS / 1000

log: Final = logging.getLogger("interlock.worker")

Runners = Mapping[Wanted, Runner]


class Lost(Exception):
    """The work is ours no more: it was cancelled or taken over, or its lease ran out."""


class Loop:
    """Works until it is told to stop; what it does is told in the log, a line for each work."""

    def __init__(self, caller: Caller, runners: Runners, pace: Pace, clock: Clock) -> None:
        """Call through ``caller``, which is to send each call once."""
        self._runners = runners
        self._pace = pace
        self._clock = clock
        self._server = Patience(caller, pace, clock)
        self._is_leaving = asyncio.Event()
        self._is_over = asyncio.Event()
        self._slots: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        """Work until we were told to stop; raises where the server does not let us work."""
        self._slots = [asyncio.create_task(self._slot()) for _ in range(self._pace.slots)]
        try:
            await asyncio.gather(*self._slots)
        finally:
            for slot in self._slots:
                slot.cancel()
            await asyncio.gather(*self._slots, return_exceptions=True)

    def drain(self) -> None:
        """Take nothing new; what runs has its grace to end, then it is given back."""
        if not self._is_leaving.is_set():
            self._is_leaving.set()
            asyncio.get_running_loop().call_later(self._pace.grace_s, self._is_over.set)

    def stop(self) -> None:
        """End at once; what runs is ended, and offered again when its lease has run out."""
        for slot in self._slots:
            slot.cancel()

    async def _slot(self) -> None:
        in_turn = cycle(self._runners)
        fruitless = 0
        while not self._is_leaving.is_set():
            asked_at = self._clock.now()
            wanted = next(in_turn)
            work = await self._pull(wanted)
            if work is not None:
                fruitless = 0
                await self._do(work, self._runners[wanted])
            elif self._clock.now() - asked_at < max(AT_ONCE_MS, self._wait_s * 500):
                # The server did not wait for us, so we wait for it.
                await self._server.pause(fruitless, self._is_leaving)
                fruitless += 1

    @property
    def _wait_s(self) -> float:
        # However much is asked for in turn: a wait that is too short looks like none.
        shortest_s = min(self._pace.wait_s, WAIT_MIN_S)
        return max(shortest_s, self._pace.wait_s / len(self._runners))

    async def _pull(self, wanted: Wanted) -> Work | None:
        """Claim something; a claim whose answer was lost is asked for again, not made twice."""
        asked = {name: word for name, word in wanted._asdict().items() if word}
        told = {**asked, "wait_s": self._wait_s}
        # Never cut off: somebody would hold work and not know it.
        answer = await self._server.call("get_next_work", told, self._is_leaving)
        if answer is None:
            return None
        return work_of(answer, self._pace.heartbeat_s, self._clock)

    async def _do(self, work: Work, runner: Runner) -> None:
        begun = self._clock.now()
        how = None if self._is_leaving.is_set() else await self._run(work, runner)
        if how is None:
            await self._release(work)
            how = "given back"
        facts = {"part": work.part, "took_ms": self._clock.now() - begun}
        log.info("%s %s: %s", work.kind, work.part, how, extra={TOLD: facts})

    async def _run(self, work: Work, runner: Runner) -> str | None:
        """Run it while showing signs of life; return how it went, if it ended in time."""

        async def hand_in(command: str, arguments: Mapping[str, object]) -> Envelope:
            told = {"part_id": work.part, "lease": work.lease, **arguments}
            answer = await self._server.call(command, told)
            assert answer is not None  # noqa: S101 (nothing but an answer ends it)
            return answer

        running = asyncio.ensure_future(runner(work, hand_in))
        beating = asyncio.create_task(self._beat(work))
        over = asyncio.create_task(self._is_over.wait())
        tasks = (running, beating, over)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                return _how(running)
            return None if over.done() else f"lost: {beating.exception()}"
        finally:
            for task in tasks:
                task.cancel()
            # What runs is gone when this has ended, and not before.
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _beat(self, work: Work) -> None:
        """Show signs of life until one is refused, or none has arrived for as long as it lasts.

        A server that is away is no refusal. But once the lease must have run out somebody else may
        have the work, and whatever we still did would be in their way.
        """
        told = {"part_id": work.part, "lease": work.lease}
        loop = asyncio.get_running_loop()
        until_s = loop.time() + work.lasts_s
        while True:
            await asyncio.sleep(min(work.beat_s, max(until_s - loop.time(), 0)))
            if loop.time() >= until_s:
                raise Lost("no sign of life has arrived before the lease ran out")
            sent_s = loop.time()
            try:
                async with asyncio.timeout_at(until_s):
                    await self._server.once("heartbeat_work", told)
            except TimeoutError:
                continue
            except InterlockError as error:
                if not error.retryable:
                    raise Lost(error.code) from error
            else:
                until_s = sent_s + work.lasts_s

    async def _release(self, work: Work) -> None:
        told = {"part_id": work.part, "lease": work.lease, "note": "The worker was told to stop."}
        with suppress(InterlockError, TimeoutError):
            async with asyncio.timeout(RELEASE_S):
                await self._server.call("release_work", told)


def _how(running: asyncio.Future[str]) -> str:
    """Say how what has run went; nothing that goes wrong with one work ends the others."""
    error = running.exception()
    if error is None:
        return running.result()
    if isinstance(error, InterlockError):
        return f"refused: {error.code}"
    # Nothing is handed in: the lease runs out, which counts as an attempt. Given back, it would
    # be handed out again at once, and fail again.
    log.error("what runs the work has failed", exc_info=error)
    return f"failed: {type(error).__name__}"
