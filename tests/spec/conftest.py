"""What every test of a promise stands on: an engine with its door, one a module."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from tests.doors.mcp.clients import on
from tests.spec.door import Door
from tests.stage import ADA, BOB, PAT, opened


def pytest_configure(config: pytest.Config) -> None:
    """Let tests name their promise."""
    config.addinivalue_line("markers", "promise(*ids): which promises of the spec a test shows")


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Door]]:
    """Open the door of a module, and close it at its end."""
    where = tmp_path_factory.mktemp("spec") / "interlock.db"
    with asyncio.Runner() as runner:
        is_over = asyncio.Event()
        ready: asyncio.Future[Door] = runner.get_loop().create_future()

        async def hold() -> None:
            # One task opens and closes everything: the SDK's scopes belong to their task.
            async with opened(where) as stage, AsyncExitStack() as stack:
                people = (ADA, BOB, PAT)
                clients = {by: await stack.enter_async_context(on(stage, by)) for by in people}
                ready.set_result(Door(stage, clients))
                await is_over.wait()

        async def begin() -> tuple[asyncio.Task[None], Door]:
            task = asyncio.create_task(hold())
            return task, await ready

        task, made = runner.run(begin())
        yield runner, made

        async def end() -> None:
            is_over.set()
            await task

        runner.run(end())
