"""The engine does what the model does: every reachable state, every command, on a real store.

The checker proves things of the model. They hold of the product only if the product does in each
state with each command exactly what the model says, so that is tried here, one by one. Daily every
state of plans is tried and of missions and tickets a part, always the same; --long tries them all.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.stores import OPENINGS, engine_on
from tests.conformance.trial import Count, Trial
from tests.conformance.tries import explored
from tests.still import StillClock

# Workflow, bound, into how many tests its states are dealt, so that several can run at once, and
# how many of these are run.
SHORT = (("plan", 2, 2, 2), ("mission of one tool step", 1, 8, 2), ("ticket", 1, 24, 1))
LONG = (("plan", 3, 8, 8), ("mission", 1, 4, 4), ("mission", 2, 12, 12), ("ticket", 2, 8, 8))
VERIFIED_OF_SHORT = 3
SHOWN_MAX = 20


@dataclass(frozen=True, slots=True)
class Deal:
    """Some of the states of one workflow, on one store."""

    store: str
    workflow: str
    bound: int
    hand: int
    hands: int
    verify_every: int

    def __str__(self) -> str:
        """Name the deal."""
        return f"{self.store}, {self.workflow} up to {self.bound}, {self.hand + 1} of {self.hands}"


def _deals(
    rows: tuple[tuple[str, int, int, int], ...], store: str, verify_every: int
) -> Iterator[Deal]:
    for workflow, bound, hands, played in rows:
        for hand in range(played):
            yield Deal(store, workflow, bound, hand, hands, verify_every)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Deal small bounds on SQLite, or with --long large ones on every store."""
    if "deal" not in metafunc.fixturenames:
        return
    deals = list(_deals(SHORT, "sqlite", VERIFIED_OF_SHORT))
    if metafunc.config.getoption("--long", default=False):
        deals = [deal for store in OPENINGS for deal in _deals(LONG, store, 1)]
    metafunc.parametrize("deal", deals, ids=str)


def test_every_command_in_every_state_does_what_the_kernel_says(
    tmp_path: Path, request: pytest.FixtureRequest, deal: Deal
) -> None:
    found = explored(deal.workflow, deal.bound)
    opening = OPENINGS[deal.store](request, tmp_path)

    async def run() -> Count:
        clock = StillClock()
        async with opening(clock) as store:
            trial = Trial(engine_on(store, clock), deal.verify_every)
            await trial.all_of(found, range(deal.hand, len(found.states), deal.hands))
            return trial.count

    count = asyncio.run(run())
    print(f"{deal}: {count}")  # noqa: T201  what was covered is half of the verdict

    assert min(count.states, count.accepted, count.refused, count.verified) > 0
    assert not count.wrong, "\n".join(count.wrong[:SHOWN_MAX])
