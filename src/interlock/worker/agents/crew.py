"""The agents of a worker by their names, as the settings have them."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from interlock.agents import (
    CLAUDE,
    CODEX,
    COMMAND,
    GEMINI,
    OPENAI,
    OPENCODE,
    SCRIPTED,
    AgentSettings,
)
from interlock.errors import InterlockError
from interlock.worker.agents.agent import Agent
from interlock.worker.agents.claude import Claude
from interlock.worker.agents.codex import Codex
from interlock.worker.agents.command import Command
from interlock.worker.agents.gemini import Gemini
from interlock.worker.agents.openai import OpenAI
from interlock.worker.agents.opencode import OpenCode
from interlock.worker.agents.opencode_server import OpenCodeServer
from interlock.worker.agents.program import Dialect, Program, Told
from interlock.worker.agents.script import load_script
from interlock.worker.agents.scripted import Scripted

Environ = Mapping[str, str]
HOMES: Final = "agents"
"""Where the homes of agents lie in the data folder, for tasks without a working tree."""


class NoAgent(InterlockError):
    """A worker has no agent that it could ask, or one whose key is missing."""

    code = "NO_AGENT"
    http = 400


def crew_of(agents: Iterable[AgentSettings], folder: Path, environ: Environ) -> dict[str, Agent]:
    """Make the agents that settings name; a file lies in the data folder, if not elsewhere."""
    made = {one.name: KINDS[one.kind](one, folder, environ) for one in agents}
    if not made:
        message = "The settings name no agent."
        fix = "Write [agents.NAME] into interlock.toml; see docs/agents.md."
        raise NoAgent(message, fix=fix)
    return made


def _scripted(told: AgentSettings, folder: Path, _: Environ) -> Agent:
    return Scripted(load_script(folder / Path(told.file).expanduser()))


def _openai(told: AgentSettings, _: Path, environ: Environ) -> Agent:
    return OpenAI(told.url, _key(told, environ), told.model)


def _key(told: AgentSettings, environ: Environ) -> str:
    key = environ.get(told.key_env, "").strip() if told.key_env else ""
    if told.key_env and not key:
        message = f"The agent {told.name} has no key: {told.key_env} is not set."
        raise NoAgent(message, fix=f"Set {told.key_env}, or take key_env out of the settings.")
    return key


def _program(told: AgentSettings, folder: Path, environ: Environ) -> Agent:
    known = Told(
        name=told.name, command=told.command, args=told.args, model=told.model, url=told.url,
        key=_key(told, environ),
        passed={name: environ[name] for name in told.passed if name in environ},
    )  # fmt: skip
    return Program(DIALECTS[told.kind], known, folder / HOMES / told.name)


def _opencode(told: AgentSettings, folder: Path, environ: Environ) -> Agent:
    if not told.server:
        return _program(told, folder, environ)
    return OpenCodeServer(told.server, _key(told, environ), told.model)


DIALECTS: Final[Mapping[str, Dialect]] = {
    CLAUDE: Claude(),
    CODEX: Codex(),
    GEMINI: Gemini(),
    OPENCODE: OpenCode(),
    COMMAND: Command(),
}
"""How the program of each kind is spoken to."""

KINDS: Final[Mapping[str, Callable[[AgentSettings, Path, Environ], Agent]]] = {
    SCRIPTED: _scripted,
    OPENAI: _openai,
    **dict.fromkeys(DIALECTS, _program),
    OPENCODE: _opencode,
}
"""How an agent of each kind is made."""
