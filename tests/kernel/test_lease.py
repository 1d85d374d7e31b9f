"""Leases and fences: who may act on a part, and what a claim leaves behind."""

import pytest

from interlock.kernel.draft import Draft
from interlock.kernel.lease import (
    LEASE_FUNCTIONS,
    grant,
    is_mine,
    is_takeable,
    is_unclaimed,
    keep,
    lapse,
)
from interlock.kernel.rules import AGENT
from interlock.kernel.seen import Actor, Event, Part, Seen, Unit
from tests.kernel.tiny import CASES

ME = Actor(AGENT, "me", "session-1")


def held(holder: str | None, number: int, *, lapsed: bool = False, by: Actor = ME,
         **args: object) -> Draft:  # fmt: skip
    """Return a draft about an item whose last claim had this number."""
    fields = {"holder": holder, "fence": number, "lapsed": lapsed, "note": ""}
    part = Part("item", "held", dict[str, object](fields))
    seen = Seen(Unit("busy", {}), {"item": {"held": 1}}, part)
    return Draft(CASES, seen, Event("probe", by, "1", args), 0)


@pytest.mark.parametrize(
    ("sheet", "mine"),
    [
        (held("other", 3, fence=3), True),
        (held("session-1", 3, fence=2), False),
        (held("session-1", 3, fence="3"), False),
        (held(None, 0), True),
        (held(None, 3), True),
        (held("session-1", 3), True),
        (held("other", 3), False),
        (held("me", 3, by=Actor(AGENT, "me")), True),
        (held("me", 3), False),
    ],
    ids=[
        "the last fence is good whoever brings it",
        "an older fence is not, even from the holder",
        "a fence is a number",
        "nobody ever claimed it",
        "nobody holds it",
        "the same session needs no fence",
        "another session does",
        "without a session the principal counts",
        "with a session the principal does not",
    ],
)
def test_a_part_is_mine_by_fence_or_by_session(sheet: Draft, *, mine: bool) -> None:
    assert is_mine(sheet) is mine


def test_a_part_is_unclaimed_until_its_first_fence() -> None:
    assert is_unclaimed(held(None, 0))
    assert not is_unclaimed(held(None, 1))


def test_a_part_is_takeable_when_nobody_holds_it_or_its_lease_ran_out() -> None:
    assert is_takeable(held(None, 1))
    assert is_takeable(held("other", 1, lapsed=True))
    assert not is_takeable(held("other", 1))


def test_a_claim_gives_the_part_to_the_session_with_the_next_fence() -> None:
    sheet = held("other", 4, lapsed=True)
    grant(sheet)

    assert sheet.part.fields == {"holder": "session-1", "fence": 5, "lapsed": False, "note": ""}
    assert [(e.field, e.value) for e in sheet.decision().entries] == [  # type: ignore[union-attr]
        ("fence", 5),
        ("holder", "session-1"),
        ("lapsed", False),
    ]


def test_a_claim_without_a_session_is_the_principals() -> None:
    sheet = held(None, 0, by=Actor(AGENT, "me"))
    grant(sheet)

    assert sheet.part.fields["holder"] == "me"


def test_a_lease_lapses_and_a_sign_of_life_mends_it_while_the_fence_stays() -> None:
    sheet = held("other", 2)
    lapse(sheet)
    assert sheet.part.fields["lapsed"] is True
    keep(sheet)

    assert sheet.part.fields == {"holder": "other", "fence": 2, "lapsed": False, "note": ""}


def test_workflows_register_them_by_name() -> None:
    assert sorted(LEASE_FUNCTIONS) == [
        "grant_lease",
        "keep_lease",
        "lapse_lease",
        "lease_is_mine",
        "lease_is_takeable",
        "never_claimed",
    ]
