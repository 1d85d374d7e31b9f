"""Logging in at an identity provider: sent there, and back with a code.

What binds the two halves is one random value in a cookie of the browser that began: state, nonce
and the proof of the code are all made from it, so nothing is kept here, and nobody can bring
another browser back with a code of their own. Which page was wanted is in that cookie, too.
"""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interlock.doors.cookies import PROVIDER, drop_cookie, is_https, read_cookie, set_cookie
from interlock.doors.http import NoSuchPath
from interlock.doors.web.headers import secured
from interlock.doors.web.page import SEE_OTHER
from interlock.doors.web.session import CHANNEL, begin, require_https, wanted_page
from interlock.service.engine import Engine
from interlock.service.errors import Unauthenticated
from interlock.service.provider import Provider
from interlock.service.vouched import come_in

BACK: Final = "/login/provider/back"
LASTS_S: Final = 600


@dataclass(frozen=True, slots=True)
class Oidc:
    """The paths of a login at an identity provider."""

    engine: Engine

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/login/provider", self.send, methods=["GET"]),
            Route("/invitation/{secret}/provider", self.send, methods=["GET"]),
            Route(BACK, self.back, methods=["GET"]),
        ]

    async def send(self, request: Request) -> Response:
        """Send somebody to the identity provider; by a link, as a form may not lead elsewhere."""
        require_https(self.engine, request)
        provider = self._provider()
        secret = self.engine.clock.secret()
        challenge = _base64(sha256(_made(secret, "verifier").encode()).digest())
        where = await provider.address(
            self._back(request), _made(secret, "state"), _made(secret, "nonce"), challenge
        )
        response = secured(RedirectResponse(where, SEE_OTHER))
        value = f"{secret}.{request.path_params.get('secret', '')}.{wanted_page(request)}"
        set_cookie(self.engine, request, response, PROVIDER, value, lasts_s=LASTS_S)
        return response

    async def back(self, request: Request) -> Response:
        """Let somebody in who comes back with a code."""
        require_https(self.engine, request)
        provider = self._provider()
        secret, _, rest = read_cookie(self.engine, request, PROVIDER).partition(".")
        invitation, _, wanted = rest.partition(".")
        state = request.query_params.get("state", "")
        code = request.query_params.get("code", "")
        is_ours = secret and hmac.compare_digest(_made(secret, "state").encode(), state.encode())
        if not is_ours or not code:
            message = "This login was not begun in this browser, or the provider refused it."
            raise Unauthenticated(message, fix="Begin again at the login page.")
        token = await provider.exchange(code, _made(secret, "verifier"), self._back(request))
        nonce = _made(secret, "nonce")
        visit = await come_in(self.engine, token, nonce, invitation, CHANNEL)
        response = begin(self.engine, request, visit, wanted)
        drop_cookie(self.engine, request, response, PROVIDER)
        return response

    def _provider(self) -> Provider:
        if self.engine.provider is None:
            message = "No identity provider is set up here."
            raise NoSuchPath(message, fix="Set INTERLOCK_OIDC_ISSUER, or log in otherwise.")
        return self.engine.provider

    def _back(self, request: Request) -> str:
        scheme = "https" if is_https(self.engine, request) else "http"
        return f"{scheme}://{request.headers['host']}{BACK}"


def _made(secret: str, what: str) -> str:
    """Return a value that only who has the secret can make."""
    return _base64(hmac.new(secret.encode(), what.encode(), "sha256").digest())


def _base64(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()
