"""Extract data from a text, or from a document, for a caller; what it has cost is written down.

That is so also where nothing came of it. How a model is asked, and when it is believed, is in
``outside.believe``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from interlock.outside.believe import Session, Source
from interlock.outside.model import ModelNotConfigured
from interlock.outside.schema import read_schema
from interlock.service.engine import Engine, Principal
from interlock.service.errors import NotFound, TooLarge
from interlock.service.order import Reply
from interlock.service.run import Answer, answer
from interlock.store.library import UsageRow
from interlock.store.rows import dump
from interlock.store.script import Committed, Key

SOURCE_MAX: Final = 400_000
WHAT: Final = "extract"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What to extract, and from what: a text, or a document by its id."""

    schema: Mapping[str, object]
    text: str = ""
    document: str = ""
    instructions: str = ""


async def extract(
    engine: Engine, caller: Principal, asked: Extraction, key: Key | None = None
) -> Answer:
    """Return the data that a model has found, which fits the schema; raises where none does."""
    if key is not None and (known := await engine.store.library.recall(caller.tenant, key)):
        return answer(Committed(known.text, is_replay=True, asked=known.asked), key)
    schema = read_schema(asked.schema)
    text = await _source(engine, caller.tenant, asked)
    model = engine.model
    if model is None:
        message = "No model is set up, so nothing can be extracted."
        fix = (
            "Set INTERLOCK_MODEL_URL, INTERLOCK_MODEL_NAME and INTERLOCK_MODEL_KEY, and"
            " INTERLOCK_MODEL_KIND to openai or anthropic; or extract it yourself."
        )
        raise ModelNotConfigured(message, fix=fix)
    session = Session(model)
    marker = engine.clock.secret()
    try:
        value = await session.extract(schema, Source(text, asked.instructions, marker))
    except BaseException:
        if session.calls:
            await _spend(engine, caller, session)
        raise
    reply: Reply = {"extracted": value, "mended": session.calls > 1, "model": model.name}
    reply |= {"tokens_in": session.tokens_in, "tokens_out": session.tokens_out}
    worded = dump(_envelope(reply))
    await _spend(engine, caller, session, key, worded)
    # Of copies that came at once, all get the answer that was kept first.
    known = None if key is None else await engine.store.library.recall(caller.tenant, key)
    return Answer(worded if known is None else known.text)


async def _source(engine: Engine, tenant: str, asked: Extraction) -> str:
    text = asked.text
    if asked.document:
        document = await engine.store.library.document(tenant, asked.document)
        content = None if document is None else await engine.store.content(tenant, document.digest)
        if content is None:
            raise NotFound(asked.document)
        text = content.decode("utf-8", "replace")
    if len(text) > SOURCE_MAX:
        message = f"The text has {len(text):,} characters; at most {SOURCE_MAX:,} are read at once."
        raise TooLarge(message, fix="Send the part of it that matters.")
    return text


async def _spend(
    engine: Engine, caller: Principal, session: Session, key: Key | None = None, reply: str = ""
) -> None:
    usage = UsageRow(
        engine.clock.new_id("usage"), caller.id, WHAT, session.model.name, session.tokens_in,
        session.tokens_out, engine.store.now(),
    )  # fmt: skip
    await engine.store.library.spend(caller.tenant, usage, key, reply)


def _envelope(data: Reply) -> Reply:
    action = "Check it against the text before you rely on it."
    return {
        "status": "ok", "next_action": action, "legal_moves": [], "data": data, "warnings": [],
    }  # fmt: skip
