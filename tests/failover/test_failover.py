"""The primary of a real cluster is lost under load, and nothing is lost with it.

``TORTURE_SEED`` asks for another seed, which draws how it is lost. The bugs that this campaign
must find each need a cluster of their own: ``make torture`` plants them.
"""

import sys
from pathlib import Path

import pytest

from tests.failover.failover import FAIL_OVER, HOWS, SWITCHED, run
from tests.torture.frame import Leg
from tests.torture.small import small_seed


@pytest.mark.skipif(bool(FAIL_OVER.lacks()), reason=f"no cluster: {FAIL_OVER.lacks()}")
def test_another_primary_takes_over_and_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    seed = small_seed("fail-over")
    tried = run(Leg(seed, FAIL_OVER.small, tmp_path))
    sys.stdout.write(f"seed {seed}: {tried}\n")

    assert tried.findings == []
    assert tried.counts["broken"] == FAIL_OVER.small
    assert set(tried.faults) <= set(HOWS)
    # Between two primaries nobody could be served; who steps down in order is hardly missed.
    assert tried.counts["asked and not ready"] > 0 or SWITCHED in tried.faults
