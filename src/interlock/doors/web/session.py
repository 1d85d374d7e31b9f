"""The session of a browser: begun with a new secret, read from its cookie, ended for good."""

from starlette.requests import Request
from starlette.responses import Response

from interlock.doors.cookies import (
    FORM,
    LONG_S,
    SESSION,
    drop_cookie,
    is_https,
    read_cookie,
    set_cookie,
)
from interlock.doors.http import LOOPBACK, host_of
from interlock.doors.web.page import go
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import Unauthenticated
from interlock.service.sessions import Visit, log_out, resume

CHANNEL = "web"


class InsecurePage(InterlockError):
    """Somebody would log in over a connection that others can read."""

    code = "INSECURE_PAGE"
    http = 403


def require_https(engine: Engine, request: Request) -> None:
    """Raise unless nobody can listen: over https, or on this machine itself."""
    if not is_https(engine, request) and host_of(request.headers["host"]) not in LOOPBACK:
        message = "This page is reached over plain http: others could read your password."
        raise InsecurePage(message, fix="Use https; set INTERLOCK_PUBLIC_URL behind a proxy.")


async def visit_of(engine: Engine, request: Request) -> Visit | None:
    """Return who is logged in; None where nobody is."""
    secret = read_cookie(engine, request, SESSION)
    if not secret:
        return None
    try:
        return await resume(engine, secret)
    except Unauthenticated:
        return None


def begin(engine: Engine, request: Request, visit: Visit, path: str = "/") -> Response:
    """Send somebody on who has just come in; whatever secret the browser had is replaced."""
    response = go(engine, request, path)
    set_cookie(engine, request, response, SESSION, visit.secret, lasts_s=LONG_S)
    drop_cookie(engine, request, response, FORM)
    return response


async def end(engine: Engine, request: Request, visit: Visit | None) -> Response:
    """End the session and have the browser forget it."""
    if visit is not None:
        await log_out(engine, visit)
    response = go(engine, request, "/login")
    drop_cookie(engine, request, response, SESSION)
    return response
