"""The scripted agent: its answers stand in a file, with delays and faults. For demos and tests.

What it does and says is found by member, task and how often it was asked; what is not there is an
error that names what was asked for.
"""

import asyncio
import json
from typing import Final

from interlock.worker.agents.acts import act
from interlock.worker.agents.agent import FAILED, INVALID_OUTPUT, Agent, AgentFailed, Said, Task
from interlock.worker.agents.reading import Unreadable, read_answer
from interlock.worker.agents.script import CRASH, ERROR, LATE, TIMEOUT, Script, Turn

NONSENSE: Final = "I would rather not say."
LATE_S: Final = 1.0
"""How long after its time an answer comes that is late, where no delay is named."""

PATIENCE_S: Final = 60.0


class Scripted(Agent):
    """Says what the script says."""

    def __init__(self, script: Script) -> None:
        """Take a script; how often what was asked is counted here if the server does not."""
        self._script = script
        self._asked: dict[tuple[str, str, str], list[str]] = {}

    async def run(self, task: Task) -> Said:
        """Return the next answer to a task, after its delay and with its fault."""
        turn = self._turn(task)
        await asyncio.sleep(turn.delay_s)
        if turn.acts:
            await act(turn, task)
        if turn.fault == TIMEOUT:
            await asyncio.Event().wait()
        if turn.fault == LATE:
            await asyncio.sleep(task.deadline_s + (0 if turn.delay_s else LATE_S))
        if turn.fault == ERROR:
            raise AgentFailed(FAILED, turn.text or "The script says that it fails.")
        if turn.fault == CRASH:
            raise RuntimeError(turn.text or "the script says that it crashes")
        if turn.answer is None:
            return _read(turn.text or NONSENSE, task)
        # Its own copy: the script says the same again later.
        text = json.dumps(turn.answer, ensure_ascii=False)
        return Said(json.loads(text), text)

    def limit_s(self, task: Task) -> float:
        """Wait longer for an answer that is to come too late."""
        try:
            turn = self._turn(task)
        except AgentFailed:
            return task.deadline_s
        is_late = turn.fault == LATE
        return task.deadline_s + turn.delay_s + PATIENCE_S if is_late else task.deadline_s

    def _turn(self, task: Task) -> Turn:
        return self._script.turn(task, task.number or self._number(task))

    def _number(self, task: Task) -> int:
        """Count the pieces of work; one that is handed out again is the same one."""
        parts = self._asked.setdefault((task.unit, task.member, task.name), [])
        if task.part not in parts:
            parts.append(task.part)
        return parts.index(task.part) + 1


def _read(text: str, task: Task) -> Said:
    try:
        found = read_answer(text, task.schema)
    except Unreadable as exc:
        raise AgentFailed(INVALID_OUTPUT, str(exc), text) from exc
    return Said(found.answer, text, warnings=found.warnings)
