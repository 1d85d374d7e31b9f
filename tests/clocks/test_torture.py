"""Two hundred jumps of the wall clocks of real processes, and a planted bug that they find."""

from pathlib import Path

import pytest

from tests.clocks.planted import RAW
from tests.clocks.torture import CLOCKS
from tests.native import lacks_compiler
from tests.torture.frame import Leg
from tests.torture.small import small_seed

pytestmark = pytest.mark.skipif(bool(lacks_compiler()), reason=f"lacks {lacks_compiler()}")


def test_whatever_clocks_do_only_time_that_passes_ends_a_lease(tmp_path: Path) -> None:
    seed = small_seed("clocks")
    tried = CLOCKS.run(Leg(seed, CLOCKS.small, tmp_path))
    print(f"seed {seed}: {tried.counts}, {tried.faults}")  # noqa: T201  to repeat it

    assert tried.findings == []
    assert tried.counts["jumps"] == CLOCKS.small
    assert tried.counts["late results"] > 10
    assert len(tried.faults) == 6


def test_time_by_the_wall_clock_is_noticed(tmp_path: Path) -> None:
    tried = CLOCKS.run(Leg(1, 6, tmp_path, RAW))

    assert [one for one in tried.findings if "leases that" in one]
