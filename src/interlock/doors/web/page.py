"""Pages: one layout, everything escaped, styles from a file that we serve ourselves.

A page is rendered with the proof that its forms carry; whoever has no session gets a cookie for it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from interlock.clock import span
from interlock.doors.cookies import FORM, LONG_S, is_https, proof, read_cookie, set_cookie
from interlock.doors.web import moments
from interlock.doors.web.harmless import marked, plain, prose, shortened
from interlock.doors.web.headers import secured
from interlock.doors.web.naming import known
from interlock.doors.web.outline import title
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput
from interlock.service.sessions import Visit

HERE: Final = Path(__file__).parent
FILES: Final = {
    "interlock.css": "text/css; charset=utf-8",
    "interlock.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "interlock.svg": "image/svg+xml",
}
STATIC: Final = HERE / "static"
SEE_OTHER: Final = 303
FOREVER: Final = "public, max-age=31536000, immutable"


def _finished(value: object) -> object:
    """Return what stands in a page for a value: a text in which everything can be seen."""
    # Whatever else it is becomes a text, too: a list may hold what cannot be seen.
    return value if isinstance(value, Markup | int | float) else plain(str(value))


_pages: Final = Environment(
    loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True, finalize=_finished,
)  # fmt: skip
_pages.filters |= {
    "ago": moments.ago, "ahead": moments.ahead, "clock": moments.clock, "moment": moments.moment,
    "span": span,
    "prose": prose, "known": known, "marked": marked, "shortened": shortened, "title": title,
}  # fmt: skip
_digests: Final = {name: sha256((STATIC / name).read_bytes()).hexdigest() for name in FILES}
_files: Final = {
    # Ours is called by what it is, any other by its name.
    name.removeprefix("interlock.").removesuffix(".js"): f"/static/{name}?{digest[:12]}"
    for name, digest in _digests.items()
}


@dataclass(frozen=True, slots=True)
class Told:
    """What is wrong with a form: beside a field where one is to blame, else above it."""

    message: str
    fix: str = ""
    field: str = ""

    @classmethod
    def of(cls, error: InterlockError, field: str = "") -> "Told":
        """Tell an error."""
        return cls(error.message, error.fix, field)

    @classmethod
    def beside(cls, error: InterlockError, fields: Collection[str], otherwise: str) -> "Told":
        """Tell an error beside the field that it names, in the words that are about that one."""
        for name, what in error.fields if isinstance(error, InvalidInput) else ():
            if name in fields:
                return cls(f"{what}.", "", name)
        return cls.of(error, otherwise)


def blamed(error: InterlockError) -> str:
    """Return the field that is to blame, as far as the error says."""
    fields = getattr(error, "fields", ())
    return str(fields[0][0]).rpartition(".")[2] if fields else ""


def page(
    engine: Engine,
    request: Request,
    template: str,
    *,
    visit: Visit | None = None,
    status: int = 200,
    **values: object,
) -> Response:
    """Render a page; its template gets ``csrf``, ``visit``, ``told`` and what else is given."""
    secret = visit.secret if visit is not None else read_cookie(engine, request, FORM)
    fresh = secret or engine.clock.secret()
    usual: dict[str, object] = {"told": None, "menu": None, "events": "", "here": "", "names": {}}
    usual |= {"files": _files, "now": engine.store.now()}
    text = _pages.get_template(template).render(
        {**usual, **values, "csrf": proof(fresh), "visit": visit}
    )
    response = HTMLResponse(text, status)
    if not secret:
        set_cookie(engine, request, response, FORM, fresh, lasts_s=LONG_S)
    return secured(response, is_https=is_https(engine, request))


def go(engine: Engine, request: Request, path: str) -> Response:
    """Send a browser on, so that reloading sends nothing twice."""
    response = RedirectResponse(path, SEE_OTHER)
    return secured(response, is_https=is_https(engine, request))


def problem_page(
    engine: Engine, request: Request, error: InterlockError, visit: Visit | None = None
) -> Response:
    """Render what went wrong, as a page of its own."""
    return page(
        engine, request, "problem.html", visit=visit, status=error.http, told=Told.of(error)
    )


def static_routes() -> list[Route]:
    """Return the routes of the files that pages need."""
    return [Route(f"/static/{name}", _file, methods=["GET"]) for name in FILES]


async def _file(request: Request) -> Response:
    name = request.scope["path"].rpartition("/")[2]
    response = FileResponse(STATIC / name, media_type=FILES[name])
    response.headers["Cache-Control"] = FOREVER
    return secured(response)
