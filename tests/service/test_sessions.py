"""Sessions: begun with a new secret, good for a while, ended for good; and the ways to begin one."""

import asyncio
from dataclasses import replace

import pytest
from argon2 import PasswordHasher

from interlock.service.errors import LinkNotGood, NotAllowed, NotFound, Unauthenticated
from interlock.service.people import disable
from interlock.service.roles import as_person
from interlock.service.sessions import (
    IDLE_MS,
    LASTS_MS,
    TOUCH_MS,
    end_session,
    let_in,
    list_sessions,
    log_in,
    log_out,
    make_login,
    normal,
    resume,
    set_password,
    use_login,
)
from tests.service.folk import PASSWORD, first, person, setter
from tests.stage import AWAY, Stage, staged


def test_an_email_is_written_in_one_way() -> None:
    assert normal("  Pam@Example.ORG ") == "pam@example.org"


@staged
async def test_every_login_has_a_secret_of_its_own(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    one, two = await let_in(stage.engine, row, "link"), await let_in(stage.engine, row, "link")

    assert one.secret != two.secret
    assert one.secret not in repr(one)
    assert (await resume(stage.engine, one.secret)).session.id == one.session.id
    assert (one.principal.kind, one.principal.id) == ("user", "pam")


@staged
async def test_a_session_that_is_used_lasts_and_one_that_is_not_does_not(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    visit = await let_in(stage.engine, row, "link")
    await stage.pass_ms(IDLE_MS - 1000)
    for _ in range(LASTS_MS // IDLE_MS):
        await resume(stage.engine, visit.secret)
        await stage.pass_ms(IDLE_MS - TOUCH_MS)
    await stage.pass_ms(IDLE_MS)

    with pytest.raises(Unauthenticated):
        await resume(stage.engine, visit.secret)
    assert await list_sessions(stage.engine, setter(), "") == ()


@staged
async def test_what_is_ended_stays_ended(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    one, two = await let_in(stage.engine, row, "link"), await let_in(stage.engine, row, "link")
    await log_out(stage.engine, one)
    await end_session(stage.engine, as_person(row), two.session.id)
    with pytest.raises(NotFound):
        await end_session(stage.engine, as_person(row), two.session.id)

    for secret in (one.secret, two.secret, "", "x", "\udcff"):
        with pytest.raises(Unauthenticated):
            await resume(stage.engine, secret)


@staged
async def test_who_is_shut_out_while_coming_in_is_not_in(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    row = await first(stage, "mia", "member")
    await disable(stage.engine, setter(), "mia")
    visit = await let_in(stage.engine, row, "password")

    with pytest.raises(Unauthenticated):
        await resume(stage.engine, visit.secret)


@staged
async def test_whose_sessions_somebody_may_end(stage: Stage) -> None:
    pam, adam = await first(stage, "pam", "owner"), await first(stage, "adam", "admin")
    eve = await first(stage, "eve", "owner", AWAY)
    visit = await let_in(stage.engine, pam, "link")
    with pytest.raises(NotAllowed, match="an owner"):
        await end_session(stage.engine, as_person(adam), visit.session.id)
    with pytest.raises(NotFound):
        await end_session(stage.engine, as_person(eve), visit.session.id)
    with pytest.raises(NotAllowed, match="for people"):
        await end_session(stage.engine, replace(as_person(pam), kind="agent"), visit.session.id)

    assert (await resume(stage.engine, visit.secret)).person == pam


@staged
async def test_a_link_lets_one_in_however_many_use_it_at_once(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    secret, _ = await make_login(stage.engine, as_person(row))
    tried = await asyncio.gather(
        *(use_login(stage.engine, secret) for _ in range(8)), return_exceptions=True
    )

    assert len([one for one in tried if not isinstance(one, BaseException)]) == 1
    assert len([one for one in tried if isinstance(one, LinkNotGood)]) == 7


@staged
async def test_a_token_with_less_makes_no_link_that_gives_more(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    reader = replace(as_person(row), scopes=frozenset({"read"}))

    with pytest.raises(NotAllowed, match="do not have"):
        await make_login(stage.engine, reader)


@staged
async def test_a_new_password_ends_the_other_sessions(stage: Stage) -> None:
    row = await person(stage)
    this, other = await let_in(stage.engine, row, "link"), await let_in(stage.engine, row, "link")
    with pytest.raises(Unauthenticated, match="not your password"):
        await set_password(stage.engine, this, "wrong", "quite another one")
    await set_password(stage.engine, this, PASSWORD, "quite another one")

    assert (await resume(stage.engine, this.secret)).session.id == this.session.id
    with pytest.raises(Unauthenticated):
        await resume(stage.engine, other.secret)
    with pytest.raises(Unauthenticated):
        await log_in(stage.engine, row.email, PASSWORD)
    assert (await log_in(stage.engine, row.email, "quite another one")).person.id == row.id


@staged
async def test_a_password_that_was_kept_weaker_is_kept_better_after_a_login(stage: Stage) -> None:
    row = await first(stage, "pam", "owner")
    weak = PasswordHasher(time_cost=1, memory_cost=64).hash(PASSWORD)
    people, now = stage.engine.store.people, stage.engine.store.now()
    await people.set_password(row, weak, now, keep=None, act=None)
    await log_in(stage.engine, row.email, PASSWORD)
    better = await people.password(row.tenant, row.id)

    assert better not in (None, weak)
    assert (await log_in(stage.engine, row.email, PASSWORD)).person == row


@staged
async def test_the_same_email_in_two_tenants_is_two_people(stage: Stage) -> None:
    home, away = await person(stage), await person(stage, tenant=AWAY)
    visit = await let_in(stage.engine, away, "link")
    await set_password(stage.engine, visit, PASSWORD, "quite another one")

    assert (await log_in(stage.engine, "pam@example.org", PASSWORD)).person.id == home.id
    there = await log_in(stage.engine, "pam@example.org", "quite another one")
    assert (there.person.id, there.principal.tenant) == (away.id, AWAY)
