"""Several processes at the same few units at once: one order explains what all of them saw.

``HISTORIES_SEED`` asks for the same chances again; when who does what is the machine's all the same.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.campaign import wanted
from tests.crash.nursery import Nursery, nursery
from tests.histories.torture import HISTORIES, histories
from tests.store.postgres.made import database
from tests.torture.bugs import Bug, bugs, caught
from tests.torture.frame import Leg
from tools.postgres.server import Server


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


@pytest.fixture
def place(postgres_server: Server) -> Iterator[str]:
    with database(postgres_server) as url:
        yield url


def test_one_order_explains_what_everybody_saw(
    tmp_path: Path, children: Nursery, place: str
) -> None:
    seed = wanted("HISTORIES_SEED", random.getrandbits(32))
    tried = histories(Leg(seed, HISTORIES.small, tmp_path), children, place)
    sys.stdout.write(f"seed {seed}: {dict(tried.counts)}\n")

    assert tried.findings == []
    assert tried.counts["operations"] >= HISTORIES.small * 0.99
    assert min(tried.counts.values()) > 0
    assert tried.counts["begun while another process was at the unit"] > HISTORIES.small / 20


@pytest.mark.parametrize("bug", [one for one in bugs() if one.name == "memory believed"])
def test_a_read_from_what_a_process_remembers_is_found(
    tmp_path: Path, children: Nursery, bug: Bug
) -> None:
    tried = histories(Leg(bug.seed, bug.amount, tmp_path, bug.name), children, "")

    assert caught(bug, [*tried.findings]), tried.findings
