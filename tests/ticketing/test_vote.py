"""The vote: orders that never change, blind labels, sums, and ties."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.vote import CRITERIA, labels, scores, shuffled, totals, vote_schema, winner


def a_vote(domain: str, *points: int) -> dict[str, object]:
    """Return a vote that gives each draft so many points on every criterion."""
    each = {
        label: dict.fromkeys(CRITERIA[domain], given)
        for label, given in zip(labels(len(points)), points, strict=True)
    }
    return {"scores": each}


@pytest.mark.parametrize(
    ("seed", "members", "order"),
    [
        # Stored seeds must give these orders for ever; never change a row.
        ("seed", 3, (1, 2, 0)),
        ("seed", 10, (5, 4, 8, 1, 2, 0, 3, 6, 7, 9)),
        ("", 3, (1, 0, 2)),
        ("", 10, (7, 2, 5, 4, 0, 1, 3, 8, 6, 9)),
        ("é", 3, (2, 1, 0)),
        ("é", 10, (0, 6, 4, 9, 1, 8, 2, 5, 7, 3)),
        ("seed", 1, (0,)),
    ],
)
def test_the_order_follows_from_the_seed_for_ever(
    seed: str, members: int, order: tuple[int, ...]
) -> None:
    assert shuffled(seed, range(members)) == order


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sets(st.integers(0, 9)))
def test_an_order_holds_every_member_once(seed: str, members: set[int]) -> None:
    order = shuffled(seed, tuple(members))

    assert sorted(order) == sorted(members)
    assert order == shuffled(seed, sorted(members, reverse=True))


def test_no_order_comes_much_oftener_than_another() -> None:
    times = Counter(shuffled(f"voter {number}", range(3)) for number in range(6000))

    assert len(times) == 6
    assert all(850 < found < 1150 for found in times.values())


@pytest.mark.parametrize("domain", CRITERIA)
def test_a_vote_is_counted_for_the_members_behind_the_labels(domain: str) -> None:
    assert len(CRITERIA[domain]) == 5
    assert scores(domain, a_vote(domain, 20, 0, 7), (2, 0, 1)) == {2: 100, 0: 0, 1: 35}


@given(st.lists(st.tuples(st.text("abc"), st.tuples(*[st.integers(0, 20)] * 4)), min_size=1))
def test_no_order_changes_what_a_draft_gets(voters: list[tuple[str, tuple[int, ...]]]) -> None:
    votes = []
    for seed, points in voters:
        order = shuffled(seed, range(4))
        votes.append(scores("beads", a_vote("beads", *(points[member] for member in order)), order))

    sums = totals(votes)
    assert sums == {member: 5 * sum(points[member] for _, points in voters) for member in range(4)}
    assert sums[winner(sums)] == max(sums.values())


def test_a_whole_number_may_come_with_a_point() -> None:
    vote = {"scores": {"Draft 1": dict.fromkeys(CRITERIA["prd"], 19.0)}}

    assert scores("prd", vote, (4,)) == {4: 95}


def changed(**points: object) -> dict[str, object]:
    first = {**dict.fromkeys(CRITERIA["prd"], 5), **points}
    return {"scores": {"Draft 1": first, "Draft 2": dict.fromkeys(CRITERIA["prd"], 5)}}


@pytest.mark.parametrize(
    ("vote", "path"),
    [
        (a_vote("prd", 1), '$.scores["Draft 2"]'),
        (a_vote("prd", 1, 2, 3), '$.scores["Draft 3"]'),
        (a_vote("beads", 1, 2), '$.scores["Draft 1"].feasibility'),
        (changed(coverage=21), '$.scores["Draft 1"].coverage'),
        (changed(coverage=-1), '$.scores["Draft 1"].coverage'),
        (changed(coverage=1.5), '$.scores["Draft 1"].coverage'),
        (changed(coverage="20"), '$.scores["Draft 1"].coverage'),
        (changed(charm=20), '$.scores["Draft 1"].charm'),
        ({**changed(), "total": 5}, "$.total"),
    ],
)
def test_a_vote_that_is_not_whole_and_in_range_is_refused(
    vote: dict[str, object], path: str
) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        scores("prd", vote, (0, 1))

    assert path in [one.path for one in caught.value.wrong]


def test_sums_are_ours_and_ties_go_to_the_first_in_the_council() -> None:
    sums = totals([{0: 10, 1: 40, 2: 30}, {0: 50, 1: 20, 2: 30}])

    assert sums == {0: 60, 1: 60, 2: 60}
    assert winner(sums) == 0
    assert winner({2: 60, 1: 60, 0: 59}) == 1
    assert winner({0: 1, 3: 2}) == 3


def test_the_schema_says_what_each_criterion_means() -> None:
    text = str(vote_schema("interview", 1))

    assert all(about in text for about in CRITERIA["interview"].values())
