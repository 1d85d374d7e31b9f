"""Forms: read within limits, and believed only with the proof that they are ours.

The proof is made from the session's secret, or before anybody is logged in from a cookie of the
form's own. Host and Origin are checked before, for every path (``doors.http.Guard``).
"""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from interlock.doors.cookies import FORM, SESSION, is_proof, read_cookie
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.errors import InvalidInput, TooLarge

FORM_BYTES_MAX: Final = 256 * 1024
LARGE_BYTES_MAX: Final = 3 * 1024 * 1024
"""How much is taken with a form, and with one that holds a whole document: letters beyond ASCII,
blanks and ends of lines are several bytes there."""

FIELDS_MAX: Final = 100
LARGE_FIELDS_MAX: Final = 10_000
FIELD: Final = "csrf"
MEDIA_TYPE: Final = "application/x-www-form-urlencoded"

Form = dict[str, str]


class NotOurForm(InterlockError):
    """A form was sent without the proof that it comes from a page of ours."""

    code = "NOT_OUR_FORM"
    http = 403


async def read_form(engine: Engine, request: Request, *, is_large: bool = False) -> Form:
    """Return the fields of a form that is ours; raises ``NotOurForm`` for any other."""
    form = await _fields(request, is_large=is_large)
    given = form.pop(FIELD, "")
    # A browser may still have the cookie of a session that has ended.
    if not any(is_proof(read_cookie(engine, request, one), given) for one in (SESSION, FORM)):
        message = "This form is not from a page of this server, or the page is too old."
        raise NotOurForm(message, fix="Load the page again and send the form from there.")
    return form


async def _fields(request: Request, *, is_large: bool) -> Form:
    bytes_max, fields_max = FORM_BYTES_MAX, FIELDS_MAX
    if is_large:
        bytes_max, fields_max = LARGE_BYTES_MAX, LARGE_FIELDS_MAX
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MEDIA_TYPE:
        raise InvalidInput("This is no form.", fix=f"Send it as {MEDIA_TYPE}.")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > bytes_max:
            message = f"The form has more than {bytes_max:,} bytes."
            raise TooLarge(message, fix="Shorten what you wrote.")
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, max_num_fields=fields_max, errors="strict"
        )
    except ValueError as exc:
        raise InvalidInput("This form cannot be read.", fix="Load the page again.") from exc
    form = dict(pairs)
    if len(form) != len(pairs) or any("\0" in value for value in form.values()):
        raise InvalidInput("This form cannot be read.", fix="Load the page again.")
    return form
