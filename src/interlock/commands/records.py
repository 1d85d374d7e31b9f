"""What is read beside the units: who holds what, what is kept, which calls were made."""

import json
from base64 import b64encode
from typing import Final

from interlock.commands.listing import bad_cursor, place_of
from interlock.commands.row import PEOPLE, AnyCommand, Call, Command
from interlock.commands.ticket import blind
from interlock.service import content
from interlock.service.engine import Engine
from interlock.service.errors import NotFound
from interlock.service.order import Reply
from interlock.store.port import ArtifactRow, CallRow, LeaseRow, WhichCalls
from interlock.store.rows import part_id, part_number, unit_of
from interlock.wire.records import ListArtifacts, ListCalls, ListLeases, ReadContent

TOOLSET: Final = "work"
NUMBER_MAX: Final = 2**53


async def list_leases(call: Call, asked: ListLeases) -> Reply:
    """List who holds what until when."""
    unit = asked.unit_id or ""
    if unit:
        await _must_be_there(call.engine, call.tenant, unit)
    place = place_of(asked.cursor)
    after = None
    if place is not None:
        due, part = place
        if "." not in part or not part.rpartition(".")[2].isdecimal():
            raise bad_cursor()
        after = (due, unit_of(part), min(part_number(part), NUMBER_MAX))
    rows = await call.engine.store.leases(call.tenant, unit, after, asked.limit)
    last = f"{rows[-1].due}.{_held(rows[-1])}" if len(rows) == asked.limit else ""
    return _page("leases", [_lease(row) for row in rows], last)


async def _must_be_there(engine: Engine, tenant: str, unit: str) -> None:
    engine.running(unit)
    if "." in unit or not await engine.store.audit(tenant, unit, 0, 1):
        raise NotFound(unit)


def _held(row: LeaseRow) -> str:
    return part_id(row.unit, row.number)


def _lease(row: LeaseRow) -> Reply:
    return {
        "part_id": _held(row), "unit_id": row.unit, "workflow": row.workflow, "kind": row.kind,
        "status": row.status, "holder": row.holder, "until": row.due,
    }  # fmt: skip


async def list_artifacts(call: Call, asked: ListArtifacts) -> Reply:
    """List what is kept for a unit."""
    rows = await content.list_artifacts(call.engine, call.tenant, asked.id)
    is_blind = await blind.is_blind(call.engine, call.caller, asked.id)
    if is_blind:
        rows = blind.without_answers(rows)
    if asked.cursor is not None:
        after = _artifact_place(asked.cursor)
        rows = tuple(row for row in rows if content.place_of(row) > after)
    shown = rows[: asked.limit]
    last = f"{shown[-1].part}.{shown[-1].version}.{shown[-1].name}" if shown != rows else ""
    reply = _page("artifacts", [_artifact(row) for row in shown], last)
    return reply | {"warnings": blind.warned(is_withheld=is_blind)}


def _artifact_place(cursor: str) -> tuple[int, str, int]:
    part, _, rest = cursor.partition(".")
    version, _, name = rest.partition(".")
    if not all(number.isascii() and number.isdigit() for number in (part, version)):
        raise bad_cursor()
    return int(part), name, int(version)


def _artifact(row: ArtifactRow) -> Reply:
    told: Reply = {
        "name": row.name, "version": row.version, "digest": row.digest, "size": row.size,
        "media_type": row.media_type, "mark": row.mark, "author": row.author, "at": row.at,
    }  # fmt: skip
    return told | {"part_id": part_id(row.unit, row.part)} if row.part else told


async def get_content(call: Call, asked: ReadContent) -> Reply:
    """Read what is kept for a unit: text as it is, anything else in base64."""
    found = await content.read_content(call.engine, call.tenant, asked.id, asked.digest)
    await blind.must_see(call.engine, call.caller, asked.id, found.rows)
    end = asked.offset + asked.limit
    try:
        text = found.content.decode()
        size, some, encoding = len(text), text[asked.offset : end], "text"
    except UnicodeDecodeError:
        piece = found.content[asked.offset : end]
        size, some, encoding = len(found.content), b64encode(piece).decode(), "base64"
    data: Reply = {"unit_id": asked.id, "artifact": _artifact(found.rows[-1])}
    data |= {"encoding": encoding, "content": some, "offset": asked.offset, "length": size}
    if end < size:
        data["next_offset"] = end
    return _read(data)


async def list_calls(call: Call, asked: ListCalls) -> Reply:
    """List calls of commands, the newest first."""
    which = WhichCalls(asked.command, asked.unit, asked.is_failed)
    rows = await call.engine.store.calls(call.tenant, place_of(asked.cursor), asked.limit, which)
    last = f"{rows[-1].at}.{rows[-1].id}" if len(rows) == asked.limit else ""
    return _page("calls", [_call(row) for row in rows], last)


def _call(row: CallRow) -> Reply:
    return {
        "id": row.id, "at": row.at, "command": row.tool, "channel": row.channel,
        "actor": {"kind": row.kind, "id": row.principal, "session": row.session},
        "duration_ms": row.duration_ms, "failed": bool(row.failed),
        "request": json.loads(row.request), "response": json.loads(row.response),
    }  # fmt: skip


def _page(name: str, told: list[Reply], cursor: str) -> Reply:
    data: Reply = {name: told}
    return _read(data | {"cursor": cursor} if cursor else data)


def _read(data: Reply) -> Reply:
    return {"status": "ok", "next_action": "", "legal_moves": [], "data": data, "warnings": []}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("list_leases", ListLeases, list_leases, "read", TOOLSET,
            http="GET /leases",
            doc="Who holds which part until when, the lease that ends first at the top."),
    Command("list_artifacts", ListArtifacts, list_artifacts, "read", TOOLSET,
            http="GET /units/{id}/artifacts",
            doc="What is kept for a unit and its parts: results, answers, artifacts, every version."),
    Command("get_content", ReadContent, get_content, "read", TOOLSET, weight=2,
            http="GET /units/{id}/artifacts/{digest}",
            doc="Read what is kept for a unit by its digest, page by page."),
    Command("list_calls", ListCalls, list_calls, "admin", PEOPLE, weight=2,
            http="GET /calls",
            doc="The log of calls, the newest first: who called what, and how it was answered."),
)
# fmt: on
