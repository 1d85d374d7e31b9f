"""A check that has never failed proves nothing: each must notice the bug planted for it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.campaign import Campaign
from tests.crash.nursery import Nursery, nursery
from tests.planted.bugs import BUGS, KILLED, Bug, KilledBug
from tests.races.torture import noticed_planted
from tests.stage import _place, opened

KILLS = 4


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


async def check(bug: Bug, where: Path | str) -> None:
    """Run the check of a bug without the bug."""
    async with opened(where) as stage:
        await bug.check(stage, stage.engine)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.dialect}-{bug.name}")
def test_the_check_passes_without_the_bug_and_fails_with_it(
    request: pytest.FixtureRequest, bug: Bug, tmp_path: Path
) -> None:
    with _place(request, bug.dialect) as where:
        asyncio.run(check(bug, where))
    for left in tmp_path.iterdir():
        left.unlink()
    with _place(request, bug.dialect) as where:
        noticed = asyncio.run(noticed_planted(bug, where))

    assert isinstance(noticed, bug.raises)


@pytest.mark.parametrize("bug", KILLED, ids=lambda bug: f"{bug.name}, {bug.point}")
def test_kills_bring_out_what_was_torn_apart(
    tmp_path: Path, children: Nursery, bug: KilledBug
) -> None:
    findings = {}
    for name in ("", bug.name):
        folder = tmp_path / (name or "sound")
        folder.mkdir()
        campaign = Campaign(children, folder, str(folder / "interlock.db"), seed=7, bug=name)
        for _ in range(KILLS):
            campaign.kill(bug.point)
        campaign.finish()
        findings[name] = asyncio.run(campaign.judge()).findings

    assert findings[""] == []
    assert [finding for finding in findings[bug.name] if bug.finding in finding]


def test_there_are_ten() -> None:
    assert len({bug.name for bug in (*BUGS, *KILLED)}) >= 10
