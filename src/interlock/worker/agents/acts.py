"""What a scripted agent does in its working tree: files, a command, and what it should not do.

Commands run contained, as every agent does: they are ended with all that they have started when
their time is over, when they are cancelled, and when they have ended by themselves.
"""

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path

from interlock.worker.agents.agent import FAILED, TIMED_OUT, AgentFailed, Task
from interlock.worker.agents.misbehaving import MISBEHAVIOUR
from interlock.worker.agents.script import Turn
from interlock.worker.process import run, scrubbed


async def act(turn: Turn, task: Task) -> None:
    """Do what a turn says; raises ``AgentFailed`` where it cannot be done."""
    if task.folder is None or task.home is None:
        message = f"The script edits files for {task.name}, which has no working tree."
        raise AgentFailed(FAILED, message)
    await asyncio.to_thread(_write, task.folder, turn.files)
    for script in (turn.run, *(MISBEHAVIOUR[name] for name in turn.misbehave)):
        if script:
            await _shell(script, task.folder, task.home, task.deadline_s)


def _write(folder: Path, files: Mapping[str, str | None]) -> None:
    for name, content in files.items():
        path = folder / name
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


async def _shell(script: str, folder: Path, home: Path, deadline_s: float) -> None:
    ended = await run(
        ("/bin/sh", "-c", script), folder=folder, env=scrubbed(home, {}), deadline_s=deadline_s
    )
    if ended.timed_out:
        raise AgentFailed(TIMED_OUT, f"What it ran did not end within {deadline_s:g} s.")
    if ended.code:
        tail = ended.text[-300:].strip()
        raise AgentFailed(FAILED, f"What it ran ended with {ended.code}: {tail}", ended.text)
