"""What is spent of a budget, and what is left to do: plain figures, with what they are made of."""

from interlock.doors.web.ticket.gauge import estimate, gauges

SPENT = {
    "budget": {"tokens": 100_000, "cost_micros": 5_000_000, "seconds": 36_000},
    "spent": {"tokens": 90_000, "cost_micros": 1_230_000, "seconds": 600, "attempts": 3},
}  # fmt: skip


def test_each_limit_is_told_with_what_was_spent() -> None:
    found = {one.name: one for one in gauges(SPENT)}

    assert [one.words for one in found.values()] == [
        "90,000 of 100,000", "1.23 of 5.00", "10 min of 10 h", "3, without a limit",
    ]  # fmt: skip
    assert [one.look for one in found.values()] == ["nearly", "well", "well", "free"]
    assert (found["tokens"].share, found["attempts"].share) == (90, 0)


def test_what_is_spent_says_so_and_fills_the_bar_once() -> None:
    (tokens, *_) = gauges({"spent": {"tokens": 30}, "budget": {"tokens": 10}})
    (none, *_) = gauges({"spent": {}, "budget": {"tokens": 0}})

    assert (tokens.look, tokens.share) == ("spent", 100)
    assert (none.look, none.share) == ("spent", 100)


def test_without_anything_spent_or_limited_there_is_no_gauge() -> None:
    assert gauges({"spent": None, "budget": None}) == ()
    assert gauges({"spent": {"tokens": 0}, "budget": {"tokens": None}}) == ()


def test_an_estimate_is_the_median_times_what_is_left_and_says_from_how_many() -> None:
    found = estimate([60, 3_000, 120], 4)
    assert found is not None

    assert (found.seconds, found.words) == (480, "about 8 min, from 3 finished beads")
    parallel = estimate([60], 3, 2)
    assert parallel is not None
    assert (parallel.seconds, parallel.words) == (120, "about 2 min, from 1 finished bead")
    assert estimate([], 4) is None
    assert estimate([60], 0) is None
