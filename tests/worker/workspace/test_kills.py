"""Workers killed with no warning, at whatever they do with a tree: the next one goes on."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interlock.worker.workspace.origin import Origin
from tests.worker.shop import wait_for
from tests.worker.workspace.ground import TICKET, Ground, contents_in, done, ground, ground_of
from tests.worker.workspace.repositories import plain, repository

WORKING = """
import asyncio, sys
from pathlib import Path
from interlock.clock import SystemClock
from interlock.worker.workspace.room import Site

async def work(data, ticket):
    site = await Site.open(Path(data), SystemClock())
    tree = site.tree(ticket)
    base = await tree.head()
    print("begun", flush=True)
    number = 0
    while True:
        number += 1
        await tree.fresh(base)
        (tree.folder / "new").mkdir()
        for name in range(20):
            (tree.folder / "new" / str(name)).write_text(str(number))
        (tree.folder / "shop.py").write_text(str(number))
        found = await tree.look()
        assert not found.refused, found
        commit = await tree.commit(base, "Change", found.tree)
        await tree.fresh(commit)
        await tree.squash("All", "main")
        await tree.copy(1).fresh(commit)
        await tree.copy(1).remove()

asyncio.run(work(*sys.argv[1:]))
"""

MAKING = """
import asyncio, sys
from pathlib import Path
from interlock.clock import SystemClock
from interlock.worker.workspace.origin import Origin
from interlock.worker.workspace.room import Site

async def make(data, ticket, there):
    site = await Site.open(Path(data), SystemClock())
    print("begun", flush=True)
    while True:
        await site.tree(ticket).make(Origin(there, "main"))
        await site.tree(ticket).remove()

asyncio.run(make(*sys.argv[1:]))
"""


def killed_after(script: str, seconds: float, *words: str) -> None:
    """Let a worker work for a moment, then kill it."""
    line = [sys.executable, "-c", script, *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "begun\n"
        time.sleep(seconds)
        worker.kill()
    assert worker.returncode == -9


def moments(request: pytest.FixtureRequest) -> list[float]:
    """Return when to kill: a few times daily, many times in the long run."""
    chance = random.Random(9)  # noqa: S311 (moments, no secrets)
    is_long = request.config.getoption("--long", default=False)
    return [chance.uniform(0.0, 0.6) for _ in range(60 if is_long else 5)]


def test_killed_at_work_nothing_is_lost_or_half(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    here = ground(tmp_path)
    for seconds in moments(request):
        killed_after(WORKING, seconds, str(here.site.data), TICKET)
        done(here.site.reconcile())
        head = done(here.tree.head())
        plain(here.vault, "fsck", "--strict", "--connectivity-only")
        plain(here.vault, "merge-base", "--is-ancestor", here.base, head)
        here.fresh(head)
        assert contents_in(here.folder) == here.in_commit(head)
        assert here.look().is_clean
        here.fresh()
        assert [one.name for one in here.site.room.glob("*/trees/*making*")] == []


def is_tidy(here: Ground) -> bool:
    """Reconcile, and say whether nothing is there that is half."""
    done(here.site.reconcile())
    return {one.name for one in here.site.room.iterdir()} <= {".locks", TICKET}


def test_killed_while_making_or_removing_nothing_is_left_over(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    there = repository(tmp_path / "there")
    here = ground_of(tmp_path, there)
    for seconds in moments(request):
        killed_after(MAKING, seconds, str(here.site.data), TICKET, str(there))
        # The git of the dead one ends by itself; until then it may write once more.
        wait_for(lambda: is_tidy(here))
        assert done(here.tree.make(Origin(str(there), "main"))) == here.base
        assert here.look().is_clean
