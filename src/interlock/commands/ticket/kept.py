"""What is kept of a ticket, read again: its documents by name, its interview, drafts by member."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from interlock.commands.row import Call
from interlock.commands.ticket.words import documents_of
from interlock.service.errors import NotFound
from interlock.store.rows import UnitRow

Json = Mapping[str, object]
SESSION = "session"


async def text_of(call: Call, digest: str) -> str:
    """Read a text by its digest; empty where there is none."""
    content = await call.engine.store.content(call.tenant, digest) if digest else None
    return "" if content is None else content.decode("utf-8", "replace")


async def document_of(call: Call, unit: UnitRow, name: str) -> str:
    """Read the latest version of a document; empty where there is none yet."""
    return await text_of(call, documents_of(unit).get(name, ""))


async def session_of(call: Call, unit: UnitRow) -> Json:
    """Read the interview as it stands; raises ``NotFound`` where there is none yet."""
    text = await document_of(call, unit, SESSION)
    if not text:
        raise NotFound(f"{unit.id}: {SESSION}")
    return cast("Json", json.loads(text))


async def drafts_of(call: Call, unit: UnitRow) -> dict[int, Json]:
    """Read the answers that members have drafted in this round, by their places."""
    digests = cast("Sequence[str]", unit.unit.fields["drafts"])
    return {
        place: cast("Json", json.loads(await text_of(call, digest)))
        for place, digest in enumerate(digests)
        if digest
    }
