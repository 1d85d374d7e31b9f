"""The pace: quick commands are waited for; a slow disk, or one that stood still, ends that."""

from interlock.store.sqlite.pace import QUICK_S, Pace

USUAL_S = QUICK_S / 4


def _quick() -> Pace:
    pace = Pace()
    for _ in range(100):
        pace.took(USUAL_S, 1)
    return pace


def _until_quick(pace: Pace) -> int:
    """Return how many quick commands it takes to be trusted again."""
    count = 0
    while not pace.is_quick:
        pace.took(USUAL_S, 1)
        count += 1
    return count


def test_nothing_is_waited_for_before_some_were_quick() -> None:
    assert not Pace().is_quick
    assert 4 < _until_quick(Pace()) < 32


def test_one_that_was_held_up_for_a_moment_changes_nothing_two_do() -> None:
    pace = _quick()
    pace.took(QUICK_S * 5, 1)
    assert pace.is_quick

    pace.took(QUICK_S * 5, 1)
    assert not pace.is_quick


def test_the_slower_it_was_the_longer_it_is_remembered() -> None:
    counts = []
    for held_s in (0.05, 0.5, 5.0):
        pace = _quick()
        pace.took(held_s, 1)
        assert not pace.is_quick
        counts.append(_until_quick(pace))

    assert 0 < counts[0] < counts[1] < counts[2] < 100


def test_a_disk_that_is_always_slow_is_never_waited_for() -> None:
    pace = Pace()
    for _ in range(100):
        pace.took(QUICK_S * 1.01, 1)
        assert not pace.is_quick


def test_a_group_may_take_as_long_as_all_of_its_commands() -> None:
    pace = _quick()
    for _ in range(100):
        pace.took(QUICK_S * 10, 10)
    assert pace.is_quick

    for _ in range(100):
        pace.took(QUICK_S * 10, 9)
    assert not pace.is_quick
