"""Idea 2: whatever is said in whatever order, mission and hop stand in a pair of the table."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from interlock.commands.mission.rows import COMMANDS
from interlock.kernel.workflow import Workflow
from interlock.service.engine import Running, running
from interlock.service.verify import verify
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.mission.workflow import WORKFLOW
from tests.ideas.pairs import LEGAL
from tests.ideas.walk import CLOCKED, Walker
from tests.missions import equip
from tests.stage import HOME, _place, opened

WALKS, LENGTH, MOST = 6, 120, 60
WALKS_LONG, LENGTH_LONG = 60, 300
"""How many walks there are, and how long they are; a few more where something was not seen yet."""

CHANGING = {row.name for row in COMMANDS if not row.is_read}
EVERYTHING = CHANGING | {"get_next_work", "release_work"} | CLOCKED.keys()
"""All that can be said with effect."""


@dataclass(slots=True)
class Seen:
    """What the walks have come by."""

    pairs: set[tuple[str, str, bool]] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    # How many times a mission and its successors were begun anew.
    resets: int = 0

    @property
    def is_all(self) -> bool:
        """Whether the walks have come to every pair, and have done everything."""
        return self.pairs == LEGAL and set(self.done) >= EVERYTHING and self.resets > 1


async def walk(
    where: Path | str, walks: int, length: int, flows: Mapping[str, Running] | None = None
) -> Seen:
    """Walk so often, and on until everything was seen; not for ever."""
    seen = Seen()
    async with opened(where) as stage:
        equip(stage)
        stage.engine = replace(stage.engine, flows=flows or stage.engine.flows)
        for seed in range(max(walks, MOST)):
            if seed >= walks and seen.is_all:
                break
            walker = Walker(stage, seed, done=seen.done, said=seen.said)
            await walker.walk(length)
            seen.pairs |= walker.pairs
            seen.resets = max(seen.resets, len(walker.ended))
        assert (await verify(stage.engine, HOME)).findings == []
    return seen


def test_after_every_command_mission_and_hop_fit_together(
    request: pytest.FixtureRequest, often: tuple[str, int, int]
) -> None:
    dialect, walks, length = often
    with _place(request, dialect) as where:
        seen = asyncio.run(walk(where, walks, length))

    assert seen.pairs == LEGAL
    assert EVERYTHING - set(seen.done) == set()
    assert seen.resets > 1


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Walk on SQLite every day, and with --long far, on every store."""
    if "often" not in metafunc.fixturenames:
        return
    rounds = [("sqlite", WALKS, LENGTH)]
    if metafunc.config.getoption("--long", default=False):
        rounds = [(dialect, WALKS_LONG, LENGTH_LONG) for dialect in ("sqlite", "postgres")]
    metafunc.parametrize("often", rounds, ids=str)


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
        _without("hop cancelled: its steps", "tool steps run", "assets are made"),
    ],
)
def test_a_bug_is_noticed(tmp_path: Path, flows: Mapping[str, Workflow]) -> None:
    with pytest.raises(AssertionError, match="after"):
        asyncio.run(walk(tmp_path / "interlock.db", WALKS, LENGTH, running(flows)))
