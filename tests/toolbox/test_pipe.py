"""A server that is spoken to over its pipes stays in our process group, and ends with us."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from mcp import Client

from interlock.servers import Server
from interlock.toolbox import pipe as module
from interlock.toolbox.pipe import pipe
from tests.porter import stand_in_for
from tests.toolbox.processes import are_gone, told

PROGRAM = str(Path(__file__).parent / "mcp_server.py")


def test_a_server_is_spoken_to_and_ends_when_it_is_left() -> None:
    async def speak() -> object:
        async with Client(pipe(Server("sums", tuple(stand_in_for([PROGRAM]))))) as client:
            return (await client.call_tool("add", {"a": 1, "b": 2})).structured_content

    assert asyncio.run(speak()) == {"result": 3}


STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").write(f"{os.getpid()} {os.getpgid(0)} {len(os.environ.get('SECRET', ''))}\\n")
print("this is no message", flush=True)
time.sleep(600)
"""


def test_one_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", 0.1)
    monkeypatch.setenv("SECRET", "s3cret")
    file = tmp_path / "pids"

    async def speak() -> Exception:
        async with pipe(Server("x", (sys.executable, "-c", STUBBORN, str(file)))) as (read, _):
            said = await read.receive()
            assert isinstance(said, Exception)
            return said

    said = asyncio.run(speak())
    pid, group, secret = told(file)
    assert isinstance(said, ValueError)
    assert (group, secret) == (os.getpgid(0), 0)
    assert are_gone([pid])


def test_what_is_configured_for_a_server_it_knows(tmp_path: Path) -> None:
    file = tmp_path / "pids"

    async def speak() -> None:
        command = (sys.executable, "-c", STUBBORN.replace("600", "0"), str(file))
        async with pipe(Server("x", command, env={"SECRET": "four"})) as (read, _):
            await read.receive()

    asyncio.run(speak())
    assert told(file)[2] == 4
