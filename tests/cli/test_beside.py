"""The worker beside a server: it runs tools, is started again, leaves first, and never stays."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from interlock.app import open_app
from interlock.cli.beside import Beside, worker_token
from interlock.config import Settings
from interlock.service.access import authenticate, list_tokens, revoke_token
from tests.cli.test_up import document
from tests.doors.mcp.clients import command, environment
from tests.forking import PIPE, Process
from tests.worker.shop import LEASE_MS, MODULE, PATIENCE_S, Shop, is_alive, open_shop, wait_for

AROUND: Final = {"INTERLOCK_TOOLS": MODULE, "INTERLOCK_LEASE_MS": str(LEASE_MS)}


@contextmanager
def up(shop: Shop, *words: str) -> Iterator[Process]:
    """Start everything on a shop's folder; whatever happens it is gone at the end."""
    line = command(shop.base.folder, "up", "--json", "--port", "0", *words)
    told = environment() | AROUND
    with Process(line, told, stdout=PIPE, stderr=PIPE) as process:
        try:
            document(process)
            yield process
        finally:
            process.kill()


def waiting(folder: Path) -> Shop:
    """Make a mission with a tool step that waits until it may go on."""
    return open_shop(folder, {"until": str(folder / "go")})


def children(process: int) -> list[int]:
    """Return the processes that a process has started and that are still there."""
    told = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(one) for one in told if is_alive(int(one))]


def test_what_is_to_be_run_is_run(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {}, {})
    with up(shop):
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")

    assert len(shop.runs()) == 2


def test_it_asks_agents_if_the_settings_name_some(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {})
    (shop.base.folder / "answers.yaml").write_text("members: {}\n")
    (shop.base.folder / "interlock.toml").write_text(
        '[agents.demo]\nkind = "scripted"\nfile = "answers.yaml"\n'
    )
    with up(shop) as process:
        # What it was started for besides is done as before.
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")
        (worker,) = children(process.pid)
        words = Path(f"/proc/{worker}/cmdline").read_text().split("\0")
        words_of_all = words + Path(f"/proc/{process.pid}/cmdline").read_text().split("\0")

    assert {"--tools", "--agents", "--beside"} <= set(words)
    secrets = [path.read_text().strip() for path in shop.base.folder.glob("*.token")]
    assert secrets
    # Whoever may list processes sees every word of these.
    assert [secret for secret in secrets if secret in " ".join(words_of_all)] == []


def test_it_leaves_first_and_gives_back_what_it_runs(tmp_path: Path) -> None:
    shop = waiting(tmp_path)
    with up(shop) as process:
        wait_for(shop.runs)
        (worker,) = children(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0

    assert not is_alive(worker)
    assert not is_alive(shop.runs()[0])
    assert (shop.count("release_tool_step"), shop.count("lapse_tool_step")) == (1, 0)


def test_told_twice_the_server_does_not_wait_for_it(tmp_path: Path) -> None:
    shop = waiting(tmp_path)
    with up(shop) as process:
        wait_for(shop.runs)
        (worker,) = children(process.pid)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0

    wait_for(lambda: not is_alive(worker) and not is_alive(shop.runs()[0]))


def test_a_server_that_is_killed_takes_it_along(tmp_path: Path) -> None:
    shop = waiting(tmp_path)
    with up(shop) as process:
        wait_for(shop.runs)
        (worker,) = children(process.pid)
        process.kill()
        process.wait()
        wait_for(lambda: not is_alive(worker) and not is_alive(shop.runs()[0]))


def test_one_that_dies_is_started_again_and_goes_on(tmp_path: Path) -> None:
    shop = waiting(tmp_path)
    with up(shop) as process:
        wait_for(shop.runs)
        (worker,) = children(process.pid)
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: len(shop.runs()) == 2)
        shop.go.touch()
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")
        assert children(process.pid) != [worker]

    assert shop.count("submit_tool_result") == 1


def test_there_is_none_where_nobody_wants_one(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {})
    with up(shop, "--no-worker") as process:
        assert children(process.pid) == []
    with shop.base.serving() as server:
        assert children(server.process.pid) == []

    assert not (shop.base.folder / "worker.token").exists()


def test_a_server_for_others_has_one_if_asked(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {})
    with shop.base.serving("--worker", **AROUND):
        wait_for(lambda: shop.statuses()[0] == "COMPLETED")


def test_its_token_is_a_workers_kept_for_its_owner_and_made_anew_when_it_is_not_good(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with open_app(Settings(tmp_path)) as app:
            first = await worker_token(app)
            assert await worker_token(app) == first
            assert (await authenticate(app.engine, first)).kind == "worker"
            assert (tmp_path / "worker.token").stat().st_mode & 0o777 == 0o600
            (row,) = await list_tokens(app.engine, app.owner())
            await revoke_token(app.engine, app.owner(), row.id)
            second = await worker_token(app)
            assert second != first
            assert (tmp_path / "worker.token").read_text().strip() == second

    asyncio.run(story())


def test_one_that_never_was_there_can_leave(tmp_path: Path) -> None:
    async def story() -> None:
        beside = Beside(Settings(tmp_path), "http://127.0.0.1:1", "il_none")
        await beside.leave()
        await asyncio.wait_for(beside.run(), PATIENCE_S)

    asyncio.run(story())
