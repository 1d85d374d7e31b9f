"""What an identity provider's token must be before it is believed; every other looks the same."""

import asyncio
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable

import jwt
import pytest

from interlock.service.errors import Unauthenticated
from interlock.service.provider import REFRESH_MS, Client, Provider, ProviderUnavailable
from tests.service.issuer import AUDIENCE, SECRET, Issuer, issuing
from tests.still import START

Make = Callable[[Issuer], str]


def believe(issuer: Issuer, token: str, now: int = START) -> object:
    return asyncio.run(issuer.provider().believe(token, AUDIENCE, now))


@pytest.mark.parametrize("kid", ["one", "two", "three"])
def test_a_good_token_is_believed_whatever_key_it_is_signed_by(kid: str) -> None:
    with issuing(START) as issuer:
        claims = issuer.claims()
        assert believe(issuer, issuer.token(claims, kid)) == claims


def forged(head: dict[str, object], claims: dict[str, object], key: bytes) -> str:
    """Sign a token by a shared secret, by hand: the library itself refuses to."""
    parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (head, claims)]
    signed = hmac.new(key, b".".join(parts), "sha256").digest()
    return b".".join([*parts, urlsafe_b64encode(signed).rstrip(b"=")]).decode()


WRONG: dict[str, Make] = {
    "another audience": lambda i: i.token(i.claims(aud="https://other.example")),
    "no audience": lambda i: i.token(i.claims(aud=None)),
    "another issuer": lambda i: i.token(i.claims(iss="https://other.example")),
    "no subject": lambda i: i.token(i.claims(sub=None)),
    "expired": lambda i: i.token(i.claims(exp=START // 1000 - 61)),
    "never expires": lambda i: i.token(i.claims(exp=None)),
    "expired long ago": lambda i: i.token(i.claims(exp=1)),
    "not yet good": lambda i: i.token(i.claims(nbf=START // 1000 + 61)),
    "not signed": lambda i: jwt.encode(i.claims(), "", "none", {"kid": "one"}),
    "signed by a public key": lambda i: forged(
        {"alg": "HS256", "kid": "one", "typ": "JWT"}, i.claims(), i.public("one")
    ),
    "signed by the client's secret": lambda i: forged(
        {"alg": "HS256", "kid": "one"}, i.claims(), SECRET.encode()
    ),
    "a key that nobody knows": lambda i: i.token(i.claims(), "later"),
    "another key than it says": lambda i: i.token(i.claims(), "later", kid="one"),
    "a key of another sort": lambda i: i.token(i.claims(), "two", kid="one"),
    "no key named": lambda i: jwt.encode(i.claims(), "s" * 64, "HS256"),
    "changed": lambda i: i.token(i.claims())[:-6] + "AAAAAA",
    "too long": lambda i: i.token(i.claims(more="x" * 20_000)),
    "nothing": lambda _: "..",
    "no token": lambda _: "a.b.c",
}


@pytest.mark.parametrize("what", WRONG)
def test_every_other_token_is_refused_in_the_same_words(what: str) -> None:
    with issuing(START) as issuer, pytest.raises(Unauthenticated) as no:
        believe(issuer, WRONG[what](issuer))

    assert no.value.message == "The token is unknown, expired or revoked."


def test_a_new_key_is_asked_for_but_made_up_ones_do_not_make_us_ask_for_ever() -> None:
    async def play(issuer: Issuer) -> None:
        provider = issuer.provider()
        await provider.believe(issuer.token(issuer.claims()), AUDIENCE, START)
        late = issuer.token(issuer.claims(), "later")
        for _ in range(20):
            with pytest.raises(Unauthenticated):
                await provider.believe(late, AUDIENCE, START + 1)
        assert issuer.heard.count("/keys") == 1
        issuer.shown.append("later")
        assert await provider.believe(late, AUDIENCE, START + REFRESH_MS)
        assert issuer.heard.count("/keys") == 2

    with issuing(START) as issuer:
        asyncio.run(play(issuer))


def test_a_provider_that_calls_itself_otherwise_is_not_used() -> None:
    with issuing(START) as issuer:
        other = Provider(Client(issuer.url + "/", "c"))
        with pytest.raises(ProviderUnavailable, match="calls itself otherwise"):
            asyncio.run(other.address("http://localhost/back", "s", "n", "c"))


def test_one_that_does_not_answer_says_so_and_shows_no_secret() -> None:
    gone = Provider(Client("http://127.0.0.1:9", "c", SECRET))
    with pytest.raises(ProviderUnavailable) as no:
        asyncio.run(gone.exchange("code", "v", "http://localhost/back"))

    assert SECRET not in f"{no.value!r} {no.value.fix} {gone!r} {gone.client!r}"
