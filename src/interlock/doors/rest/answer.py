"""An envelope becomes an answer over HTTP: its status, its bytes, and the tag of what was seen.

A tag has two halves: the version of the unit, by which ``If-Match`` finds out whether it has
moved on, and a digest of the bytes, because a lease can be extended without a new version.
"""

import json
from hashlib import sha256
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

from interlock.commands.row import AnyCommand
from interlock.doors.rest.places import PREFIX
from interlock.wire.envelope import Envelope

JSON: Final = "application/json"
DIGEST_SHOWN: Final = 16
UNITS: Final = ("plan_id", "id")
"""Which names in a path are a unit's."""

ALWAYS: Final = {"Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff"}


def document(envelope: Envelope) -> dict[str, object]:
    """Return an envelope as it is told."""
    return envelope.model_dump(mode="json", exclude_none=True)


def answered(row: AnyCommand, told: dict[str, object], headers: Headers) -> Response:
    """Return the answer to a command; nothing but its tag, where the caller has seen it."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    content = text.encode()
    more = dict(ALWAYS)
    tag = _tag(row, told, content)
    if tag:
        more["ETag"] = tag
    if row.is_read and tag and is_seen(tag, headers):
        return Response(status_code=304, headers=more)
    receipt = told.get("receipt")
    if row.makes_unit and isinstance(receipt, dict):
        more["Location"] = f"{PREFIX}/units/{receipt['unit']}"
    return Response(content, 201 if row.makes_unit else 200, more, JSON)


def _tag(row: AnyCommand, told: dict[str, object], content: bytes) -> str:
    receipt, data = told.get("receipt"), told["data"]
    if isinstance(receipt, dict):
        return f'"{receipt["sequence"]}.{receipt["hash"][:DIGEST_SHOWN]}"'
    if not row.is_read:
        return ""
    digest = sha256(content).hexdigest()[:DIGEST_SHOWN]
    version = data.get("version") if isinstance(data, dict) else None
    if row.in_path and row.in_path[0] in UNITS and isinstance(version, int):
        return f'"{version}.{digest}"'
    return f'"-{digest}"'


def is_seen(tag: str, headers: Headers) -> bool:
    """Say whether the caller names this tag among those they have."""
    given = ",".join(headers.getlist("if-none-match"))
    names = {name.strip().removeprefix("W/") for name in given.split(",")}
    return tag in names or "*" in names
