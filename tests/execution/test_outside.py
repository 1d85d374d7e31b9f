"""A request that somebody merges elsewhere is noticed by the worker that opened it, once."""

import asyncio
import json
from pathlib import Path

from interlock.cli.demo import feature
from interlock.client import Client
from interlock.clock import SystemClock
from interlock.worker.execution.watch import REVIEW, Watch
from interlock.worker.workspace.room import Site
from tests.execution.ground import Ground, open_ground
from tests.execution.proof import check_feature
from tests.execution.test_run import decided, phases_of


def merge_elsewhere(ground: Ground) -> str:
    """Merge the request as a person would, past everything of ours; return the commit."""
    base = ground.git("rev-parse", feature.BRANCH)
    head = ground.git("rev-parse", "refs/pull/1/head")
    tree = ground.git("merge-tree", "--write-tree", base, head)
    made = ground.git("commit-tree", tree, "-p", base, "-p", head, "-m", "By hand")
    ground.git("update-ref", f"refs/heads/{feature.BRANCH}", made)
    return made


async def looked(ground: Ground, url: str) -> list[int]:
    """Look after the requests of the worker's site, twice."""
    site = await Site.open(ground.room, SystemClock())
    async with Client(url, ground.worker) as client:
        watch = Watch(site, client.call, first_s=0)
        return [await watch.look() for _ in range(2)]


def test_an_outside_merge_ends_the_ticket_and_nothing_is_merged_again(tmp_path: Path) -> None:
    ground = open_ground(tmp_path)
    with ground.base.serving() as server:
        with ground.working(server.url):
            name = asyncio.run(ground.begin(server.url))
            told = asyncio.run(decided(ground, server.url, name, REVIEW))
            assert told["phase"]["name"] == REVIEW, json.dumps(told.get("error"))
        assert asyncio.run(looked(ground, server.url)) == [0, 0], "nobody has merged it"
        made = merge_elsewhere(ground)
        assert asyncio.run(looked(ground, server.url)) == [1, 0], "it is told once"
        with ground.working(server.url):
            told = asyncio.run(decided(ground, server.url, name))

    assert told["phase"]["name"] == "COMPLETED", json.dumps(told.get("error"))
    assert phases_of(ground.audit(name))[-2:] == ("CLEANING_ENV", "COMPLETED")
    assert ground.git("rev-parse", feature.BRANCH) == made
    check_feature(ground)
