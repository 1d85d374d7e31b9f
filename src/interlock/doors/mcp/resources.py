"""What a client can read without calling a tool: units, their audit, their drawing, and itself.

Each is the answer of one command, marked as every answer is. Addresses that name nothing are
answered as the protocol wants it; a refusal is told in its own words.
"""

import json
from collections.abc import Mapping
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from interlock.doors.mcp.answer import document
from interlock.doors.mcp.call import Context, Desk
from interlock.errors import InterlockError
from interlock.kernel.draw.mermaid import mermaid
from interlock.service.engine import Principal
from interlock.service.errors import NotFound
from interlock.wire.envelope import problem

SCHEME: Final = "interlock://"
UNIT: Final = f"{SCHEME}unit/"
PROFILE: Final = f"{SCHEME}profile"
JSON: Final = "application/json"
MERMAID: Final = "text/vnd.mermaid"

NOT_FOUND: Final = -32002
"""What the revisions with a handshake say of an address that names nothing."""

LISTED: Final = 50
"""How many units the list shows, the last changed first; every other can be read by its id."""

ENTRIES: Final = 1_000
"""How many entries of an audit are shown, the last ones."""

TEMPLATES: Final = (
    ("unit", f"{UNIT}{{id}}", "A unit and its parts: where each stands.", JSON),
    ("audit", f"{UNIT}{{id}}/audit", "What has happened to a unit, entry by entry.", JSON),
    ("diagram", f"{UNIT}{{id}}/diagram", "A unit's machines, and where it stands.", MERMAID),
)


def addresses(unit: str) -> tuple[str, ...]:
    """Return every address that tells something else once a unit has changed."""
    return tuple(address.replace("{id}", unit) for _, address, _, _ in TEMPLATES)


async def list_resources(desk: Desk, context: Context) -> ListResourcesResult:
    """List who you are, and the units that changed last."""
    try:
        units = await _ask(desk, desk.who(context), "list_units", {"limit": LISTED})
    except InterlockError as error:
        raise _refused(error) from error
    rows = units["units"]
    found = [Resource(name="profile", uri=PROFILE, mime_type=JSON, description="Who you are here.")]
    found += [
        # The name of a unit is somebody's text; its id is ours.
        Resource(
            name=str(row["id"]), uri=f"{UNIT}{row['id']}", mime_type=JSON,
            description=f"{row['workflow']}, {row['status']}",
        )
        for row in (rows if isinstance(rows, list) else [])
    ]  # fmt: skip
    return ListResourcesResult(resources=found)


def list_templates() -> ListResourceTemplatesResult:
    """List the forms that addresses have."""
    templates = [
        ResourceTemplate(name=name, uri_template=form, description=doc, mime_type=media)
        for name, form, doc, media in TEMPLATES
    ]
    return ListResourceTemplatesResult(resource_templates=templates)


async def read_resource(desk: Desk, context: Context, uri: str) -> ReadResourceResult:
    """Read what an address names."""
    caller = desk.who(context)
    try:
        media, text = await _read(desk, caller, uri)
    except NotFound as none:
        code = _not_found(context.protocol_version)
        raise MCPError(code=code, message=none.message, data={"uri": ascii(uri[:200])}) from none
    except InterlockError as error:
        raise _refused(error) from error
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=media, text=text)])


def _refused(error: InterlockError) -> MCPError:
    told = problem(error).model_dump(mode="json")
    return MCPError(code=INVALID_PARAMS, message=error.message, data=told)


def _not_found(version: str) -> int:
    """Return the code for an address that names nothing, which has changed with the protocol."""
    return NOT_FOUND if version < "2026" else INVALID_PARAMS


async def _read(desk: Desk, caller: Principal, uri: str) -> tuple[str, str]:
    if uri == PROFILE:
        return JSON, await _told(desk, caller, "ping", {})
    unit, _, view = uri.removeprefix(UNIT).partition("/")
    if not uri.startswith(UNIT) or view not in ("", "audit", "diagram"):
        raise NotFound(uri)
    if not view:
        return JSON, await _told(desk, caller, "get_unit", {"id": unit})
    found = await _ask(desk, caller, "get_unit", {"id": unit, "limit": 1})
    if view == "diagram":
        flow = desk.engine.running(unit).flow
        return MERMAID, mermaid(flow, at=str(found["status"]))
    after = max(0, int(str(found["version"])) - ENTRIES)
    asked = {"id": unit, "after": after, "limit": ENTRIES}
    return JSON, await _told(desk, caller, "get_audit", asked)


async def _ask(
    desk: Desk, caller: Principal, command: str, arguments: Mapping[str, object]
) -> dict[str, object]:
    return (await desk.run(caller, command, arguments)).data


async def _told(
    desk: Desk, caller: Principal, command: str, arguments: Mapping[str, object]
) -> str:
    envelope = await desk.run(caller, command, arguments)
    return json.dumps(document(envelope, desk.marks()), ensure_ascii=False)
