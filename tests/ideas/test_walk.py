"""Idea 2: whatever is said in whatever order, mission and hop stand in a pair of the table."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running, running
from interlock.service.verify import verify
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.mission.workflow import WORKFLOW
from tests.ideas.pairs import LEGAL
from tests.ideas.walk import CLOCKED, WORDS, Walker
from tests.missions import equip
from tests.stage import HOME, _place, opened

WALKS, LENGTH = 16, 100
WALKS_LONG, LENGTH_LONG = 200, 300


async def walk(
    where: Path | str, walks: int, length: int, flows: Mapping[str, Running] | None = None
) -> tuple[set[tuple[str, str, bool]], Counter[str], int]:
    """Walk often; return which pairs were seen, what was done, and how long a chain became."""
    pairs: set[tuple[str, str, bool]] = set()
    done: Counter[str] = Counter()
    longest = 0
    async with opened(where) as stage:
        equip(stage)
        stage.engine = replace(stage.engine, flows=flows or stage.engine.flows)
        for seed in range(walks):
            walker = Walker(stage, seed)
            await walker.walk(length)
            pairs |= walker.pairs
            done += walker.done
            longest = max(longest, len(walker.ended))
        assert (await verify(stage.engine, HOME)).findings == []
    return pairs, done, longest


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_after_every_command_mission_and_hop_fit_together(
    request: pytest.FixtureRequest, dialect: str
) -> None:
    is_long = request.config.getoption("--long", default=False)
    walks, length = (WALKS_LONG, LENGTH_LONG) if is_long else (WALKS, LENGTH)
    if dialect == "postgres":
        walks = max(walks // 8, 1)
    with _place(request, dialect) as where:
        pairs, done, longest = asyncio.run(walk(where, walks, length))

    if dialect == "sqlite":
        # The walks say something: they come to every pair, and do everything.
        assert pairs == LEGAL
        assert set(done) | {"expire"} == {*WORDS, *CLOCKED}
        assert longest > 1


def _without(name: str, *pairs: str) -> Mapping[str, Workflow]:
    """Return the workflows with a bug: something that should follow does not."""
    flow = replace(
        WORKFLOW,
        cascades=tuple(one for one in WORKFLOW.cascades if one.name != name),
        lifts=tuple(one for one in WORKFLOW.lifts if one.name != name),
        pairs=tuple(one for one in WORKFLOW.pairs if not one.name.startswith(pairs)),
    )
    return {**WORKFLOWS, "mission": flow}


@pytest.mark.parametrize(
    "flows",
    [
        _without("mission cancelled", "an ended mission", "tool steps run", "assets are made"),
        _without("mission failed", "an ended mission", "tool steps run", "assets are made"),
        _without("step cancelled: its outputs", "assets are made"),
    ],
)
def test_a_bug_is_noticed(tmp_path: Path, flows: Mapping[str, Workflow]) -> None:
    with pytest.raises(AssertionError, match="after"):
        asyncio.run(walk(tmp_path / "interlock.db", WALKS, LENGTH, running(flows)))
