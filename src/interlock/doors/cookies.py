"""Cookies: what they are called, when they may be set, and the proof that a page of ours asked.

Over https a cookie is bound to its host: ``__Host-``, Secure. Over plain http, which only this
machine may use, it has a plain name and no Secure: some browsers refuse the others even on
loopback. A form proves that it is ours with a value made from a cookie that no other site can read.
"""

import hmac
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from interlock.service.engine import Engine

SESSION: Final = "interlock"
FORM: Final = "interlock-form"
"""What a form is proved with before anybody is logged in."""

PROVIDER: Final = "interlock-provider"
"""What binds a login at an identity provider to the browser that began it."""

WANTED: Final = "interlock-wanted"
"""Which page somebody wanted who had to log in first, for who comes in by a link."""

HEADER: Final = "x-interlock-csrf"
"""Where a script of a page puts the proof."""

SAFE: Final = ("GET", "HEAD", "OPTIONS")
LONG_S: Final = 90 * 24 * 3600


def is_https(engine: Engine, request: Request) -> bool:
    """Say whether a browser reaches us over https, also where a proxy speaks http to us."""
    if request.url.scheme == "https":
        return True
    host = request.headers.get("host", "").lower()
    return engine.site.lower() == f"https://{host}"


def named(engine: Engine, request: Request, name: str) -> str:
    """Return what a cookie is called on this way in."""
    return f"__Host-{name}" if is_https(engine, request) else name


def read_cookie(engine: Engine, request: Request, name: str) -> str:
    """Return a cookie's value; nothing where there is none."""
    return request.cookies.get(named(engine, request, name), "")


def set_cookie(
    engine: Engine, request: Request, response: Response, name: str, value: str, *, lasts_s: int
) -> None:
    """Have the browser keep a value that no script can read and no other site can send."""
    response.set_cookie(
        named(engine, request, name), value, max_age=lasts_s, path="/", httponly=True,
        secure=is_https(engine, request), samesite="lax",
    )  # fmt: skip


def drop_cookie(engine: Engine, request: Request, response: Response, name: str) -> None:
    """Have the browser forget a value."""
    set_cookie(engine, request, response, name, "", lasts_s=0)


def proof(secret: str) -> str:
    """Return what a form carries to show that it is ours; it does not give the secret away."""
    return hmac.new(secret.encode(), b"form", "sha256").hexdigest()


def is_proof(secret: str, given: str) -> bool:
    """Say whether a form, or a script of a page, has shown the right proof."""
    return bool(secret) and hmac.compare_digest(proof(secret).encode(), given.encode())
