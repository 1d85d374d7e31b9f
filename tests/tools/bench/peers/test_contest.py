"""The contest: everybody in every round, medians with both ends, and us beside each peer."""

from tools.bench.peers.contest import OURS, contest


def test_everybody_plays_in_every_round_and_peers_are_compared_with_us() -> None:
    rates = {name: iter(found) for name, found in {
        "floor: a loop": (100.0, 90.0, 110.0), OURS: (50.0, 60.0, 40.0), "Burr, run": (10.0, 30.0, 20.0),
    }.items()}  # fmt: skip
    entrants = {name: lambda found=found: next(found) for name, found in rates.items()}

    found, figures = contest("SQLite", 1, entrants, 3)

    assert [(one.name, one.low, one.median, one.high) for one in found.standings] == [
        ("floor: a loop", 90.0, 100.0, 110.0), (OURS, 40.0, 50.0, 60.0), ("Burr, run", 10.0, 20.0, 30.0),
    ]  # fmt: skip
    assert [(one.name, one.ratio, one.rounds) for one in figures] == [
        ("SQLite, 1 plan beside Burr, run", 2.0, 3),
    ]
    assert found.data()["plans"] == 1


def test_many_plans_are_told_as_many() -> None:
    entrants = {OURS: lambda: 4.0, "DBOS, steps": lambda: 2.0}

    assert (
        contest("PostgreSQL", 32, entrants, 1)[1][0].name
        == "PostgreSQL, 32 plans beside DBOS, steps"
    )
