"""The database's clock is known as well as the shortest trip tells it."""

from interlock.store.postgres.offset import AGE_MAX_MS, Offset


def test_the_time_there_was_read_halfway() -> None:
    offset = Offset()
    offset.learn(1000, 1010, 5005)

    assert offset.ms == 4000


def test_a_shorter_trip_says_it_better_and_a_longer_one_worse() -> None:
    offset = Offset()
    offset.learn(1000, 1010, 5009)
    offset.learn(2000, 2002, 6001)
    offset.learn(3000, 3040, 7039)

    assert offset.ms == 4000


def test_an_old_sample_gives_way() -> None:
    offset = Offset()
    offset.learn(1000, 1001, 1000)
    late = 1001 + AGE_MAX_MS
    offset.learn(late, late + 4, late + 5)

    assert offset.ms == 3


def test_a_clock_that_was_set_is_believed_at_once() -> None:
    offset = Offset()
    offset.learn(1000, 1001, 1000)
    offset.learn(1100, 1105, 3_601_102)

    assert offset.ms == 3_600_000
