"""Both stores keep people as they promise, and to the tenant they are asked about."""

import asyncio
import inspect

from interlock.store.people import (
    Act,
    Called,
    Entrant,
    InvitationRow,
    LoginRow,
    People,
    SessionRow,
    UserRow,
)
from interlock.store.port import TokenRow
from interlock.store.postgres.people import PostgresPeople
from interlock.store.sqlite.people import SqlitePeople
from tests.stage import AWAY, HOME, Stage, staged

NOW = 1_000
OWNER = UserRow(HOME, "u1", "u1@example.org", "One", "owner", None, NOW, None)
INVITATION = InvitationRow(HOME, "i1", "u2@example.org", "member", "u1", NOW, NOW + 10)
SESSION = SessionRow(HOME, "s1", "u1", NOW, NOW, NOW + 10)
LOGIN = LoginRow(HOME, "l1", "u1", NOW, NOW + 10)


def act(name: str) -> Act:
    return Act(name, "user", "u1", "", "web", "x", "y", "{}")


async def filled(stage: Stage) -> People:
    """Make one row of each sort."""
    people = stage.engine.store.people
    await people.add_first(OWNER)
    await people.add_invitation(INVITATION, "hash-i", act("a1"))
    await people.add_session(SESSION, "hash-s", None)
    await people.add_login(LOGIN, "hash-l", act("a2"))
    return people


def test_both_answer_every_verb_of_the_port_with_the_same_words() -> None:
    for name, said in inspect.getmembers(People, inspect.isfunction):
        if name.startswith("_"):
            continue
        for people in (SqlitePeople, PostgresPeople):
            ours = inspect.signature(getattr(people, name))
            assert list(ours.parameters) == list(inspect.signature(said).parameters), name


@staged
async def test_rows_come_back_as_they_were_kept(stage: Stage) -> None:
    people = await filled(stage)

    assert await people.users(HOME) == (OWNER,)
    assert await people.find_users("u1@example.org", None) == (OWNER,)
    assert await people.find_invitation("hash-i") == INVITATION
    assert await people.invitations(HOME) == (INVITATION,)
    assert await people.find_session("hash-s") == (SESSION, OWNER)
    assert await people.sessions(HOME) == (SESSION,)
    assert [row.act.id for row in await people.acts(HOME, None, 9)] == ["a2", "a1"]
    assert await people.link_subject(OWNER, "issuer s", NOW, act("a3"))
    assert not await people.link_subject(OWNER, "issuer t", NOW, act("a4"))
    linked = OWNER._replace(subject="issuer s")
    assert await people.find_users(None, "issuer s") == (linked,)
    # Whoever is found by both is one.
    assert await people.find_users("u1@example.org", "issuer s") == (linked,)


@staged
async def test_of_many_tokens_those_that_are_good_and_the_newest_are_called_by_name(
    stage: Stage,
) -> None:
    store = stage.engine.store
    for name, at, ends in (
        ("old", 1, None),
        ("spent", 2, NOW),
        ("gone", 3, None),
        ("new", 4, 2 * NOW),
    ):
        row = TokenRow(HOME, f"t-{name}", name, "agent", "read", "p", at, ends, None)
        await store.add_token(row, f"hash-{name}")
    await store.revoke_token(HOME, "t-gone", 5)

    found = await store.people.token_names(HOME, NOW, 3)
    assert found == (Called("t-new", "new"), Called("t-old", "old"), Called("t-gone", "gone"))
    assert len(await store.people.token_names(HOME, NOW, 9)) == 4
    assert await store.people.token_names(AWAY, NOW, 9) == ()


