"""Both campaigns at their small figures: one order explains what all saw, and the counts are exact.

``TORTURE_SEED`` asks for the same chances again; when who does what is the machine's all the same.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.crash.nursery import Nursery, nursery
from tests.histories.planting import ID_WITHOUT_PRINCIPAL, MEMORY_BELIEVED
from tests.histories.torture import COUNTERS, HISTORIES, counters, histories
from tests.store.postgres.made import database
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg, Tried
from tests.torture.small import small_seed
from tools.postgres.server import Server


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


@pytest.fixture
def place(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as url:
        yield url


@pytest.fixture
def seed() -> int:
    return small_seed("histories")


def told(tried: Tried) -> str:
    """Say what a leg came to, as a leg in a process of its own does."""
    return json.dumps(asdict(tried))


def test_one_order_explains_what_everybody_saw(
    tmp_path: Path, children: Nursery, place: str, seed: int
) -> None:
    tried = histories(Leg(seed, HISTORIES.small, tmp_path), children, place)
    sys.stdout.write(f"seed {seed}: {told(tried)}\n")

    assert tried.findings == []
    assert tried.counts["operations"] >= HISTORIES.small
    assert min(tried.counts.values()) > 0


@pytest.mark.parametrize("bug", [one for one in bugs() if one.name == MEMORY_BELIEVED])
def test_a_read_from_what_a_process_remembers_is_found(
    tmp_path: Path, children: Nursery, bug: Bug
) -> None:
    tried = histories(Leg(bug.seed, bug.amount, tmp_path, bug.name), children, "")

    assert caught(bug, [*tried.findings]), tried.findings


def test_killed_and_cut_off_programs_leave_exactly_what_they_must(
    tmp_path: Path, children: Nursery, place: str, seed: int
) -> None:
    tried = counters(Leg(seed, COUNTERS.small, tmp_path), children, place)
    sys.stdout.write(f"seed {seed}: {told(tried)}\n")

    assert tried.findings == []
    assert tried.counts["commands"] >= COUNTERS.small
    assert set(tried.faults) == {
        "SIGKILL, sqlite", "SIGKILL, postgres", "connections cut, postgres"
    }  # fmt: skip


@pytest.mark.parametrize("bug", [one for one in bugs() if one.name == ID_WITHOUT_PRINCIPAL])
def test_a_request_id_that_others_have_used_is_found(
    tmp_path: Path, children: Nursery, bug: Bug
) -> None:
    tried = counters(Leg(bug.seed, bug.amount, tmp_path, bug.name), children, "")

    assert caught(bug, [*tried.findings]), tried.findings
