"""What every test of a promise stands on: an engine with its door, one a module."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from tests.doors.mcp.clients import on
from tests.missions import equip
from tests.spec.door import Door
from tests.stage import ADA, BOB, PAT, opened, placed


def pytest_configure(config: pytest.Config) -> None:
    """Let tests name their promise."""
    config.addinivalue_line("markers", "promise(*ids): which promises of the spec a test shows")
    config.addinivalue_line("markers", "every_store: with --long it is tried on PostgreSQL, too")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Open the door on SQLite; in a long run on every kind of database, where that is asked for."""
    is_asked = metafunc.definition.get_closest_marker("every_store") is not None
    if "door" in metafunc.fixturenames and is_asked and metafunc.config.getoption("--long"):
        metafunc.parametrize("door", ["sqlite", "postgres"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def door(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[asyncio.Runner, Door]]:
    """Open the door of a module, and close it at its end."""
    folder = tmp_path_factory.mktemp("spec")
    dialect = getattr(request, "param", "sqlite")
    with placed(request, dialect, folder) as where, asyncio.Runner() as runner:
        is_over = asyncio.Event()
        ready: asyncio.Future[Door] = runner.get_loop().create_future()

        async def hold() -> None:
            # One task opens and closes everything: the SDK's scopes belong to their task.
            async with opened(where) as stage, AsyncExitStack() as stack:
                equip(stage)
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
