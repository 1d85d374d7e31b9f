"""A run: real clients work on a real server, which is seen from outside until the time is over."""

import pytest

from tools.postgres.processes import until
from tools.soak.load import Load
from tools.soak.run import STORES, Soak, served, soaked
from tools.soak.sample import sample

ENOUGH = 12


@pytest.mark.parametrize("store", STORES)
def test_everybody_is_answered_and_it_is_seen_from_outside(
    store: str, request: pytest.FixtureRequest
) -> None:
    # To start a server is what takes long; the soak itself runs on both.
    if store != "sqlite" and not request.config.getoption("--long"):
        pytest.skip("on the other store only under --long, and in `make soak`")
    told: list[object] = []
    with served(store, "memory") as (pid, door, disk):
        with Load(door, 90.0) as load:
            until(lambda: load.tally.commands >= ENOUGH or bool(load.wrong), "nobody is answered")
            seen = sample(1.0, pid, disk, load.tally)
        found = soaked(pid, door, disk, Soak(0.2, 0.1, 30.0, warm=2, is_filled=False), told.append)

    assert load.wrong == []
    assert seen.commands >= ENOUGH
    assert min(seen.memory, seen.descriptors, seen.threads, seen.wal, seen.database) > 0
    assert 0 < seen.p50_ms <= seen.p99_ms
    assert told == found
    assert found[-1].at_s >= 0.2
