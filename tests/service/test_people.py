"""People: invited, accepted once, given roles, shut out; and nobody gets more than they are given."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from interlock.errors import InterlockError
from interlock.service.access import authenticate, create_token
from interlock.service.engine import Principal
from interlock.service.errors import (
    EmailTaken,
    InvalidInput,
    LastOwner,
    LinkNotGood,
    NotAllowed,
    NotFound,
    Unauthenticated,
)
from interlock.service.people import (
    INVITATION_MS,
    accept,
    accept_as,
    disable,
    enable,
    ensure_owner,
    get_tenant,
    invite,
    list_invitations,
    list_users,
    rename_tenant,
    set_role,
    withdraw,
)
from interlock.service.roles import as_person
from interlock.service.sessions import make_login, resume
from tests.service.folk import PASSWORD, first, person, setter
from tests.stage import AWAY, HOME, Stage, staged


@staged
async def test_the_first_person_is_made_once_and_only_where_there_is_nobody(stage: Stage) -> None:
    for _ in range(3):
        await ensure_owner(stage.engine, HOME)
    await first(stage, "eve", "member", AWAY)
    await ensure_owner(stage.engine, AWAY)

    (owner,) = await list_users(stage.engine, setter())
    assert (owner.id, owner.role, owner.disabled_at) == ("owner", "owner", None)
    assert [row.id for row in await list_users(stage.engine, setter(AWAY))] == ["eve"]


@staged
async def test_who_is_invited_becomes_what_the_invitation_says(stage: Stage) -> None:
    secret, row = await invite(stage.engine, setter(), " New@Example.org", "viewer")
    assert [one.id for one in await list_invitations(stage.engine, setter())] == [row.id]
    visit = await accept(stage.engine, secret, " Nell ", PASSWORD)

    assert (visit.person.email, visit.person.name) == ("new@example.org", "Nell")
    assert (visit.principal.role, set(visit.principal.scopes)) == ("viewer", {"read"})
    assert (await resume(stage.engine, visit.secret)).person == visit.person
    assert await list_invitations(stage.engine, setter()) == ()


@staged
async def test_an_invitation_is_accepted_once_even_by_many_at_once(stage: Stage) -> None:
    secret, _ = await invite(stage.engine, setter(), "new@example.org", "member")
    tried = await asyncio.gather(
        *(accept(stage.engine, secret, f"N{n}", PASSWORD) for n in range(4)),
        return_exceptions=True,
    )

    assert len([one for one in tried if not isinstance(one, BaseException)]) == 1
    assert all(
        isinstance(one, LinkNotGood | EmailTaken) for one in tried if isinstance(one, BaseException)
    )
    assert len(await list_users(stage.engine, setter())) == 1
    with pytest.raises(LinkNotGood):
        await accept(stage.engine, secret, "N", PASSWORD)


@staged
async def test_expired_withdrawn_and_unknown_invitations_look_the_same(stage: Stage) -> None:
    expired, _ = await invite(stage.engine, setter(), "a@example.org", "member")
    await stage.pass_ms(INVITATION_MS)
    gone, row = await invite(stage.engine, setter(), "b@example.org", "member")
    await withdraw(stage.engine, setter(), row.id)
    with pytest.raises(NotFound):
        await withdraw(stage.engine, setter(), row.id)
    said = set()
    for secret in (expired, gone, "il_" + "0" * 40, "", "\udcff"):
        with pytest.raises(LinkNotGood) as no:
            await accept(stage.engine, secret, "N", PASSWORD)
        said.add((no.value.code, no.value.message))

    assert len(said) == 1


@staged
async def test_an_invitation_is_for_one_email_and_takes_none_that_is_here(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    with pytest.raises(EmailTaken):
        await invite(stage.engine, setter(), "PAM@example.org", "member")
    secret, _ = await invite(stage.engine, setter(), "new@example.org", "member")
    with pytest.raises(LinkNotGood, match="another e-mail"):
        await accept_as(stage.engine, secret, "pam@example.org", "issuer s", "Pam")
    with pytest.raises(LinkNotGood, match="another e-mail"):
        await accept_as(stage.engine, secret, "", "issuer s", "Nobody knows")
    visit = await accept_as(stage.engine, secret, "New@Example.org", "issuer s", "")

    assert (visit.person.subject, visit.person.name) == ("issuer s", "new@example.org")


@staged
async def test_the_last_owner_stays_even_when_two_demote_each_other(stage: Stage) -> None:
    pam = await first(stage, "pam", "owner")
    for attempt in (set_role(stage.engine, as_person(pam), "pam", "admin"),
                    disable(stage.engine, as_person(pam), "pam")):  # fmt: skip
        with pytest.raises(LastOwner):
            await attempt
    for round_ in range(5):
        one, two = f"o{round_}", f"p{round_}"
        await first(stage, one, "owner")
        await first(stage, two, "owner")
        await asyncio.gather(
            disable(stage.engine, setter(), one), set_role(stage.engine, setter(), two, "member"),
            disable(stage.engine, setter(), "pam"), return_exceptions=True,
        )  # fmt: skip
        rows = await list_users(stage.engine, setter())
        assert [row for row in rows if row.role == "owner" and row.disabled_at is None]
        await enable(stage.engine, setter(), "pam")


@staged
async def test_who_is_shut_out_is_out_at_once_with_all_they_made(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    mia = await person(stage, "mia", "admin")
    secret, _ = await create_token(stage.engine, as_person(mia), "agent")
    found = await authenticate(stage.engine, secret)
    assert (found.kind, found.on_behalf_of) == ("agent", mia.id)
    helper, _ = await create_token(
        stage.engine, replace(found, scopes=found.scopes | {"admin"}), "its helper"
    )
    await disable(stage.engine, setter(), "mia@example.org")
    for one in (secret, helper):
        with pytest.raises(Unauthenticated):
            await authenticate(stage.engine, one)
    await enable(stage.engine, setter(), mia.id)

    assert (await authenticate(stage.engine, secret)).id == found.id


@staged
async def test_a_token_gives_no_more_than_the_role_of_who_made_it_does_now(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    mia = await first(stage, "mia", "admin")
    scopes = ("read", "work", "decide", "admin")
    secret, _ = await create_token(stage.engine, as_person(mia), "mine", "user", scopes)
    before = await authenticate(stage.engine, secret)
    await set_role(stage.engine, setter(), "mia", "viewer")
    after = await authenticate(stage.engine, secret)

    assert (before.id, before.role, set(before.scopes)) == ("mia", "admin", set(scopes))
    assert (after.id, after.role, set(after.scopes)) == ("mia", "viewer", {"read"})


Attempt = Callable[[Stage, Principal], Awaitable[object]]
# Who must not do what; each is tried by a person of that role.
ESCALATIONS: list[tuple[str, str, Attempt]] = [
    ("member", "make a token", lambda s, c: create_token(s.engine, c, "t")),
    ("member", "make an admin's token",
     lambda s, c: create_token(s.engine, c, "t", "user", ("read", "admin"))),
    ("member", "invite", lambda s, c: invite(s.engine, c, "x@example.org", "member")),
    ("member", "become an admin", lambda s, c: set_role(s.engine, c, c.id, "admin")),
    ("member", "shut somebody out", lambda s, c: disable(s.engine, c, "mia")),
    ("member", "come in as an admin", lambda s, c: make_login(s.engine, c, "adam")),
    ("viewer", "list people", lambda s, c: list_users(s.engine, c)),
    ("viewer", "become a member", lambda s, c: set_role(s.engine, c, c.id, "member")),
    ("admin", "make an owner", lambda s, c: set_role(s.engine, c, "mia", "owner")),
    ("admin", "become an owner", lambda s, c: set_role(s.engine, c, c.id, "owner")),
    ("admin", "invite an owner", lambda s, c: invite(s.engine, c, "x@example.org", "owner")),
    ("admin", "demote an owner", lambda s, c: set_role(s.engine, c, "pam", "viewer")),
    ("admin", "shut an owner out", lambda s, c: disable(s.engine, c, "pam")),
    ("admin", "come in as an owner", lambda s, c: make_login(s.engine, c, "pam")),
    ("admin", "rename everything", lambda s, c: rename_tenant(s.engine, c, "Mine")),
    ("admin", "make an agent that decides",
     lambda s, c: create_token(s.engine, c, "t", "agent", ("decide",))),
]  # fmt: skip


@staged
async def test_nobody_makes_themselves_more_than_they_are(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    people = {
        "admin": await first(stage, "adam", "admin"),
        "member": await first(stage, "mia", "member"),
    }
    people["viewer"] = await first(stage, "vic", "viewer")
    before = await list_users(stage.engine, setter())
    for role, what, attempt in ESCALATIONS:
        with pytest.raises(InterlockError) as no:
            await attempt(stage, as_person(people[role]))
        assert isinstance(no.value, NotAllowed | InvalidInput), (role, what)

    assert await list_users(stage.engine, setter()) == before


@staged
@pytest.mark.parametrize("kind", ["agent", "worker"])
async def test_agents_and_workers_administer_nobody_whatever_they_hold(
    stage: Stage, kind: str
) -> None:
    await first(stage, "pam", "owner")
    await first(stage, "mia", "member")
    scopes = frozenset({"read", "work", "decide", "admin"})
    caller = Principal(HOME, kind, "a", scopes, on_behalf_of="pam", role="owner")
    for attempt in (
        invite(stage.engine, caller, "x@example.org", "viewer"), make_login(stage.engine, caller),
        make_login(stage.engine, caller, "pam"), set_role(stage.engine, caller, "mia", "admin"),
        disable(stage.engine, caller, "mia"), enable(stage.engine, caller, "mia"),
        rename_tenant(stage.engine, caller, "Mine"), withdraw(stage.engine, caller, "x"),
        create_token(stage.engine, caller, "t", "user", ("read",)),
    ):  # fmt: skip
        with pytest.raises(NotAllowed):
            await attempt


@staged
async def test_what_makes_no_sense_is_refused(stage: Stage) -> None:
    for email in ("", "x", "@", "a b@c", "a@b@c", "x" * 251 + "@b.c", "a@b\u202e.c"):
        with pytest.raises(InvalidInput):
            await invite(stage.engine, setter(), email, "member")
    with pytest.raises(InvalidInput, match="no role"):
        await set_role(stage.engine, setter(), "x", "king")
    secret, _ = await invite(stage.engine, setter(), "new@example.org", "member")
    for name, password in (
        ("", PASSWORD),
        ("x" * 101, PASSWORD),
        ("a\nb", PASSWORD),
        ("Nell", "short"),
    ):
        with pytest.raises(InvalidInput):
            await accept(stage.engine, secret, name, password)
    assert (await get_tenant(stage.engine, setter())).name == HOME
