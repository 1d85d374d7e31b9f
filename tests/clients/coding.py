"""A model that codes: it writes a file with whatever tool it is offered, then it answers."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from interlock.worker.agents.agent import Task
from tests.clients.script import Call, Called, Script, offered_as

ANSWER: Final = {"bead_id": "b1", "status": "done"}
SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "required": ["bead_id", "status"],
    "properties": {"bead_id": {"type": "string"}, "status": {"enum": ["done", "error"]}},
}
FILE: Final = "made.txt"
CONTENT: Final = "by the agent\n"

Arguments = Callable[[Path], dict[str, Any]]


def _shell(name: str) -> Arguments:
    return lambda path: {name: f"printf 'by the agent\\n' > {path}"}


TOOLS: Final[Mapping[str, Arguments]] = {
    "Write": lambda path: {"file_path": str(path), "content": CONTENT},
    "write_file": lambda path: {"file_path": str(path), "content": CONTENT},
    "write": lambda path: {"filePath": str(path), "content": CONTENT},
    "exec_command": _shell("cmd"),
    "shell_command": _shell("command"),
    "Bash": _shell("command"),
    "bash": _shell("command"),
    "run_shell_command": _shell("command"),
}
"""How each client calls a tool by which a file comes into being."""


def coding(folder: Path, seen: list[str]) -> Script:
    """Return a script that writes a file into a folder if it can; keeps what was offered."""

    def script(calls: Sequence[Called], offered: Sequence[str]) -> Call | str:
        seen[:] = offered
        tool = next((name for name in TOOLS if offered_as(name, offered)), None)
        if calls or tool is None:
            return f"I have done it.\n\n```json\n{json.dumps(ANSWER)}\n```\n"
        return Call(tool, TOOLS[tool](folder / FILE))

    return script


def asked(folder: Path, home: Path, heard: list[str], reach: str = "write") -> Task:
    """Return the task that is asked of an agent."""
    return Task(
        role="implementer", task="code", domain="", member="ada", model="", schema=SCHEMA,
        prompt="Write made.txt, then answer with one JSON object.", deadline_s=120.0,
        folder=folder, home=home, reach=reach, hear=heard.append,
    )  # fmt: skip
