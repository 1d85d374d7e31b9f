"""What a browser is told with every page: nothing foreign, no frames, no guessing, no trace."""

from typing import Final

from starlette.responses import Response

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: then browsers send our own forms with `Origin: null`, which is nobody's.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
STORED: Final = "no-store"


def secured(response: Response, *, is_https: bool = False) -> Response:
    """Return a response with all that a browser is told; a page is not kept in any cache."""
    for name, value in HEADERS.items():
        response.headers[name] = value
    response.headers.setdefault("Cache-Control", STORED)
    if is_https:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    return response
