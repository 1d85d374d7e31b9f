"""Missions whose tools are those of two real MCP servers, one of which dies or will not serve."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import pytest

from interlock.app import App
from interlock.kernel.rules import USER, WORKER
from interlock.service.access import create_token
from interlock.service.engine import Principal
from interlock.service.verify import verify
from interlock.wire.envelope import Envelope
from tests.doors.mcp.clients import command, environment
from tests.forking import Process
from tests.missions import asset, begin, build, design, execute, status_of
from tests.porter import stand_in_for
from tests.ports import quiet_port
from tests.serving.farm import Base
from tests.stage import ADA, PAT, Stage
from tests.worker.shop import PATIENCE_S, wait_for
from tests.worker.test_missions import Remote

PROGRAM: Final = str(Path(__file__).parent / "mcp_desk.py")
RETRY: Final = {"INTERLOCK_WORKER_RETRY_MS": "1000", "INTERLOCK_WORKER_RETRY_MAX_MS": "2000"}
NAP_S: Final = 0.3

Told = dict[str, Any]


@dataclass
class Desks:
    """A server of ours with a worker, and an MCP server over HTTP that a test starts and kills."""

    base: Base
    remote: Remote
    port: int
    folder: Path
    web: list[Process] = field(default_factory=list)

    def start_web(self) -> None:
        """Start the MCP server that is spoken to over HTTP, where it does not run."""
        if self.web and self.web[-1].poll() is None:
            return
        self.web.append(Process([sys.executable, PROGRAM, str(self.port)]))
        wait_for(lambda: _listens(self.port), "the MCP server listens")

    def end_web(self) -> None:
        """End whatever was started."""
        for one in self.web:
            _end(one)

    def kill_web(self) -> None:
        """Kill it as the kernel would."""
        self.web[-1].send_signal(signal.SIGKILL)
        self.web[-1].wait()

    def ask(self, name: str, by: Principal = ADA, /, **arguments: object) -> Envelope:
        """Call a command over HTTP."""
        return asyncio.run(self.remote.call(name, by, **arguments))

    def status(self, mission: str) -> Told:
        """Read how a mission stands."""
        return asyncio.run(status_of(cast("Stage", self.remote), mission))

    def comes_to(self, mission: str, *statuses: str) -> Told:
        """Wait until a mission stands somewhere, or is held; return how."""

        async def look() -> Told:
            async with asyncio.timeout(2 * PATIENCE_S):
                while True:
                    found = await status_of(cast("Stage", self.remote), mission)
                    if found["status"] in statuses or "held" in found:
                        return found
                    # Every look is a process' worth of work on a busy machine.
                    await asyncio.sleep(NAP_S)

        return asyncio.run(look())

    def mission(self, **more: object) -> str:
        """Begin a mission, and have its first hop made by the server over stdio."""

        async def story() -> str:
            stage = cast("Stage", self.remote)
            mission = await begin(stage, **more)
            await build(stage, mission, output=f"{mission}.3")
            await design(stage, mission, [self.total(mission) | _goes_to(f"{mission}.3")])
            await execute(stage, mission)
            return mission

        mission = asyncio.run(story())
        self.comes_to(mission, "READY_FOR_NEXT_HOP")
        return mission

    def final_hop(self, mission: str, *steps: Told, takes: tuple[str, ...]) -> None:
        """Have a final hop proposed, resolved and executed."""

        async def story() -> None:
            stage = cast("Stage", self.remote)
            await build(stage, mission, inputs=list(takes), is_final=True)
            await design(stage, mission, steps)
            await execute(stage, mission)

        asyncio.run(story())

    def stamp(self, mission: str) -> None:
        """Have what was made first stamped by the server over HTTP, once it may go."""
        told = {"value": {"asset": f"{mission}.3"}, "book": {"literal": self.book("stamp")}}
        told["until"] = {"literal": str(self.folder / "go")}
        step = {"tool": "web.stamp", "parameter_mapping": told, **_goes_to(f"{mission}.2")}
        self.final_hop(mission, step, takes=(f"{mission}.3",))
        wait_for(lambda: self.runs("stamp"), "the tool runs")

    def total(self, mission: str) -> Told:
        """Return the step in which the server over stdio adds the numbers up."""
        told = {"rows": {"asset": f"{mission}.1"}, "book": {"literal": self.book("total")}}
        return {"tool": "sums.total", "parameter_mapping": told}

    def book(self, tool: str) -> str:
        """Where a tool leaves a line for each time that it runs."""
        return str(self.folder / tool)

    def runs(self, tool: str) -> list[str]:
        """Return the lines of a tool."""
        book = Path(self.book(tool))
        return book.read_text().split() if book.exists() else []

    def written(self, mission: str) -> dict[str, int]:
        """Count how often each asset was given content; the audit must be proved."""

        async def read() -> dict[str, int]:
            async with self.base.app() as app:
                assert not (await verify(app.engine, "local", mission)).findings
                kept = await app.engine.store.artifacts("local", mission)
                return await _written(app, mission, [one.part for one in kept])

        return asyncio.run(read())


async def _written(app: App, mission: str, parts: list[int]) -> dict[str, int]:
    rows = await app.engine.store.audit("local", mission, 0, 1_000)
    bodies = [json.loads(row.link.body) for row in rows]
    done = [one for one in bodies if one.get("target") == "READY" and one["kind"] == "asset"]
    counts: dict[str, int] = {}
    for one in done:
        for name in one["ids"]:
            counts[name] = counts.get(name, 0) + 1
            assert parts.count(int(name.rpartition(".")[2])) >= 1
    return counts


def _goes_to(name: str) -> Told:
    return {"result_mapping": {"result": {"asset": name}}}


def _listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desks]:
    """Serve, with a worker that has both servers in its settings, as the server has."""
    folder = tmp_path_factory.mktemp("desks")
    port = quiet_port()
    servers = {
        "sums": {"command": stand_in_for([PROGRAM])},
        "web": {"url": f"http://127.0.0.1:{port}/mcp"},
    }
    settings = {"INTERLOCK_MCP_SERVERS": json.dumps(servers)}
    base = Base(folder / "data")
    agent, person, worker = asyncio.run(_tokens(base))
    with ExitStack() as stack:
        desks = Desks(base, Remote("", agent, person), port, folder)
        desks.start_web()
        stack.callback(desks.end_web)
        running = stack.enter_context(base.serving(**settings))
        desks.remote = Remote(running.url, agent, person)
        told = environment() | settings | RETRY | {"INTERLOCK_TOKEN": worker}
        line = command(folder / "worker", "worker", "--tools", "--server", running.url)
        process = Process(line, told, stderr=subprocess.DEVNULL)
        stack.callback(lambda: _end(process))
        yield desks


@pytest.fixture
def desks(shared: Desks, tmp_path: Path) -> Desks:
    """The same with books of its own, and with both servers running."""
    shared.folder = tmp_path
    shared.start_web()
    return shared


def _end(process: Process) -> None:
    process.kill()
    process.wait()


async def _tokens(base: Base) -> tuple[str, str, str]:
    async with base.app() as app:
        made = [
            (await create_token(app.engine, app.owner(), kind, kind))[0] for kind in (USER, WORKER)
        ]
        agent, _ = await create_token(app.engine, app.owner(), "agent")
        return agent, made[0], made[1]


def test_a_server_that_is_killed_and_stays_away_is_not_available(desks: Desks) -> None:
    mission = desks.mission()
    desks.stamp(mission)
    desks.kill_web()

    data = desks.comes_to(mission, "FAILED")

    assert (data["status"], "held" in data) == ("FAILED", False)
    assert [hop["status"] for hop in data["hops"]] == ["COMPLETED", "FAILED"]
    (last,) = data["tool_steps"]
    assert last["status"] == "FAILED"
    assert [(one["attempt"], one["class"]) for one in last["attempts"]] == [
        (1, "transient"), (2, "transient"), (3, "resource_unavailable"),
    ]  # fmt: skip
    assert [one["message"] for one in last["attempts"]] == [
        "The MCP server web broke off during the call.",
        *["The MCP server web cannot be reached."] * 2,
    ]
    assert last["error"]["recoverable"] is False
    assert (asset(data, "between")["status"], asset(data, "sum")["status"]) == ("READY", "ERROR")
    assert len(desks.runs("stamp")) == 1


def test_one_that_is_back_in_time_is_asked_again(desks: Desks) -> None:
    mission = desks.mission(tries_max=20)
    desks.stamp(mission)
    desks.kill_web()
    (desks.folder / "go").touch()
    desks.start_web()

    data = desks.comes_to(mission, "COMPLETED")

    assert data["status"] == "COMPLETED"
    assert (len(desks.runs("stamp")), len(desks.runs("total"))) == (2, 1)
    failed = data["tool_steps"][0]["attempts"]
    assert {one["class"] for one in failed} == {"transient"}
    context = desks.ask("mission_context", mission_id=mission).data
    assert (asset(context, "between")["content"], asset(context, "sum")["content"]) == (6, 7)
    assert desks.written(mission) == {f"{mission}.{number}": 1 for number in (1, 2, 3)}


def test_one_that_is_asked_too_often_holds_the_mission_until_it_is_repaired(desks: Desks) -> None:
    mission = asyncio.run(begin(cast("Stage", desks.remote)))
    told = {"value": {"step": 1}, "book": {"literal": desks.book("limited")}}
    told["fails"] = {"literal": 3}
    scratch = {"result_mapping": {"result": {"scratch": True}}}
    goes = {"result_mapping": {"text": {"asset": f"{mission}.2"}}}
    limited = {"tool": "web.limited", "parameter_mapping": told, **goes}
    desks.final_hop(mission, desks.total(mission) | scratch, limited, takes=("numbers",))
    data = desks.comes_to(mission, "FAILED")
    assert (data["status"], data["held"]) == ("EXECUTING_HOP", True)
    first, last = data["tool_steps"]
    assert data["recovery"] == {
        "held_in": "EXECUTING_HOP", "failed": last["part_id"], "resumes_in": "BUILDING_HOP",
    }  # fmt: skip
    assert [one["message"] for one in last["attempts"]] == ["429 Too Many Requests"] * 3
    why = desks.ask("explain", id=mission)
    assert "fix_hop" in why.next_action
    assert "transient: 429 Too Many Requests" in str(why.data["text"])

    desks.ask("fix_hop", PAT, hop_id=data["current_hop"], reason="it has calmed down")
    again = [{"step_id": first["part_id"]}, {"step_id": last["part_id"]}]
    stage = cast("Stage", desks.remote)
    asyncio.run(design(stage, mission, again))
    asyncio.run(execute(stage, mission))
    data = desks.comes_to(mission, "COMPLETED")

    assert data["status"] == "COMPLETED"
    # What was completed before the failure is kept, and not run again.
    assert (len(desks.runs("limited")), len(desks.runs("total"))) == (4, 1)
    context = desks.ask("mission_context", mission_id=mission).data
    assert asset(context, "sum")["content"] == "it is 6"
    assert desks.written(mission)[f"{mission}.2"] == 1
