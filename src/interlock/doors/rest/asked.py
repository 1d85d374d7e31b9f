"""One request becomes the arguments of one command: path, query, body and headers.

What cannot be read is refused here; what can be read and makes no sense, by the command's shape.
"""

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple, NoReturn
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import Request

from interlock.commands.row import AnyCommand
from interlock.doors.rest.fields import read_query
from interlock.doors.rest.refusals import BadRequest, TokenInQuery, WrongMediaType
from interlock.service.errors import InvalidInput, StaleVersion, TooLarge

PARAMETERS_MAX: Final = 200
TOKEN_NAMES: Final = frozenset({"token", "access_token", "api_key", "apikey", "authorization"})
TOKEN: Final = re.compile(r"il_[0-9a-fA-F]{40}")
JSON: Final = "application/json"
KEY: Final = re.compile(r"[!-~]{1,200}")
TAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
OWN_TAG: Final = re.compile(r'"([0-9]{1,15})(?:\.[0-9a-f]{1,64})?"')

SHAPE_FIX: Final = "Send a JSON object in UTF-8, each name once."


Pairs = list[tuple[str, str]]
"""What a query says, in order."""


class Asked(NamedTuple):
    """What a command is called with; ``version`` is the one its unit must be at."""

    arguments: dict[str, object]
    version: int | None = None


def query_of(request: Request) -> Pairs:
    """Return what a query says, in order; raises for what is no text, and for a token in it."""
    try:
        raw = request.scope["query_string"].decode("ascii")
        pairs = parse_qsl(
            raw, keep_blank_values=True, errors="strict", max_num_fields=PARAMETERS_MAX
        )
    except ValueError as exc:
        message = "The query cannot be read."
        fix = f"Encode it in UTF-8, with at most {PARAMETERS_MAX} parameters."
        raise BadRequest(message, fix=fix) from exc
    if any(name.lower() in TOKEN_NAMES or TOKEN.fullmatch(value) for name, value in pairs):
        message = "A token in an address ends up in logs and histories; it is not taken there."
        fix = "Send it as: Authorization: Bearer il_... If it was a real one, revoke it."
        raise TokenInQuery(message, fix=fix)
    return pairs


async def asked_of(
    row: AnyCommand, params: Mapping[str, str], pairs: Pairs, request: Request, bytes_max: int
) -> Asked:
    """Read everything that a command is called with; ``params`` stood in the path."""
    version = version_of(request.headers)
    if row.is_read:
        return Asked({**read_query(row, pairs), **params}, version)
    if pairs:
        message = f"{row.name} takes nothing from the query."
        raise InvalidInput(message, fix="Send it in the body, as JSON.")
    arguments = read_json(await read_body(request, bytes_max), request.headers)
    twice = [name for name in params if name in arguments]
    if twice:
        message = f"{', '.join(twice)} stands in the path already."
        told = tuple((name, "stands in the path already") for name in twice)
        raise InvalidInput(message, fix="Leave it out of the body.", fields=told)
    return Asked({**_keyed(arguments, request.headers), **params}, version)


def _keyed(arguments: dict[str, object], headers: Headers) -> dict[str, object]:
    """Take the request id from its header; one in the body must be the same."""
    keys = headers.getlist("idempotency-key")
    if not keys:
        return arguments
    if len(keys) > 1 or not KEY.fullmatch(keys[0]):
        message = "Idempotency-Key cannot be read."
        raise BadRequest(message, fix="Send one, of 1 to 200 printable characters, no blanks.")
    if arguments.get("request_id", keys[0]) != keys[0]:
        message = "The request id in the body is not the one in Idempotency-Key."
        told = (("request_id", "differs from Idempotency-Key"),)
        raise InvalidInput(message, fix="Send one of them, or the same in both.", fields=told)
    return {**arguments, "request_id": keys[0]}


def version_of(headers: Headers) -> int | None:
    """Return the version that a unit must be at; a tag that is none of ours fits nothing."""
    given = headers.getlist("if-match")
    if not given or given == ["*"]:
        return None
    if len(given) > 1 or not TAG.fullmatch(given[0]):
        raise BadRequest("If-Match cannot be read.", fix="Send one ETag as it was given, or *.")
    own = OWN_TAG.fullmatch(given[0])
    if own is None:
        message = "If-Match names a version that never was."
        raise StaleVersion(message, fix="Read the unit again, and send its ETag.")
    return int(own[1])


async def read_body(request: Request, bytes_max: int) -> bytes:
    """Read a body that is not too large; one that says it is, is not even begun."""
    said = request.headers.get("content-length", "0")
    if said.isascii() and said.isdigit() and int(said[:18]) > bytes_max:
        _too_large(bytes_max)
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > bytes_max:
            _too_large(bytes_max)
        pieces.append(piece)
    return b"".join(pieces)


def _too_large(bytes_max: int) -> NoReturn:
    message = f"The body has more than {bytes_max:,} bytes."
    raise TooLarge(message, fix="Send large content as an artifact, or shorten it.")


def read_json(content: bytes, headers: Headers) -> dict[str, object]:
    """Read a body as a JSON object; an empty one says nothing."""
    if not content:
        return {}
    _must_be_json(headers)
    try:
        found = json.loads(content.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError as exc:
        raise BadRequest("The body is nested too deep.", fix="Make it flatter.") from exc
    except ValueError as exc:
        # What json says names the place, and repeats nothing of the body but a name.
        message = f"The body is no JSON in UTF-8: {_why(exc)}."
        raise BadRequest(message, fix=SHAPE_FIX) from exc
    if not isinstance(found, dict):
        raise InvalidInput("The body is no JSON object.", fix=SHAPE_FIX)
    return found


def _why(exc: ValueError) -> str:
    if isinstance(exc, UnicodeDecodeError):
        return f"byte {exc.start} begins no character"
    if isinstance(exc, json.JSONDecodeError):
        return f"{exc.msg} at character {exc.pos}"
    return str(exc)[:200]


def _must_be_json(headers: Headers) -> None:
    media, _, more = headers.get("content-type", "").partition(";")
    charset = more.strip().lower().replace('"', "")
    if media.strip().lower() != JSON or charset not in ("", "charset=utf-8"):
        raise WrongMediaType("The body is not read as that.", fix=f"Send it as {JSON}, in UTF-8.")
    if headers.get("content-encoding", "identity") != "identity":
        raise WrongMediaType("The body is packed.", fix="Send it as it is.")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{ascii(twice)[:80]} is there twice")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
