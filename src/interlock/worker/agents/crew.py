"""The agents of a worker by their names, as the settings have them."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from interlock.agents import OPENAI, SCRIPTED, AgentSettings
from interlock.errors import InterlockError
from interlock.worker.agents.agent import Agent
from interlock.worker.agents.openai import OpenAI
from interlock.worker.agents.script import load_script
from interlock.worker.agents.scripted import Scripted

Environ = Mapping[str, str]


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
    key = environ.get(told.key_env, "").strip() if told.key_env else ""
    if told.key_env and not key:
        message = f"The agent {told.name} has no key: {told.key_env} is not set."
        raise NoAgent(message, fix=f"Set {told.key_env}, or take key_env out of the settings.")
    return OpenAI(told.url, key, told.model)


KINDS: Final[Mapping[str, Callable[[AgentSettings, Path, Environ], Agent]]] = {
    SCRIPTED: _scripted,
    OPENAI: _openai,
}
"""How an agent of each kind is made."""
