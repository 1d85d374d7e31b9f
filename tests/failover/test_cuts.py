"""Connections to PostgreSQL are lost in every way: nothing is lost with them, nothing comes twice.

``TORTURE_SEED`` asks for another seed.
"""

import sys
from pathlib import Path

from tests.failover.cuts import HOWS, POSTGRES_CUTS, run
from tests.planted.in_postgres import FINAL
from tests.torture.bugs import bugs, caught
from tests.torture.frame import Leg
from tests.torture.small import small_seed


def test_whoever_was_not_answered_asks_again_and_finds_the_one_true_outcome(tmp_path: Path) -> None:
    seed = small_seed("postgres-cuts")
    tried = run(Leg(seed, POSTGRES_CUTS.small, tmp_path))
    sys.stdout.write(f"seed {seed}: {tried}\n")

    assert tried.findings == []
    assert set(tried.faults) == {str(how) for how in HOWS}
    assert tried.counts["broken"] == POSTGRES_CUTS.small
    # Some were cut between their commit and their answer.
    assert tried.counts["committed and not heard of"] > 0


def test_a_lost_connection_that_is_told_as_final_is_noticed(tmp_path: Path) -> None:
    (bug,) = (one for one in bugs() if one.name == FINAL)
    tried = run(Leg(bug.seed, bug.amount, tmp_path, FINAL))

    assert caught(bug, [*tried.findings])
