"""The piece of work that is measured: our plan, claimed and submitted to its end."""

import pytest

from tools.bench.plan import FENCE, STEPS, ours


@pytest.mark.parametrize("steps", [1, 2, STEPS])
def test_every_step_is_claimed_and_submitted(steps: int) -> None:
    assert ours(steps)() == ("completed", ["completed"] * steps, 2 * steps)


def test_setting_up_plays_nothing() -> None:
    first, second = ours(2), ours(2)

    assert first() == second()


def test_the_fence_is_that_of_the_first_claim() -> None:
    assert FENCE == {"fence": 1}
