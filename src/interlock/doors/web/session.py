"""The session of a browser: begun with a new secret, read from its cookie, ended for good.

Who must log in first is sent back to the page they wanted, which is always one of ours.
"""

import re
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from interlock.doors.cookies import (
    FORM,
    LONG_S,
    SAFE,
    SESSION,
    WANTED,
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
HOME: Final = "/"
LOGIN: Final = "/login"
NEXT: Final = "next"
"""What the page that somebody wanted is called in an address and in a form."""

NEXT_MAX: Final = 500
WANTED_S: Final = 600
KEPT: Final = "/:@"
"""What stands in a path as it is, beside letters and digits: ids of ours have a colon."""

OWN: Final = re.compile(r"/(?!/)[!-\[\]-~]*")
"""A path of ours: printable, in ASCII, without a backslash, which browsers read as a slash."""


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


def own_path(given: str) -> str:
    """Return a path that leads nowhere but to us; anything else leads home."""
    return given if len(given) <= NEXT_MAX and OWN.fullmatch(given) else HOME


def to_login(engine: Engine, request: Request, path: str = "") -> Response:
    """Have somebody log in, who then comes back to this page, or to ``path``."""
    if not path:
        # What was sent with a form is lost, and its address may be no page.
        path = _asked(request) if request.method in SAFE else HOME
    wanted = own_path(path)
    return go(
        engine, request, LOGIN if wanted == HOME else f"{LOGIN}?{NEXT}={quote(wanted, safe=KEPT)}"
    )


def _asked(request: Request) -> str:
    """Return the address of a page as it was asked for, without the server."""
    query = request.scope["query_string"].decode("latin-1")
    return quote(request.scope["path"], safe=KEPT) + (f"?{query}" if query else "")


def wanted_page(request: Request) -> str:
    """Return where somebody wanted to go who came here to log in."""
    return own_path(request.query_params.get(NEXT, ""))


def remember_wanted(engine: Engine, request: Request, response: Response, path: str) -> None:
    """Remember it for who comes in by a link, which is made elsewhere and knows of no page."""
    if path != HOME:
        set_cookie(engine, request, response, WANTED, path, lasts_s=WANTED_S)
    elif read_cookie(engine, request, WANTED):
        drop_cookie(engine, request, response, WANTED)


def remembered(engine: Engine, request: Request) -> str:
    """Return the page that somebody wanted before they came in by a link."""
    return own_path(read_cookie(engine, request, WANTED))


def begin(engine: Engine, request: Request, visit: Visit, path: str = HOME) -> Response:
    """Send somebody on who has just come in; whatever secret the browser had is replaced."""
    response = go(engine, request, own_path(path))
    set_cookie(engine, request, response, SESSION, visit.secret, lasts_s=LONG_S)
    drop_cookie(engine, request, response, FORM)
    drop_cookie(engine, request, response, WANTED)
    return response


async def end(engine: Engine, request: Request, visit: Visit | None) -> Response:
    """End the session and have the browser forget it."""
    if visit is not None:
        await log_out(engine, visit)
    response = go(engine, request, LOGIN)
    drop_cookie(engine, request, response, SESSION)
    return response
