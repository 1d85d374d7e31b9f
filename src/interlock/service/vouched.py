"""Whom an identity provider vouches for: which person of ours its subject is.

A subject that is known is that person. One that is not known yet becomes whoever has the e-mail
that the provider has verified, once; nobody becomes a person here without an invitation.
"""

from typing import Final

from interlock.service.acts import act_of
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Unauthenticated
from interlock.service.people import accept_as
from interlock.service.provider import Claims, Provider, not_believed
from interlock.service.roles import as_person
from interlock.service.sessions import Visit, let_in, normal
from interlock.store.people import UserRow

DOTS: Final = 2


def is_jwt(secret: str) -> bool:
    """Say whether a bearer looks like a token of an identity provider."""
    return secret.count(".") == DOTS and secret.isascii() and not secret.startswith("il_")


async def authenticate_jwt(engine: Engine, secret: str) -> Principal:
    """Return the person behind a bearer of the identity provider; raises ``Unauthenticated``."""
    provider = engine.provider
    if provider is None or not provider.client.audience:
        raise not_believed()
    claims = await provider.believe(secret, provider.client.audience, engine.store.now())
    found = await _known(engine, provider, claims)
    if not found:
        raise not_believed()
    return as_person(found[0])


async def come_in(
    engine: Engine, token: str, nonce: str, invitation: str = "", channel: str = ""
) -> Visit:
    """Let somebody in by the ID token that they came back with."""
    provider = engine.provider
    if provider is None:
        raise not_believed()
    claims = await provider.believe(token, provider.client.id, engine.store.now())
    audience = claims.get("aud")
    is_ours = not isinstance(audience, list) or len(audience) == 1
    if claims.get("nonce") != nonce or claims.get("azp", provider.client.id) != provider.client.id:
        raise not_believed()
    if not is_ours and "azp" not in claims:
        raise not_believed()
    if invitation:
        return await _accept(engine, provider, claims, invitation, channel)
    found = await _known(engine, provider, claims) or await _linked(engine, provider, claims)
    if not found:
        message = "The identity provider knows you, but nobody has invited you here."
        raise Unauthenticated(message, fix="Ask an admin for an invitation.")
    return await let_in(engine, found[0], "provider", channel)


async def _accept(
    engine: Engine, provider: Provider, claims: Claims, invitation: str, channel: str
) -> Visit:
    name, subject = str(claims.get("name", "")), subject_of(provider, claims)
    visitor = (_email(claims), subject, name if name.isprintable() else "")
    return await accept_as(engine, invitation, *visitor, channel)


async def _known(engine: Engine, provider: Provider, claims: Claims) -> list[UserRow]:
    rows = await engine.store.people.find_users(None, subject_of(provider, claims))
    return [row for row in rows if row.disabled_at is None]


async def _linked(engine: Engine, provider: Provider, claims: Claims) -> list[UserRow]:
    """Return who has the e-mail that the provider has verified, and is nobody else's subject."""
    email, subject = _email(claims), subject_of(provider, claims)
    found = await engine.store.people.find_users(email, None) if email else ()
    linked = []
    for row in found:
        if row.disabled_at is None and row.subject is None:
            caller = Principal(row.tenant, "user", row.id)
            act = act_of(engine, caller, "provider_linked", row.id, {"subject": subject})
            if await engine.store.people.link_subject(row, subject, engine.store.now(), act):
                linked.append(row)
    return linked


def subject_of(provider: Provider, claims: Claims) -> str:
    """Return how a provider knows somebody: one subject means nothing at another provider."""
    return f"{provider.client.issuer} {claims['sub']}"


def _email(claims: Claims) -> str:
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        return ""
    return normal(email)
