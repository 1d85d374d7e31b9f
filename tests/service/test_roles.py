"""Roles: what each gives, and that nobody gives more than they have."""

from dataclasses import replace

import pytest

from interlock.service.errors import NotAllowed
from interlock.service.roles import (
    GIVES,
    ROLES,
    as_person,
    require_gift,
    require_person,
    require_rank,
)
from interlock.store.people import UserRow
from tests.stage import ADA, HOME, PAT

ROW = UserRow(HOME, "u", "u@example.org", "U", "member", None, 1, None)


def test_every_role_gives_more_than_the_next() -> None:
    assert set(GIVES) == set(ROLES)
    assert GIVES["viewer"] < GIVES["member"] < GIVES["admin"] == GIVES["owner"]


def test_a_person_acts_with_what_their_role_gives() -> None:
    found = as_person(ROW)

    assert (found.tenant, found.kind, found.id, found.role) == (HOME, "user", "u", "member")
    assert found.scopes == {"read", "work", "decide"}


def test_agents_are_no_people() -> None:
    require_person(PAT, "Inviting")
    with pytest.raises(NotAllowed, match="Inviting is for people; you are agent"):
        require_person(ADA, "Inviting")


def test_only_an_owner_touches_an_owner() -> None:
    admin = as_person(ROW._replace(role="admin"))
    require_rank(admin, "admin", "x")
    require_rank(replace(admin, role="owner"), "owner", "x")
    with pytest.raises(NotAllowed, match="only an owner"):
        require_rank(admin, "owner", "This makes an owner")


def test_nobody_gives_what_they_came_in_without() -> None:
    owner = as_person(ROW._replace(role="owner"))
    require_gift(owner, "owner", "x")
    with pytest.raises(NotAllowed, match="do not have: decide, work"):
        require_gift(replace(owner, scopes=frozenset({"read", "admin"})), "member", "x")
