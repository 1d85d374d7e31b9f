"""Whom an identity provider vouches for: a person who is known, or invited, and nobody else."""

from dataclasses import replace

import pytest

from interlock.service.access import as_agent
from interlock.service.errors import LinkNotGood, Unauthenticated
from interlock.service.people import disable, enable, invite
from interlock.service.vouched import authenticate_jwt, come_in, is_jwt
from tests.service.folk import first, setter
from tests.service.issuer import CLIENT, Issuer, issuing
from tests.stage import HOME, Stage, staged

MAIL = {"email": "Pam@example.org", "email_verified": True}


def vouching(stage: Stage, issuer: Issuer, audience: str | None = None) -> Stage:
    """Return a stage where a provider is set up."""
    provider = issuer.provider() if audience is None else issuer.provider(audience)
    return replace(stage, engine=replace(stage.engine, provider=provider))


def test_only_what_has_three_parts_looks_like_a_token_of_theirs() -> None:
    assert is_jwt("a.b.c")
    assert not is_jwt("il_" + "0" * 40)
    assert not is_jwt("il_a.b.c")
    assert not is_jwt("a.b")


@staged
async def test_a_subject_becomes_who_has_its_verified_email_and_stays_that(stage: Stage) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        there = vouching(stage, issuer)
        token = issuer.token(issuer.claims(aud=CLIENT, nonce="n", **MAIL))
        visit = await come_in(there.engine, token, "n")
        moved = issuer.token(issuer.claims(aud=CLIENT, nonce="m", email="new@example.org"))
        again = await come_in(there.engine, moved, "m")
        other = issuer.token(issuer.claims(aud=CLIENT, nonce="n", sub="s-2", **MAIL))
        with pytest.raises(Unauthenticated, match="nobody has invited you"):
            await come_in(there.engine, other, "n")

    assert (visit.person.id, again.person.id) == ("pam", "pam")
    assert visit.principal.role == "member"


@staged
@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "n", "email": "pam@example.org"},
        {"nonce": "n", "email": "pam@example.org", "email_verified": "true"},
        {"nonce": "n", "email_verified": True},
        {"nonce": "other", **MAIL},
        {**MAIL},
        {"nonce": "n", "azp": "other", **MAIL},
        {"nonce": "n", "aud": [CLIENT, "other"], **MAIL},
        {"nonce": "n", "aud": "other", **MAIL},
    ],
)
async def test_who_is_not_vouched_for_does_not_come_in(
    stage: Stage, claims: dict[str, object]
) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        there = vouching(stage, issuer)
        token = issuer.token(issuer.claims(**{"aud": CLIENT, **claims}))
        with pytest.raises(Unauthenticated):
            await come_in(there.engine, token, "n")


@staged
async def test_an_invitation_is_accepted_by_whom_it_is_for(stage: Stage) -> None:
    secret, _ = await invite(stage.engine, setter(), "pam@example.org", "viewer")
    with issuing(stage.engine.store.now()) as issuer:
        there = vouching(stage, issuer)
        wrong = {"email": "eve@example.org", "email_verified": True}
        token = issuer.token(issuer.claims(aud=CLIENT, nonce="n", **wrong))
        with pytest.raises(LinkNotGood, match="another e-mail"):
            await come_in(there.engine, token, "n", secret)
        right = issuer.token(issuer.claims(aud=CLIENT, nonce="n", name="Pam P.", **MAIL))
        visit = await come_in(there.engine, right, "n", secret)
        assert (visit.person.name, visit.person.role) == ("Pam P.", "viewer")
        found = await authenticate_jwt(there.engine, issuer.token(issuer.claims()))

    assert found.id == visit.person.id


@staged
async def test_a_bearer_is_the_person_while_they_are_let_in(stage: Stage) -> None:
    await first(stage, "olga", "owner")
    pam = await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        there = vouching(stage, issuer)
        subject = f"{issuer.url} s-1"
        people, now = stage.engine.store.people, stage.engine.store.now()
        bearer = issuer.token(issuer.claims())
        with pytest.raises(Unauthenticated):
            await authenticate_jwt(there.engine, bearer)
        await stage.sql(f"UPDATE users SET subject = '{subject}' WHERE id = 'pam'")  # noqa: S608 (ours)
        found = await authenticate_jwt(there.engine, bearer)
        assert (found.tenant, found.kind, found.id, found.role) == (HOME, "user", "pam", "member")
        agent = as_agent(found)
        assert (agent.kind, agent.on_behalf_of, agent.role) == ("agent", "pam", "")
        assert agent.scopes == {"read", "work"}
        await disable(stage.engine, setter(), pam.id)
        with pytest.raises(Unauthenticated):
            await authenticate_jwt(there.engine, bearer)
        await enable(stage.engine, setter(), pam.id)
        with pytest.raises(Unauthenticated):  # without an audience none is taken
            await authenticate_jwt(vouching(stage, issuer, "").engine, bearer)
        with pytest.raises(Unauthenticated):
            await authenticate_jwt(stage.engine, bearer)
        assert (await people.find_users(None, subject))[0].created_at <= now
