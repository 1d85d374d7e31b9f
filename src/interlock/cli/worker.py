"""``interlock worker``: pulls work from a server and runs it, on this machine or another one.

Exit codes: 0 told to stop, and nothing was left behind that somebody has to wait for; 1 told to
stop twice, and what ran was ended where it stood; 2 it cannot work: settings, token, or server.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Annotated, Final, NamedTuple

import typer

from interlock.app import around_of
from interlock.cli.local import settings
from interlock.cli.notice import running
from interlock.client import Client
from interlock.clock import SystemClock
from interlock.config import Settings
from interlock.errors import InterlockError
from interlock.service.errors import InvalidInput
from interlock.telemetry import logs
from interlock.telemetry.traces import tracing
from interlock.worker.agents.agent import Agent
from interlock.worker.agents.crew import crew_of
from interlock.worker.assignments import Assignments
from interlock.worker.execution.hands import Hands, by_task
from interlock.worker.execution.left import end_left
from interlock.worker.execution.watch import Watch, watched
from interlock.worker.loop import RELEASE_S, Loop
from interlock.worker.patience import log
from interlock.worker.tools import Retries, Tools
from interlock.worker.work import Pace, Runner, Wanted
from interlock.worker.workspace.keeper import Keeper, tidied
from interlock.worker.workspace.mirror import mirrored
from interlock.worker.workspace.room import Site

TOKEN_FILE: Final = "worker.token"  # noqa: S105 (a name, not a secret)
TOOL_STEPS: Final = Wanted("mission", "tool_step")
TICKETS: Final = Wanted("ticket")
TREES: Final = TICKETS._replace(role="workspace")
"""What needs hands, and no model."""

BESIDE_GRACE_S: Final = 3.0
"""Whoever stops a server on their own machine does not want to wait for long."""

DAY_MS: Final = 24 * 60 * 60 * 1000
STOPS: Final = (signal.SIGINT, signal.SIGTERM)


class NoServer(InterlockError):
    """A worker does not know which server to work for, or as whom."""

    code = "NO_SERVER"
    http = 400


def worker(
    context: typer.Context,
    tools: Annotated[bool, typer.Option("--tools", help="Run the tool steps of missions.")] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="Ask the agents of the settings for tickets.")
    ] = False,
    member: Annotated[
        list[str] | None, typer.Option("--member", help="Ask for this council member only; again.")
    ] = None,
    workspace: Annotated[
        bool, typer.Option("--workspace", help="Make working trees; --agents without --member too.")
    ] = False,
    slots: Annotated[
        int | None, typer.Option("--slots", help="How much at once; else INTERLOCK_WORKER_SLOTS.")
    ] = None,
    server: Annotated[
        str | None, typer.Option("--server", help="Whom to work for; else who serves this folder.")
    ] = None,
    is_beside: Annotated[bool, typer.Option("--beside", hidden=True)] = False,
) -> None:
    """Pull work from a server and run it until told to stop; takes a token of the kind worker."""
    if context.invoked_subcommand is not None:
        return
    flags = context.find_root().obj
    if isinstance(flags, dict):
        given = {"worker_slots": slots, "server": server}
        flags.update({name: value for name, value in given.items() if value is not None})
    if not (tools or agents or workspace):
        message = "There is nothing that this worker is to run."
        fix = (
            "Say --tools: it runs the tool steps of missions; --agents: it works on tickets;"
            " --workspace: it makes their working trees."
        )
        raise InvalidInput(message, fix=fix)
    found = settings(context)
    crew = crew_of(found.agents, found.data, os.environ) if agents else {}
    url, token = _server_of(found), _token_of(found)
    logs.set_up(found.log, found.log_level)
    with tracing(found, os.environ), asyncio.Runner() as runner:
        jobs = Jobs(crew, tuple(member or ()), has_tools=tools, has_hands=workspace)
        is_whole = runner.run(_work(found, url, token, jobs, is_beside=is_beside))
    if not is_whole:
        sys.exit(1)


class Jobs(NamedTuple):
    """What a worker is to run: tools, agents by their names, and for which members."""

    crew: Mapping[str, Agent]
    members: tuple[str, ...]
    has_tools: bool
    has_hands: bool = False

    def wanted(self, site: str) -> tuple[Wanted, ...]:
        """Return which work of tickets is asked for, at the place where their trees are.

        Working trees are for whoever works for all members, unless it is told otherwise.
        """
        if self.crew and not self.members:
            return (TICKETS._replace(site=site),)
        members = self.members if self.crew else ()
        trees = (TREES._replace(site=site),) if self.has_hands else ()
        return (*(TICKETS._replace(member=name, site=site) for name in members), *trees)


async def _work(found: Settings, url: str, token: str, jobs: Jobs, *, is_beside: bool) -> bool:
    """Work until told to stop; say whether everything was ended in good order."""
    clock = SystemClock()
    retries = Retries(found.worker_retry_ms / 1000, found.worker_retry_max_ms / 1000)
    name = clock.new_id("worker")
    async with Client(url, token, session=name, attempts=1, clock=clock) as client:
        runners: dict[Wanted, Runner] = {}
        if jobs.has_tools:
            runners[TOOL_STEPS] = Tools(around_of(found), clock, retries).run
        async with _hands(found, name, jobs, client, retries) as more:
            loop = Loop(client, runners | more, _pace(found, is_beside=is_beside), clock)
            _listen(loop, is_beside=is_beside)
            log.info("%s works for %s", name, url)
            try:
                await loop.run()
            except asyncio.CancelledError:
                log.warning("%s was told to stop twice: what ran was ended", name)
                return False
    log.info("%s has stopped", name)
    return True


@asynccontextmanager
async def _hands(
    found: Settings, name: str, jobs: Jobs, client: Client, retries: Retries
) -> AsyncIterator[dict[Wanted, Runner]]:
    """Yield who works on tickets; what earlier workers have left on this site is ended first."""
    if not (jobs.crew or jobs.has_hands):
        yield {}
        return
    clock = SystemClock()
    site = await Site.open(found.data, clock)
    await site.reconcile()
    with site.intents(name) as intents:
        await end_left(intents, client.call)
        assignments = Assignments(jobs.crew, client.call, clock, retries, site.around)
        asking = mirrored(assignments.run, site.room, client.call)
        hands = Hands(site, intents, jobs.crew, client.call, clock, retries).run
        keeper = Keeper(site, client.call, found.workspace_days * DAY_MS, clock)
        async with tidied(keeper), watched(Watch(site, client.call)):
            yield dict.fromkeys(jobs.wanted(site.id), by_task(asking, hands))
    # What was under way when we were told to stop is left now, too.
    with site.intents(f"{name}-after") as intents, suppress(TimeoutError):
        async with asyncio.timeout(RELEASE_S):
            await end_left(intents, client.call)


def _pace(found: Settings, *, is_beside: bool) -> Pace:
    pace = Pace(
        found.worker_slots, heartbeat_s=found.worker_heartbeat_s, grace_s=found.worker_grace_s
    )
    if not is_beside:
        return pace
    return pace._replace(grace_s=min(pace.grace_s, BESIDE_GRACE_S))


def _listen(loop: Loop, *, is_beside: bool) -> None:
    """Stop when told to; one that a server has started also when that is gone."""
    events = asyncio.get_running_loop()
    told: list[int] = []

    def stop(number: int) -> None:
        if told:
            loop.stop()
        else:
            loop.drain()
        told.append(number)

    def let_go() -> None:
        events.remove_reader(sys.stdin.fileno())
        loop.drain()

    for number in STOPS:
        events.add_signal_handler(number, stop, number)
    if is_beside:
        # Nothing is ever written there: that it can be read means that it has ended.
        events.add_reader(sys.stdin.fileno(), let_go)


def _server_of(found: Settings) -> str:
    url = found.server or running(found.data)
    if not url:
        message = "No server is named, and none runs on this data folder."
        raise NoServer(message, fix="Say --server URL, or start one: interlock up.")
    return url


def _token_of(found: Settings) -> str:
    if found.token:
        return found.token
    with suppress(OSError):
        if not found.server:
            return (found.data / TOKEN_FILE).read_text(encoding="ascii").strip()
    message = "There is no token to work with."
    fix = "Make one on the server: interlock token create NAME --kind worker; set INTERLOCK_TOKEN."
    raise NoServer(message, fix=fix)
