"""The load: the tally and the pace; the callers themselves work in the test of a run."""

import threading
import time

import pytest

from tools.soak.load import Door, Load, Pace, Stopped, Tally


def test_the_tally_tells_quantiles_of_what_came_since() -> None:
    tally = Tally()
    for _ in range(3):
        with tally.timed():
            pass
    commands, p50, p99 = tally.taken()

    assert commands == 3
    assert 0 < p50 <= p99
    assert tally.taken() == (3, 0.0, 0.0)


def test_the_pace_holds_a_caller_back_and_ends_with_the_soak() -> None:
    stop = threading.Event()
    pace = Pace(50.0, stop)
    begun = time.monotonic()
    for _ in range(5):
        pace.wait()

    assert time.monotonic() - begun >= 0.09
    stop.set()
    with pytest.raises(Stopped):
        pace.wait()


def test_who_cannot_call_ends_the_soak() -> None:
    # Nobody listens on the first port, and nobody may.
    with Load(Door(1, "il_x", "interlock=x"), 30.0) as load, pytest.raises(ConnectionRefusedError):
        load.wait(60)
