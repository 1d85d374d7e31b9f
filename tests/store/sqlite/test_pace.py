"""The pace: quick commands are waited for, one slow one ends that for a while."""

from interlock.store.sqlite.pace import PROBATION, QUICK_S, TRIAL, Pace


def _quick() -> Pace:
    pace = Pace()
    pace.took(0.0, TRIAL)
    return pace


def test_nothing_is_waited_for_before_enough_was_quick() -> None:
    pace = Pace()
    for _ in range(TRIAL - 1):
        pace.took(QUICK_S, 1)
        assert not pace.is_quick
    pace.took(QUICK_S, 1)
    assert pace.is_quick


def test_one_that_takes_its_time_sends_many_to_the_thread() -> None:
    pace = _quick()
    pace.took(QUICK_S * 1.01, 1)
    for _ in range(PROBATION):
        assert not pace.is_quick
        pace.took(0.0, 1)
    assert pace.is_quick


def test_a_group_may_take_as_long_as_all_of_its_commands() -> None:
    pace = _quick()
    pace.took(QUICK_S * 10, 10)
    assert pace.is_quick
    pace.took(QUICK_S * 10, 9)
    assert not pace.is_quick
