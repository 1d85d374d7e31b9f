"""How much is measured: what the two scales promise each other."""

import pytest

from tools.bench.mcp_callers import CALLS_A_STEP
from tools.bench.scale import FULL, QUICK, Scale


@pytest.mark.parametrize("scale", [FULL, QUICK])
def test_no_round_runs_out_of_work(scale: Scale) -> None:
    assert scale.windows * scale.window <= scale.large
    assert scale.window % scale.small == 0
    assert scale.rounds * scale.touched <= scale.few <= scale.crowd
    assert scale.calls % (CALLS_A_STEP * scale.callers) == 0
    # The window after the first one and the last one never meet.
    assert 3 * scale.hop_window <= scale.hops
    assert 3 * scale.chain_window <= scale.chain
    # A step in the middle of a recorded plan stands for all of them.
    assert scale.steps >= 3


def test_the_quick_one_is_quick() -> None:
    assert QUICK.rounds * QUICK.steps * 100 < FULL.rounds * FULL.steps
