"""How the places of a worker are watched, by the worker itself.

Hands write an intent, do something in a tree and report it; models are asked, and their answer is
handed in. Where one of these passes through our code, a worker can be made to stand still.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from interlock.wire.envelope import Envelope
from interlock.worker import assignments, process
from interlock.worker.assignments import Held, Invalid
from interlock.worker.execution import hands
from interlock.worker.execution.job import Job
from interlock.worker.execution.report import Report
from interlock.worker.process import Child
from interlock.worker.work import HandIn
from interlock.worker.workspace.intents import Intent, Intents
from tests.crash.points import ANSWERED, CLAIMED, EFFECTED, INTENDED, REPORTED, RUNNING, Point


def watch(point: Point) -> None:
    """Put the watch of a point up; no point, no watch."""
    if point.name in (CLAIMED, INTENDED):
        _watch_intents(point)
    elif point.name in (EFFECTED, REPORTED):
        _watch_reports(point)
    elif point.name == ANSWERED:
        _watch_answers(point)
    elif point.name == RUNNING:
        _watch_programs(point)


def _watch_intents(point: Point) -> None:
    begin = Intents.begin

    def hold(self: Intents, intent: Intent) -> None:
        if point.name == CLAIMED:
            point.passed()
        begin(self, intent)
        if point.name == INTENDED:
            point.passed()

    Intents.begin = hold  # type: ignore[method-assign]  # watched in this process alone


def _watch_reports(point: Point) -> None:
    submit = hands._submit

    async def hold(hand_in: HandIn, job: Job, report: Report) -> Envelope:
        if point.name == EFFECTED:
            await point.reached()
        answer = await submit(hand_in, job, report)
        if point.name == REPORTED:
            await point.reached()
        return answer

    hands._submit = hold


def _watch_answers(point: Point) -> None:
    submit = assignments._submit

    async def hold(held: Held, answer: Mapping[str, object]) -> Invalid | None:
        await point.reached()
        return await submit(held, answer)

    assignments._submit = hold


def _watch_programs(point: Point) -> None:
    begin = process._start

    async def hold(
        argv: Sequence[str], folder: Path, env: Mapping[str, str], *, is_split: bool
    ) -> Child:
        child = await begin(argv, folder, env, is_split=is_split)
        if argv[0] == "/bin/sh":
            # What the agent runs is to be seen running, and not about to.
            await asyncio.sleep(0)
            await point.reached()
        return child

    process._start = hold


def note_taken(path: Path) -> None:
    """Have every piece of work written down that the server has taken from us."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    by_hand, asked = hands._submit, assignments._submit

    async def reported(hand_in: HandIn, job: Job, report: Report) -> Envelope:
        answer = await by_hand(hand_in, job, report)
        os.write(file, f"{job.order.work.part}\n".encode())
        return answer

    async def answered(held: Held, answer: Mapping[str, object]) -> Invalid | None:
        refused = await asked(held, answer)
        if refused is None:
            os.write(file, f"{held.journal._work.part}\n".encode())
        return refused

    hands._submit = reported
    assignments._submit = answered
