"""Tools of real MCP servers: listed and called; a failure has the class of what has gone wrong."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from interlock.servers import Server
from interlock.toolbox import remote
from interlock.toolbox.around import Around
from interlock.toolbox.catalog import Catalog
from interlock.toolbox.child import Outcome, refresh, run_in_child
from interlock.toolbox.remote import TEXT, called, listed
from interlock.toolbox.tool import ToolFailure
from tests.forking import Process
from tests.porter import stand_in_for
from tests.ports import quiet_port
from tests.service.endpoints import Said, endpoint
from tests.toolbox.processes import are_gone, told

PROGRAM = str(Path(__file__).parent / "mcp_server.py")


def sums() -> Server:
    """Return the server that is spoken to over stdio."""
    return Server("sums", tuple(stand_in_for([PROGRAM])))


def fails(server: Server, name: str = "add", **arguments: object) -> ToolFailure:
    with pytest.raises(ToolFailure) as no:
        asyncio.run(called(server, name, arguments))
    return no.value


def run(name: str, *servers: Server, **arguments: object) -> Outcome:
    around = Around(servers=servers)
    return asyncio.run(run_in_child(name, arguments, around=around, deadline_s=60))


@contextmanager
def over_http() -> Iterator[tuple[Server, Process]]:
    """Start the server on a port."""
    port = quiet_port()
    process = Process([sys.executable, PROGRAM, str(port)])
    try:
        end = monotonic() + 60
        while monotonic() < end:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", port)) == 0:
                    break
            sleep(0.02)
        yield Server("web", url=f"http://127.0.0.1:{port}/mcp"), process
    finally:
        process.kill()
        process.wait()


def test_tools_are_listed_with_what_they_take_and_return() -> None:
    found = {one.name: one for one in asyncio.run(listed(sums()))}

    add, greet = found["sums.add"], found["sums.greet"]
    assert len(found) == 6
    assert (add.doc, add.resources) == ("Add two numbers.", ("mcp:sums",))
    assert add.parameters["required"] == ["a", "b"]
    assert add.result["required"] == ["result"]
    assert greet.result == TEXT


def test_tools_are_called_and_errors_are_theirs() -> None:
    assert asyncio.run(called(sums(), "add", {"a": 1, "b": 2})) == {"result": 3}
    told_by = {"divide": fails(sums(), "divide", a=1, b=0)}
    # Over stdio each call starts a server of its own; one on a port serves them all.
    with over_http() as (web, _):
        greeted = asyncio.run(called(web, "greet", {"name": "Ada"}))
        told_by |= {
            "busy": fails(web, "busy"), "add": fails(web, "add", a="x"),
            "nobody": fails(web, "nobody"),
        }  # fmt: skip

    assert greeted == {"text": "Hello Ada.", "content": []}
    assert {name: (one.failure, one.resource_down) for name, one in told_by.items()} == {
        "divide": ("user_correctable", False), "busy": ("transient", False),
        "add": ("user_correctable", False), "nobody": ("user_correctable", False),
    }  # fmt: skip
    assert told_by["busy"].message == "too busy"


def test_two_servers_and_one_is_killed_during_a_call(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    other = Server("other", sums().command)

    async def story() -> tuple[Outcome, Outcome]:
        around = Around(servers=(sums(), other))
        waiting = run_in_child("other.wait", {"file": str(file)}, around=around, deadline_s=60)
        task = asyncio.create_task(waiting)
        (pid,) = await asyncio.to_thread(told, file)
        fine = await run_in_child("sums.add", {"a": 2, "b": 3}, around=around, deadline_s=60)
        os.kill(pid, signal.SIGKILL)
        return fine, await task

    fine, killed = asyncio.run(story())
    assert fine.result == {"result": 5}
    assert killed[1:5] == (
        "transient", "The MCP server other broke off during the call.", "Connection closed", False,
    )  # fmt: skip
    # It is started anew for the next try.
    assert run("other.add", other, a=1, b=1).result == {"result": 2}


def test_a_deadline_ends_the_server_too(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    around = Around(servers=(sums(),))

    def within(deadline_s: float) -> Outcome:
        given = {"file": str(file)}
        return asyncio.run(run_in_child("sums.wait", given, around=around, deadline_s=deadline_s))

    found = within(5)
    # On a busy machine a deadline may come before the server has heard of the call.
    if not file.exists():
        found = within(45)

    assert found.failure == "transient"
    assert are_gone(told(file))


def test_over_http_the_same_until_it_is_killed() -> None:
    with over_http() as (server, process):
        catalog = Catalog(Around(servers=(server,)))
        asyncio.run(refresh(catalog))
        fine = run("web.add", server, a=1, b=2)
        killed = run("web.die", server)
        process.wait()
        away = run("web.add", server, a=1, b=2)

    assert (catalog.problems, "web.add" in catalog.describe()) == ((), True)
    assert fine.result == {"result": 3}
    # Nobody starts it again, so it is away from then on.
    assert (killed.failure, killed.resource_down) == ("transient", True)
    assert killed.message == "The MCP server web broke off during the call."
    assert (away.failure, away.resource_down) == ("transient", True)
    assert away.message == "The MCP server web cannot be reached."


@pytest.mark.parametrize("status", [401, 403])
def test_a_server_that_does_not_let_us_in_is_not_available(status: int) -> None:
    with endpoint(Said({}, status)) as fake:
        server = Server("web", url=fake.url, headers={"Authorization": "Bearer s3cret"})
        failure = fails(server)

    assert (failure.failure, failure.resource_down) == ("resource_unavailable", False)
    assert fake.heard[0].headers["authorization"] == "Bearer s3cret"
    assert "s3cret" not in failure.message + failure.detail


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        (("/no/such/program",), "resource_unavailable"),
        ((sys.executable, "-c", "pass"), "transient"),
        ((sys.executable, "-c", "print('hello')"), "transient"),
        ((sys.executable, "-c", "import sys; sys.stdin.read()"), "transient"),
    ],
)
def test_a_server_that_is_none_cannot_be_reached(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], failure: str
) -> None:
    monkeypatch.setattr(remote, "CONNECT_S", 1.0)
    found = fails(Server("broken", command))

    assert (found.failure, found.resource_down) == (failure, True)
