"""What every door over HTTP shares: who may come in, under which name, and how it is told.

Host and Origin are checked on every path, because a page in a browser can send requests to this
machine; a token says who is calling. Which paths there are is not decided here.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.doors.cookies import HEADER, SAFE, SESSION, is_proof, read_cookie
from interlock.errors import InterlockError
from interlock.service.access import authenticate
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, Unauthenticated
from interlock.service.rate import RateLimited
from interlock.service.sessions import resume
from interlock.service.vouched import authenticate_jwt, is_jwt
from interlock.wire.envelope import problem

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
MEDIA_TYPE: Final = "application/problem+json"
ERRORS: Final = "/docs/errors"
"""The page that says of every code what it means."""

RETRY_S: Final = 2
"""How soon a caller may try again who was told that it may help."""

CALLER: Final = "interlock.caller"
"""Where a request carries the id of its caller, once it is known, for whoever writes it down."""


class WrongHost(InterlockError):
    """The request names a host that this server is not known by."""

    code = "WRONG_HOST"
    http = 421


class WrongOrigin(InterlockError):
    """The request comes from a web page of somebody else."""

    code = "WRONG_ORIGIN"
    http = 403


class NoSuchPath(InterlockError):
    """There is nothing at this path."""

    code = "NO_SUCH_PATH"
    http = 404


def problem_of(error: InterlockError, instance: str = "") -> dict[str, object]:
    """Return an error as RFC 9457 wants it told, with what is ours beside it."""
    body: dict[str, object] = {
        "type": f"{ERRORS}#{error.code.lower()}",
        "title": error.code.replace("_", " ").capitalize(),
        "status": error.http,
        "detail": error.message,
    }
    if instance:
        body["instance"] = instance
    body |= problem(error).model_dump(mode="json")
    fields = error.fields if isinstance(error, InvalidInput) else ()
    body["errors"] = [{"field": field, "message": what} for field, what in fields]
    return {**body, **error.details}


def told(
    error: InterlockError, headers: dict[str, str] | None = None, instance: str = ""
) -> Response:
    """Return an error as an answer over HTTP."""
    # An error may repeat what the caller sent, and that need not be valid text.
    text = json.dumps(problem_of(error, instance), ensure_ascii=False, separators=(",", ":"))
    content = text.encode(errors="backslashreplace")
    return Response(content, error.http, {**(headers or {}), **retry_after(error)}, MEDIA_TYPE)


def retry_after(error: InterlockError) -> dict[str, str]:
    """Return the header that says when to come back, for an error that passes by itself."""
    if isinstance(error, RateLimited):
        return {"Retry-After": str(error.after_s)}
    passes = error.retryable and error.http in (429, 503)
    return {"Retry-After": str(RETRY_S)} if passes else {}


class Doors:
    """Hands what begins with a door's path to that door, and the rest to whoever is behind.

    Programs call these all the time: what a router and its middleware do for pages would cost
    them a twentieth of a call. Its patterns also stop at the end of a line, which an id may hold.
    """

    def __init__(self, doors: Mapping[str, ASGIApp], behind: ASGIApp) -> None:
        """Take what answers at each path of one word and below it; whoever is behind starts up."""
        self._doors = doors
        self._behind = behind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on."""
        app = self._behind
        if scope["type"] == "http":
            first = scope["path"][1:].partition("/")[0]
            app = self._doors.get(f"/{first}", app)
        await app(scope, receive, send)


class Guard:
    """Lets in what is meant for this server; wraps the whole application."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        """Take the names that this server is known by; those of this machine are always known."""
        self._app = app
        self._names = {*LOOPBACK, *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a stranger here; hand everybody else on."""
        error = None
        if scope["type"] == "http":
            # Blanks around a value are no part of it, and not every web server takes them off.
            scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            error = self._check(scope["headers"])
        if error is None:
            await self._app(scope, receive, send)
        else:
            await told(error)(scope, receive, send)

    def _check(self, headers: Iterable[tuple[bytes, bytes]]) -> InterlockError | None:
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or host_of(hosts[0].decode("latin-1")) not in self._names:
            fix = "Use a name it is known by, or add yours to INTERLOCK_HOSTS."
            return WrongHost("This server is not known by the host named.", fix=fix)
        for origin in [value for name, value in headers if name == b"origin"]:
            scheme, _, host = origin.decode("latin-1").partition("://")
            if scheme not in ("http", "https") or host_of(host) not in self._names:
                fix = "Call from a page of this server, or add its host to INTERLOCK_HOSTS."
                return WrongOrigin("This server takes no calls from that page.", fix=fix)
        return None


@lru_cache(maxsize=256)
def host_of(address: str) -> str:
    """Return the host of ``host:port``, in lower case; brackets stay around an IPv6 address."""
    head, bracket, port = address.lower().partition("]")
    if bracket:
        return head + bracket if not port or port.startswith(":") else ""
    host, _, port = address.lower().partition(":")
    return host if not port or (port.isascii() and port.isdigit()) else ""


async def who(engine: Engine, request: Request) -> Principal:
    """Return who is behind a request, for every door over HTTP; raises ``Unauthenticated``.

    A token of ours, a token of the identity provider, or the session of a browser: that one only
    where nothing is changed, or where a script of a page has proved that it is ours. What stands
    in the address is never looked at. An address that many wrong tokens came from is not asked
    for the next one: ``RateLimited``.
    """
    address = request.client.host if request.client is not None else ""
    if engine.rates is not None:
        engine.rates.allow_guess(address)
    try:
        found = await _who(engine, request)
    except Unauthenticated:
        if engine.rates is not None:
            engine.rates.guessed(address)
        raise
    request.scope[CALLER] = found.id
    return found


async def _who(engine: Engine, request: Request) -> Principal:
    if "authorization" not in request.headers:
        return await _who_visits(engine, request)
    secret = bearer(request)
    if is_jwt(secret):
        return await authenticate_jwt(engine, secret)
    return await authenticate(engine, secret)


def bearer(request: Request) -> str:
    """Return the token that a request carries; raises ``Unauthenticated`` where it has none."""
    given = request.headers.getlist("authorization")
    kind, _, secret = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    if kind.lower() != "bearer" or not secret.strip():
        raise _nobody()
    return secret.strip()


async def _who_visits(engine: Engine, request: Request) -> Principal:
    secret = read_cookie(engine, request, SESSION) if "cookie" in request.headers else ""
    if not secret:
        raise _nobody()
    if request.method not in SAFE and not is_proof(secret, request.headers.get(HEADER, "")):
        message = "A session alone changes nothing: the request does not show that it is ours."
        raise Unauthenticated(message, fix=f"Send the proof of the page as {HEADER}, or a token.")
    return (await resume(engine, secret)).principal


def _nobody() -> Unauthenticated:
    message = "The request carries no token."
    return Unauthenticated(message, fix="Send it as: Authorization: Bearer il_...")


def unauthenticated(error: Unauthenticated, *, has_token: bool) -> Response:
    """Return the answer to a request without a good token."""
    return told(error, challenge(has_token=has_token))


def challenge(*, has_token: bool) -> dict[str, str]:
    """Return the header that says how to come in."""
    wrong = ', error="invalid_token"' if has_token else ""
    return {"WWW-Authenticate": f'Bearer realm="interlock"{wrong}'}
