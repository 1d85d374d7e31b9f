"""An identity provider: OpenID Connect, as the side that believes it.

Here is what is asked of it over HTTP, and what must hold of a token before it is believed. Keys are
fetched once and again when a token names one that is unknown, but not more often than every few
seconds: whoever sends made-up tokens must not make us ask for ever. Which person a subject is,
is decided in ``vouched``. No secret of ours is in any message.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast
from urllib.parse import urlencode

import httpx2

from interlock.errors import InterlockError
from interlock.outside.certificates import certificates
from interlock.service.errors import Unauthenticated

ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "EdDSA",
)
"""How a token may be signed: never by a shared secret, which a public key could be taken for."""

LEEWAY_MS: Final = 60_000
KEYS_MS: Final = 60 * 60_000
"""How long keys are believed."""

REFRESH_MS: Final = 10_000
"""How soon they are asked for again when a token names one that is unknown."""

TIMEOUT_S: Final = 10.0
ANSWER_BYTES_MAX: Final = 1024 * 1024
TOKEN_MAX: Final = 16_384
OK: Final = 200

Claims = Mapping[str, object]


class ProviderUnavailable(InterlockError):
    """The identity provider does not answer, or not in a form that we know."""

    code = "PROVIDER_UNAVAILABLE"
    http = 503
    retryable = True


@dataclass(frozen=True, slots=True)
class Client:
    """How a provider knows us, and how we know it. Without an audience no bearer is taken."""

    issuer: str
    id: str
    secret: str = field(default="", repr=False)
    audience: str = ""


@dataclass(slots=True)
class Provider:
    """A provider, and what it has told about itself."""

    client: Client
    _about: Claims | None = None
    _keys: dict[str, Claims] = field(default_factory=dict)
    _fetched: int = 0
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def address(self, redirect: str, state: str, nonce: str, challenge: str) -> str:
        """Return where somebody is sent to log in."""
        asked = {
            "response_type": "code", "client_id": self.client.id, "redirect_uri": redirect,
            "scope": "openid email profile", "state": state, "nonce": nonce,
            "code_challenge": challenge, "code_challenge_method": "S256",
        }  # fmt: skip
        where = _text(await self._told(), "authorization_endpoint")
        return f"{where}{'&' if '?' in where else '?'}{urlencode(asked)}"

    async def exchange(self, code: str, verifier: str, redirect: str) -> str:
        """Return the ID token for a code that somebody came back with."""
        asked = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect,
            "code_verifier": verifier, "client_id": self.client.id,
        }  # fmt: skip
        if self.client.secret:
            asked["client_secret"] = self.client.secret
        answer = await _ask(_text(await self._told(), "token_endpoint"), asked)
        return _text(answer, "id_token")

    async def believe(self, token: str, audience: str, now: int) -> Claims:
        """Return what a token says, if the provider has signed it, for us, and it is good now."""
        # Loaded only where there is a provider: it takes a tenth of the start of every program.
        import jwt  # noqa: PLC0415

        try:
            head = jwt.get_unverified_header(token) if len(token) <= TOKEN_MAX else {}
        except jwt.PyJWTError as exc:
            raise not_believed() from exc
        algorithm, kid = head.get("alg"), head.get("kid")
        if algorithm not in ALGORITHMS or not isinstance(kid, str):
            raise not_believed()
        key = await self._key(kid, now)
        if key is None or key.get("alg", algorithm) != algorithm or key.get("use", "sig") != "sig":
            raise not_believed()
        claims = _verified(token, key, algorithm, audience, self.client.issuer)
        if not _is_in_time(claims, now):
            raise not_believed()
        return claims

    async def _key(self, kid: str, now: int) -> Claims | None:
        known = self._keys.get(kid)
        age = now - self._fetched
        if age < (KEYS_MS if known is not None else REFRESH_MS):
            return known
        async with self._asking:
            if self._fetched <= now - REFRESH_MS:
                # First the time: one that does not answer is not asked again at once, either.
                self._fetched = now
                answer = await _ask(_text(await self._told(), "jwks_uri"))
                self._keys = _named(answer.get("keys"))
        return self._keys.get(kid)

    async def _told(self) -> Claims:
        if self._about is None:
            where = f"{self.client.issuer.rstrip('/')}/.well-known/openid-configuration"
            about = await _ask(where)
            if about.get("issuer") != self.client.issuer:
                # Else another provider could speak in the name of this one.
                raise _unavailable("it calls itself otherwise")
            self._about = about
        return self._about


def not_believed() -> Unauthenticated:
    """Return the one answer to every token that is not believed."""
    message = "The token is unknown, expired or revoked."
    return Unauthenticated(message, fix="Ask your identity provider for a new one.")


def _verified(token: str, key: Claims, algorithm: str, audience: str, issuer: str) -> Claims:
    import jwt  # noqa: PLC0415  as above

    # Time is asked for apart, by the clock that everything here goes by.
    options: jwt.types.Options = {
        "require": ["exp", "iss", "aud", "sub"],
        "verify_exp": False, "verify_nbf": False, "verify_iat": False,
    }  # fmt: skip
    try:
        found = jwt.PyJWK(dict(key), algorithm)
        claims: Claims = jwt.decode(
            token, found, [algorithm], options=options, audience=audience, issuer=issuer
        )
    except (jwt.PyJWTError, ValueError, TypeError) as exc:
        raise not_believed() from exc
    return claims


def _is_in_time(claims: Claims, now: int) -> bool:
    ends, begins = claims.get("exp"), claims.get("nbf", 0)
    if not isinstance(ends, int | float) or not isinstance(begins, int | float):
        return False
    return begins * 1000 - LEEWAY_MS <= now < ends * 1000 + LEEWAY_MS


def _named(keys: object) -> dict[str, Claims]:
    """Return keys by their names; one without a name, or that is shared, is nobody's proof."""
    rows = [key for key in keys if isinstance(key, dict)] if isinstance(keys, list) else []
    return {
        str(key["kid"]): key
        for key in rows
        if isinstance(key.get("kid"), str) and key.get("kty") != "oct"
    }


async def _ask(url: str, form: Mapping[str, str] | None = None) -> Claims:
    """Ask a provider; a redirect is not followed: it would carry the secret elsewhere."""
    method = "GET" if form is None else "POST"
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpx2.AsyncClient(
                timeout=TIMEOUT_S, follow_redirects=False, verify=certificates()
            ) as client,
            client.stream(method, url, data=form) as answer,
        ):
            content = bytearray()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > ANSWER_BYTES_MAX:
                    raise _unavailable("it says too much")
            status = answer.status_code
    except (TimeoutError, httpx2.HTTPError, httpx2.InvalidURL) as exc:
        raise _unavailable(f"it did not answer ({type(exc).__name__})") from exc
    return _read(status, bytes(content), is_form=form is not None)


def _read(status: int, content: bytes, *, is_form: bool) -> Claims:
    if is_form and OK < status < ProviderUnavailable.http:
        # It does not take the code: somebody came back twice, or made one up.
        raise not_believed()
    try:
        found = json.loads(content) if status == OK else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _unavailable(f"it says {status}")
    return cast("Claims", found)


def _text(told: Claims, name: str) -> str:
    found = told.get(name)
    if not isinstance(found, str) or not found:
        raise _unavailable(f"it does not say its {name}")
    return found


def _unavailable(what: str) -> ProviderUnavailable:
    message = f"The identity provider cannot be used: {what}."
    return ProviderUnavailable(message, fix="Try again in a moment; check INTERLOCK_OIDC_ISSUER.")
