"""What can be got and is no command's answer: the bytes of an artifact, the drawing of a workflow.

What is stored here was written by anybody. It is given out so that no browser takes it for a page
of ours: as plain text, as JSON, or as a file to be saved.
"""

import asyncio
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import Response

from interlock.commands.ticket.blind import must_see
from interlock.doors.rest.answer import ALWAYS, is_seen
from interlock.kernel.draw.dot import dot
from interlock.picture import svg
from interlock.service.access import require
from interlock.service.content import read_content
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound

SHOWN: Final = {"text/plain": "text/plain; charset=utf-8", "application/json": "application/json"}
"""What a browser may show, and as what; everything else is saved."""

SAVED: Final = "application/octet-stream"
SVG: Final = "image/svg+xml"
LOCKED: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
NAME_MAX: Final = 100


async def get_bytes(
    engine: Engine, caller: Principal, params: Mapping[str, str], headers: Headers
) -> Response:
    """Return the bytes of an artifact."""
    require(caller, "read", "Reading an artifact")
    digest = params["digest"]
    found = await read_content(engine, caller.tenant, params["id"], digest)
    await must_see(engine, caller, params["id"], found.rows)
    row = found.rows[-1]
    media = row.media_type.partition(";")[0].strip().lower()
    more = {**ALWAYS, "ETag": f'"{digest}"', "Content-Security-Policy": LOCKED}
    if is_seen(more["ETag"], headers):
        return Response(status_code=304, headers=more)
    if media not in SHOWN:
        name = quote(row.name.rpartition("/")[2][:NAME_MAX], safe="")
        more["Content-Disposition"] = f"attachment; filename*=UTF-8''{name}"
    return Response(found.content, headers=more, media_type=SHOWN.get(media, SAVED))


async def get_drawing(
    engine: Engine, caller: Principal, params: Mapping[str, str], headers: Headers
) -> Response:
    """Return a workflow's machines, drawn."""
    require(caller, "read", "Reading a workflow")
    running = engine.flows.get(params["name"])
    if running is None:
        raise NotFound(params["name"])
    more = {**ALWAYS, "ETag": f'"{running.digest}"', "Content-Security-Policy": LOCKED}
    if is_seen(more["ETag"], headers):
        return Response(status_code=304, headers=more)
    # Drawing takes a while the first time, and others must not wait for it.
    picture = await asyncio.to_thread(svg, dot(running.flow))
    return Response(picture, headers=more, media_type=SVG)
