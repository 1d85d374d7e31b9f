"""What the script of the planning run promises by itself."""

from tests.planning.script import NAMES, SEED, expected


def test_the_votes_are_the_two_ties_and_a_majority() -> None:
    interview, prd, beads = (expected(one) for one in ("interview", "prd", "beads"))

    # The main implementer before the others; behind it the order of the council.
    assert interview == ({"ann": 150, "ben": 150}, "ann")
    assert prd == ({"ann": 50, "ben": 200, "cleo": 200}, "ben")
    assert beads == ({"ann": 145, "ben": 105, "cleo": 185}, "cleo")


def test_another_seed_gives_another_winner() -> None:
    others = [f"pears-{number}" for number in range(20)]
    assert {expected("beads", seed)[1] for seed in others} == set(NAMES)
    assert SEED not in others
