"""The library's commands: keep what was found, read it again, find it, extract data from it."""

import json
from typing import Final

from interlock.commands.names import is_plan
from interlock.commands.row import AnyCommand, Call, Command, named, where_of
from interlock.kernel.offered import offered
from interlock.service.errors import NotFound
from interlock.service.extract import Extraction, extract
from interlock.service.keep import Content, Described, Keeping, keep
from interlock.service.order import Reply
from interlock.service.run import Answer
from interlock.service.search import Hit, search
from interlock.store.library import DocumentRow, Wanted
from interlock.store.rows import part_id, unit_of
from interlock.wire.library import (
    ExtractData,
    Filters,
    ReadArtifact,
    SearchSources,
    StoreOutput,
    StoreResearch,
)

TOOLSET: Final = "research"
ARTIFACT: Final = "artifact"
OUTPUT: Final = "output"


async def store_research(call: Call, asked: StoreResearch) -> Answer:
    """Keep something for a plan or a step of it."""
    about = asked.step_id or asked.plan_id
    is_plan(asked.plan_id)
    if unit_of(about) != asked.plan_id or about == asked.step_id == asked.plan_id:
        raise NotFound(about)
    about_it = Described(ARTIFACT, asked.artifact_type, asked.title, asked.source_urls)
    content = asked.content.encode()
    kept = Content(about, "", content, asked.media_type, about_it, call.version)
    return await keep(call.engine, call.caller, kept, call.key, _stored)


async def store_output(call: Call, asked: StoreOutput) -> Answer:
    """Keep the deliverable of a plan."""
    is_plan(asked.plan_id)
    about_it = Described(OUTPUT, OUTPUT, asked.title)
    content = asked.content.encode()
    kept = Content(asked.plan_id, "", content, asked.media_type, about_it, call.version)
    return await keep(call.engine, call.caller, kept, call.key, _delivered)


def _stored(keeping: Keeping) -> Reply:
    return _kept(keeping, f"{ARTIFACT}_id", "Go on; find it again with search_sources.")


def _delivered(keeping: Keeping) -> Reply:
    return _kept(keeping, f"{OUTPUT}_id", "Tell the user that the output is there.")


def _kept(keeping: Keeping, id_name: str, action: str) -> Reply:
    told, status = keeping.told, keeping.unit.unit.status
    data: Reply = {id_name: told["id"], "plan_id": keeping.unit.id, "plan_status": status}
    data |= {name: told[name] for name in ("digest", "version", "size")}
    legal = offered(keeping.flow, where_of(keeping.unit, keeping.caller), "plan")
    reply: Reply = {"status": "stored", "next_action": action, "legal_moves": named(*legal)}
    return reply | {"data": data, "warnings": []}


async def get_artifact(call: Call, asked: ReadArtifact) -> Reply:
    """Read what was stored, some characters at a time."""
    document = await call.engine.store.library.document(call.tenant, asked.artifact_id)
    if document is None:
        raise NotFound(asked.artifact_id)
    content = await call.engine.store.content(call.tenant, document.digest)
    text = (content or b"").decode("utf-8", "replace")
    end = asked.offset + asked.limit
    data = described(document)
    data |= {"digest": document.digest, "media_type": document.media_type}
    data |= {"content": text[asked.offset : end], "offset": asked.offset, "characters": len(text)}
    action = ""
    if end < len(text):
        data["next_offset"] = end
        action = f"Call get_artifact with offset {end} to read on."
    return _read(data, action)


async def search_sources(call: Call, asked: SearchSources) -> Reply:
    """Find what was stored."""
    wanted = Wanted() if asked.filters is None else _wanted(asked.filters)
    found = await search(call.engine, call.tenant, asked.query, wanted, asked.limit)
    hits = [hit_told(hit) for hit in found.hits]
    action = "Call get_artifact to read a hit in full." if hits else "Try other words."
    return _read({"hits": hits}, action, found.warnings)


def _wanted(filters: Filters) -> Wanted:
    return Wanted(
        filters.plan_id or "", filters.kind or "", filters.artifact_type or "",
        filters.author or "", filters.since, filters.until, filters.tags,
    )  # fmt: skip


def hit_told(hit: Hit) -> Reply:
    """Tell what was found, with the passage that fits best."""
    told = described(hit.passage.document)
    return told | {"snippet": hit.snippet, "score": round(hit.score, 6), "matched": list(hit.legs)}


def described(document: DocumentRow) -> Reply:
    """Tell a document without its content."""
    told: Reply = {"artifact_id": document.id, "kind": document.kind, "title": document.title}
    told |= {"artifact_type": document.type, "version": document.version}
    told |= {"plan_id": document.unit, "author": document.author, "at": document.at}
    if document.part:
        told["step_id"] = part_id(document.unit, document.part)
    urls = json.loads(document.urls)
    return told | {"source_urls": urls} if urls else told


async def extract_data(call: Call, asked: ExtractData) -> Answer:
    """Have a model read data out of a text."""
    extraction = Extraction(
        asked.answer_schema, asked.source_text or "", asked.artifact_id or "", asked.instructions
    )
    return await extract(call.engine, call.caller, extraction, call.key)


def _read(data: Reply, action: str, warnings: list[str] | None = None) -> Reply:
    reply: Reply = {"status": "ok", "next_action": action, "legal_moves": []}
    return reply | {"data": data, "warnings": warnings or []}


# fmt: off
COMMANDS: Final[tuple[AnyCommand, ...]] = (
    Command("store_research", StoreResearch, store_research, "work", TOOLSET, event="keep", adds_only=True,
            http="POST /plans/{plan_id}/artifacts",
            doc="Keep something you found or worked out, with its sources, so that it can be searched and read again."),
    Command("store_research_output", StoreOutput, store_output, "work", TOOLSET, event="keep", adds_only=True,
            http="POST /plans/{plan_id}/outputs",
            doc="Keep the deliverable of a plan: the finished report or data."),
    Command("get_artifact", ReadArtifact, get_artifact, "read", TOOLSET,
            http="GET /artifacts/{artifact_id}",
            doc="Read what was stored, page by page."),
    Command("search_sources", SearchSources, search_sources, "read", TOOLSET, weight=5,
            http="GET /sources",
            doc="Search everything stored, by words and, where set up, by meaning."),
    Command("extract_data", ExtractData, extract_data, "work", TOOLSET, event="extract", adds_only=True, reaches_out=True, weight=10,
            http="POST /extractions",
            doc="Have a model read data out of a text or artifact that fits your JSON Schema; needs a model to be set up."),
)
# fmt: on
