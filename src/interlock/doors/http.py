"""What every door over HTTP shares: who may come in, under which name, and how it is told.

Host and Origin are checked on every path, because a page in a browser can send requests to this
machine; a token says who is calling. Which paths there are is not decided here.
"""

from collections.abc import Iterable
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.doors.cookies import HEADER, SAFE, SESSION, is_proof, read_cookie
from interlock.errors import InterlockError
from interlock.service.access import authenticate
from interlock.service.engine import Engine, Principal
from interlock.service.errors import Unauthenticated
from interlock.service.sessions import resume
from interlock.service.vouched import authenticate_jwt, is_jwt
from interlock.wire.envelope import problem

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
MEDIA_TYPE: Final = "application/problem+json"


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


def told(error: InterlockError, headers: dict[str, str] | None = None) -> Response:
    """Return an error as an answer over HTTP."""
    body = {"status": error.http, **problem(error).model_dump(mode="json")}
    return JSONResponse(body, error.http, headers, MEDIA_TYPE)


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
            error = self._check(Headers(scope=scope))
        if error is None:
            await self._app(scope, receive, send)
        else:
            await told(error)(scope, receive, send)

    def _check(self, headers: Headers) -> InterlockError | None:
        if len(headers.getlist("host")) != 1 or host_of(headers["host"]) not in self._names:
            fix = "Use a name it is known by, or add yours to INTERLOCK_HOSTS."
            return WrongHost("This server is not known by the host named.", fix=fix)
        for origin in headers.getlist("origin"):
            scheme, _, host = origin.partition("://")
            if scheme not in ("http", "https") or host_of(host) not in self._names:
                fix = "Call from a page of this server, or add its host to INTERLOCK_HOSTS."
                return WrongOrigin("This server takes no calls from that page.", fix=fix)
        return None


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
    in the address is never looked at.
    """
    given = request.headers.getlist("authorization")
    if not given:
        return await _who_visits(engine, request)
    kind, _, secret = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    if kind.lower() != "bearer" or not secret.strip():
        raise _nobody()
    secret = secret.strip()
    if is_jwt(secret):
        return await authenticate_jwt(engine, secret)
    return await authenticate(engine, secret)


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
    challenge = 'Bearer realm="interlock"' + (', error="invalid_token"' if has_token else "")
    return told(error, {"WWW-Authenticate": challenge})