@staged
async def test_another_tenant_sees_and_changes_nothing(stage: Stage) -> None:
    people = await filled(stage)
    theirs = OWNER._replace(tenant=AWAY)

    assert (await people.user(AWAY, "u1"), await people.password(AWAY, "u1")) == (None, None)
    assert (await people.users(AWAY), await people.invitations(AWAY)) == ((), ())
    assert (await people.sessions(AWAY), await people.acts(AWAY, None, 9)) == ((), ())
    assert (
        await people.change_user(theirs._replace(role="member"), "owner", None, NOW, act("b"))
        == "stale"
    )
    assert not await people.set_password(theirs, "h", NOW, keep="", act=act("c"))
    assert not await people.link_subject(theirs, "s", NOW, act("d"))
    assert not await people.withdraw(AWAY, "i1", NOW, act("e"))
    assert (
        await people.accept(INVITATION._replace(tenant=AWAY), Entrant("u9", "N"), NOW, act("f"))
        == "stale"
    )
    assert not await people.end_session(AWAY, "s1", NOW, act("g"))
    await people.touch_session(SESSION._replace(tenant=AWAY, seen_at=5, expires_at=5))
    tenant = await people.tenant(AWAY)

    assert await people.acts(AWAY, None, 9) == ()
    assert await people.find_session("hash-s") == (SESSION, OWNER)
    assert await people.find_invitation("hash-i") == INVITATION
    assert (tenant is not None and tenant.id, await people.tenant("nowhere")) == (AWAY, None)


@staged
async def test_what_is_good_once_is_good_once_and_not_too_late(stage: Stage) -> None:
    people = await filled(stage)
    late = LOGIN._replace(id="l2")
    await people.add_login(late, "hash-late", act("a5"))
    assert await people.use_login("hash-late", NOW + 10) is None
    used = await asyncio.gather(*(people.use_login("hash-l", NOW + 9) for _ in range(8)))
    entrants = [Entrant(f"n{n}", "New", "hash") for n in range(8)]
    assert await people.accept(INVITATION, entrants[0], NOW + 10, act("x")) == "stale"
    joined = await asyncio.gather(
        *(people.accept(INVITATION, one, NOW, act(f"j{one.id}")) for one in entrants)
    )

    assert sorted(one is None for one in used) == [False] + [True] * 7
    assert sorted(joined) == ["done"] + ["stale"] * 7
    (new,) = [row for row in await people.users(HOME) if row.id != "u1"]
    assert (new.email, new.role) == (INVITATION.email, INVITATION.role)
    assert await people.password(HOME, new.id) == "hash"
    assert not await people.withdraw(HOME, "i1", NOW, act("w"))


@staged
async def test_what_was_withdrawn_is_not_accepted_by_who_looked_before(stage: Stage) -> None:
    people = await filled(stage)
    assert await people.withdraw(HOME, "i1", NOW, act("w"))

    assert await people.accept(INVITATION, Entrant("u2", "Two"), NOW, act("j")) == "stale"
    assert await people.users(HOME) == (OWNER,)


@staged
async def test_shutting_out_ends_everything_and_letting_in_brings_nothing_back(
    stage: Stage,
) -> None:
    people = await filled(stage)
    await people.accept(INVITATION, Entrant("u2", "Two"), NOW, act("j"))
    two = await people.user(HOME, "u2")
    assert two is not None
    assert await people.change_user(two, "owner", None, NOW, act("p")) == "done"
    assert await people.change_user(two, "viewer", None, NOW, act("q")) == "stale"
    assert await people.change_user(OWNER, "owner", NOW + 1, NOW + 1, act("r")) == "done"
    owner = OWNER._replace(disabled_at=NOW + 1)
    found = await people.find_session("hash-s")

    assert found == (SESSION._replace(ended_at=NOW + 1), owner)
    assert await people.use_login("hash-l", NOW + 2) is None
    both = two._replace(role="owner")
    assert await people.change_user(both, "owner", NOW, NOW, act("s")) == "last"
    assert await people.change_user(owner, "owner", None, NOW + 2, act("t")) == "done"
    ended = await people.find_session("hash-s")
    assert ended is not None
    assert ended[0].ended_at == NOW + 1


@staged
async def test_tries_are_counted_by_the_minute(stage: Stage) -> None:
    people = stage.engine.store.people

    counted = [await people.count_try("k", minute) for minute in (7, 7, 7, 8, 8, 200)]
    assert counted == [1, 2, 3, 1, 2, 1]
    assert await people.count_try("other", 8) == 1


@staged
async def test_a_tenant_has_another_name_and_the_act_says_so(stage: Stage) -> None:
    people = stage.engine.store.people
    await people.rename_tenant(HOME, "Us", NOW, act("n"))
    tenant = await people.tenant(HOME)

    assert tenant is not None
    assert tenant.name == "Us"
    assert [(row.at, row.act) for row in await people.acts(HOME, None, 9)] == [(NOW, act("n"))]
