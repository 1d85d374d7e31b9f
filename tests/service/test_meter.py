"""What is counted: how often, how long, and at what cost."""

from time import perf_counter

from interlock.service.meter import BOUNDS_S, Meter, Timing


def test_a_duration_falls_into_the_first_bucket_that_holds_it() -> None:
    timing = Timing()
    for took in (0.0, BOUNDS_S[0], BOUNDS_S[0] * 1.01, 100.0):
        timing.add(took)

    assert timing.counts == [2, 1, *[0] * (len(BOUNDS_S) - 2), 1]
    assert timing.total_s == 100.0 + BOUNDS_S[0] * 2.01


def test_what_was_counted_elsewhere_is_added() -> None:
    mine, other = Timing(), Timing()
    mine.add(0.002)
    other.add(0.002)
    other.add(3.5)
    mine.merge(other.counts, other.total_s)

    assert (sum(mine.counts), mine.counts[1], round(mine.total_s, 3)) == (3, 2, 3.504)


def test_commands_are_counted_by_name_way_in_and_code() -> None:
    meter = Meter()
    meter.command("ping", "rest", "OK", 0.001)
    meter.command("ping", "rest", "OK", 0.002)
    meter.command("ping", "mcp", "NOT_ALLOWED", 0.001)

    assert {key: sum(one.counts) for key, one in meter.commands.items()} == {
        ("ping", "rest", "OK"): 2,
        ("ping", "mcp", "NOT_ALLOWED"): 1,
    }


def test_a_stall_is_a_lapse_too() -> None:
    meter = Meter()
    meter.lapse("plan", is_stall=False)
    meter.lapse("plan", is_stall=True)

    assert (meter.lapses, meter.stalls) == ({"plan": 2}, {"plan": 1})


def test_counting_a_command_costs_a_few_microseconds_at_most() -> None:
    meter = Meter()
    best = min(_cost_us(meter) for _ in range(20))

    assert best < 3


def _cost_us(meter: Meter) -> float:
    begun = perf_counter()
    for _ in range(1_000):
        meter.command("submit_step_result", "mcp", "OK", perf_counter() - begun)
    return (perf_counter() - begun) * 1_000


def test_what_was_forgotten_is_added_up_by_what_it_was() -> None:
    meter = Meter()
    meter.prune("replies", 2)
    meter.prune("replies", 3)

    assert meter.pruned == {"replies": 5}
