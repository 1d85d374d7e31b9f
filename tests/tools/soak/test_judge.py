"""The judge: what is flat is flat, each kind of growth is found, and noise is not taken for it."""

import random

import pytest

from tools.soak.judge import Sample, Verdict, judge, slope, table

SAMPLES = 60
PER_SAMPLE = 600
MIB = 1024 * 1024


def _samples(**grows: float) -> list[Sample]:
    """Return a server as they are: noisy, and with a cache that fills in the first quarter.

    ``grows`` says by how much something grows with every sample.
    """
    chance = random.Random(7)  # noqa: S311 (noise, always the same)
    found = []
    for place in range(1, SAMPLES + 1):
        cache = min(place, SAMPLES // 4) * MIB
        found.append(Sample(
            at_s=10.0 * place,
            commands=PER_SAMPLE * place,
            memory=int(130 * MIB + cache + chance.uniform(-1, 1) * MIB / 4 + place * grows.get("memory", 0)),
            descriptors=26 + chance.choice((-1, 0, 0, 1)) + int(place * grows.get("descriptors", 0)),
            threads=3 + int(place * grows.get("threads", 0)),
            wal=int(4 * MIB + place * grows.get("wal", 0)),
            database=int(4_000 * PER_SAMPLE * (place + grows.get("database", 0) * place**2)),
            p50_ms=5.0,
            # Somebody else uses the machine now and then.
            p99_ms=(30.0 + place * grows.get("p99", 0)) * chance.choice((1, 1, 1, 1, 4)),
        ))  # fmt: skip
    return found


def _wrong(samples: list[Sample]) -> list[str]:
    return [one.what for one in judge(samples, "sqlite") if not one.is_met]


def test_a_server_that_is_only_noisy_is_flat() -> None:
    assert _wrong(_samples()) == []


@pytest.mark.parametrize(
    ("grows", "by", "found"),
    [
        ("memory", 600 * 500, "memory left behind by 1,000 commands, at most"),
        ("descriptors", 0.2, "descriptors more than at first"),
        ("threads", 0.2, "threads more than at first"),
        ("wal", 1.5 * MIB, "largest WAL"),
        ("database", 0.02, "bytes a command at the end beside the beginning"),
        ("p99", 10.0, "p99 at the end beside the beginning, at least"),
    ],
)
def test_what_grows_is_found_and_nothing_else(grows: str, by: float, found: str) -> None:
    assert _wrong(_samples(**{grows: by})) == [found]


def test_the_slope_is_not_moved_by_some_odd_points() -> None:
    points = [(float(x), 2.0 * x) for x in range(20)]
    points[7], points[13] = (7.0, 900.0), (13.0, -900.0)

    assert slope(points).middle == pytest.approx(2.0)
    assert slope([(1.0, 1.0)]) == (0.0, 0.0, 0.0)


def test_the_error_of_a_slope_holds_it_and_shrinks_with_more_points() -> None:
    chance = random.Random(3)  # noqa: S311 (noise, always the same)
    points = [(float(x), 2.0 * x + chance.gauss(0, 20)) for x in range(80)]
    few, many = slope(points[:10]), slope(points)

    assert few.low <= 2.0 <= few.high
    assert many.low < 2.0 < many.high
    assert many.high - many.low < (few.high - few.low) / 4


def test_a_soak_that_is_too_short_to_tell_is_not_flat() -> None:
    short = _samples()[15:25]

    assert _wrong(short) == ["memory left behind by 1,000 commands, at most"]
    assert "NOT SURE" in judge(short, "sqlite")[0].word
    assert judge(_samples(memory=600 * 500), "sqlite")[0].word == "GROWS"


def test_a_few_samples_are_not_judged() -> None:
    with pytest.raises(ValueError, match="7 samples are too few"):
        judge(_samples()[:7], "sqlite")


def test_the_table_has_samples_and_every_verdict() -> None:
    samples = _samples()
    lines = table(samples, [*judge(samples, "sqlite"), Verdict("leaks", 9.0, 1.0, "KiB")])

    assert lines[0].split()[:3] == ["seconds", "commands", "memory"]
    assert lines[-8].split()[:2] == ["600", "36,000"]
    assert lines[-1].split() == ["leaks", "9.0", "KiB", "at", "most", "1", "GROWS"]
    assert sum(line.endswith("ok") for line in lines) == 6


def test_a_log_is_judged_by_its_store() -> None:
    larger = _samples(wal=1.5 * MIB)

    assert [one.is_met for one in judge(larger, "postgres")] == [True] * 6
