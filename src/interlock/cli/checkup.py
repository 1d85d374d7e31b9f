"""``interlock worker doctor``: can this machine work on tickets, and if not, what to do.

Each agent of the settings is looked for and asked its version, which costs nothing. Only with
``--ask`` it is asked a question, which may cost a little. Exit codes: 0 all is well; 1 something is
not; 2 the settings cannot be read.
"""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from interlock.agents import COMMAND, AgentSettings
from interlock.cli.doctor import Check, disk, shown
from interlock.cli.local import settings
from interlock.cli.screen import print_json, print_lines
from interlock.cli.worker import worker
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.family import can_adopt
from interlock.worker.agents.agent import Agent, AgentFailed, Task
from interlock.worker.agents.crew import crew_of
from interlock.worker.agents.program import Program
from interlock.worker.process import Ended, run, scrubbed

VERSION_S: Final = 30.0
ASK_S: Final = 120.0
SCHEMA: Final = {
    "type": "object",
    "required": ["ready"],
    "properties": {"ready": {"type": "boolean"}},
}
QUESTION: Final = 'Answer with this JSON object and nothing else: {"ready": true}'
FIND: Final = 'Install it, or say where it is: command = "/path/to/it" in [agents.NAME].'

app = typer.Typer(invoke_without_command=True)
app.callback()(worker)


@app.command("doctor")
def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask each agent a short question; may cost a little.")
    ] = False,
) -> None:
    """Look at agents, git, forge and disk, and say what to do; exit 1 if anything is."""
    found = settings(context)
    checks = asyncio.run(looked(found, is_asked=ask))
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        print_lines(shown(check) for check in checks)
    raise typer.Exit(0 if all(check.is_well for check in checks) else 1)


async def looked(found: Settings, *, is_asked: bool) -> list[Check]:
    """Look at everything; nothing of it is changed."""
    found.data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        checks = [one async for one in _agents(found, room, is_asked=is_asked)]
        checks.append(await _program("git", room, "Install git: working trees are made by it."))
        checks.append(await _forge(room))
    return [*checks, _containment(), disk(found.data)]


async def _agents(found: Settings, room: Path, *, is_asked: bool) -> AsyncIterator[Check]:
    if not found.agents:
        fix = "Write [agents.NAME] into interlock.toml; see docs/agents.md."
        yield Check("agents", "the settings name none", is_well=False, fix=fix)
    for told in found.agents:
        try:
            agent = crew_of((told,), found.data, os.environ)[told.name]
        except InterlockError as error:
            yield Check(f"agent {told.name}", error.message, is_well=False, fix=error.fix)
            continue
        check = await _agent(told, agent, room)
        yield await _asked(check, agent, room) if is_asked and check.is_well else check


async def _agent(told: AgentSettings, agent: Agent, room: Path) -> Check:
    """Look whether the program of an agent is there; the others need none."""
    name = f"agent {told.name}"
    if not isinstance(agent, Program):
        return Check(name, f"{told.kind}: {told.server or told.url or told.file}")
    missing = [one for one in told.passed if one not in os.environ]
    note = f"; not set here: {', '.join(missing)}" if missing else ""
    path = shutil.which(agent.line[0])
    if path is None:
        return Check(name, f"{told.kind}: there is no {agent.line[0]}", is_well=False, fix=FIND)
    if told.kind == COMMAND:
        # Nobody knows what it would make of a question for its version.
        return Check(name, f"{told.kind}: {path}{note}")
    ended = await _version(agent.line, room)
    if ended.code != 0:
        wrong = f"{told.kind}: {path} does not say its version ({_line(ended.text)})"
        return Check(name, wrong, is_well=False, fix="Run it by hand, and see what it says.")
    return Check(name, f"{told.kind}: {path}, {_line(ended.out)}{note}")


async def _asked(check: Check, agent: Agent, room: Path) -> Check:
    task = Task(
        role="doctor", task="ready", domain="", member="doctor", model="", prompt=QUESTION,
        schema=SCHEMA, deadline_s=ASK_S, home=room,
    )  # fmt: skip
    try:
        async with asyncio.timeout(ASK_S):
            said = await agent.run(task)
    except (AgentFailed, TimeoutError) as failed:
        wrong = f"{check.found}; asked, it has no answer: {str(failed) or 'it takes too long'}"
        return Check(check.name, wrong, is_well=False, fix="Look at its key, model and address.")
    cost = f", {said.cost_micros / 1e6:.4f} USD" if said.cost_micros else ""
    spent = f"{said.tokens_in} tokens in, {said.tokens_out} out{cost}"
    return Check(check.name, f"{check.found}; it answers ({spent})")


async def _program(name: str, room: Path, fix: str) -> Check:
    ended = await _version((name,), room)
    if ended.code != 0:
        return Check(name, _line(ended.text), is_well=False, fix=fix)
    return Check(name, _line(ended.out))


async def _forge(room: Path) -> Check:
    """Look for gh; whoever keeps their code on this machine needs none."""
    check = await _program("gh", room, "")
    if check.is_well:
        return check
    return Check("gh", "there is none: it is needed only for projects whose forge is github")


def _containment() -> Check:
    if can_adopt():
        return Check("processes", "contained: daemons that agents leave are ended, too")
    return Check("processes", "only the process group is ended here: a daemon may stay behind")


async def _version(line: Iterable[str], room: Path) -> Ended:
    env = scrubbed(room, {})
    return await run((*line, "--version"), folder=room, env=env, deadline_s=VERSION_S, split=True)


def _line(said: str) -> str:
    """Return the first line of what was said."""
    return (said.strip().splitlines() or ["nothing"])[0][:200]
