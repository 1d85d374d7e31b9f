"""Search: chunks by their words and by their meaning, the two lists fused by reciprocal rank.

Both legs keep to the same tenant and the same filters. A hit is a document, shown by its best
chunk. Whatever is not as good as it could be is said in the warnings; no query breaks anything.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.vectors import closeness
from interlock.service.words import WORD, telling, words
from interlock.store.library import INDEX, Passage, Place, Wanted

K: Final = 60
"""How much the first places count more than the rest; the usual figure for this fusion."""

WORDS_MAX: Final = 32
QUERY_MAX: Final = 2_000
DEPTH: Final = 10
"""How many chunks each leg looks at for every hit that is wanted: a document has several."""

VECTORS_MAX: Final = 5_000
PATIENCE_S: Final = 5.0
"""How long a search waits for what the query means; its words are found without it."""

SNIPPET: Final = 240
CLOSE: Final = 0.2
"""What is less near than this is near by chance."""

KEYWORD: Final = "keyword"
VECTOR: Final = "vector"
ALONE: Final = (
    "Only words are searched: install interlock[embeddings] or set INTERLOCK_EMBEDDINGS_URL to"
    " search by meaning, too."
)
SILENT: Final = "Meaning was not searched: the embeddings model does not answer. Words were."
CAPPED: Final = f"By meaning only the newest {VECTORS_MAX:,} passages were compared."
WAITING: Final = "Some documents are not indexed yet; search again in a moment."
WORDLESS: Final = "The query has no word in it, so nothing can be found by words."
SHORTENED: Final = f"Only the first {WORDS_MAX} different words of the query were searched."


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found: its best passage, and which legs have found it."""

    passage: Passage
    snippet: str
    score: float
    legs: tuple[str, ...]


@dataclass(slots=True)
class Found:
    """What a search has found, the best first, and what was not as it should be."""

    hits: list[Hit] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class _Ranked(NamedTuple):
    score: float
    document: str
    place: int
    legs: tuple[str, ...]


async def search(engine: Engine, tenant: str, query: str, wanted: Wanted, limit: int = 10) -> Found:
    """Find documents of a tenant by a query in plain words."""
    found = Found()
    distinct = telling(words(query))
    if not distinct:
        found.warnings.append(WORDLESS)
    elif len(distinct) > WORDS_MAX:
        found.warnings.append(SHORTENED)
    library = engine.store.library
    asked = distinct[:WORDS_MAX]
    legs = {KEYWORD: await library.find_words(tenant, asked, wanted, limit * DEPTH)}
    legs[VECTOR] = await _by_meaning(engine, tenant, query, wanted, limit * DEPTH, found)
    ranked = fuse(legs, limit)
    passages = await library.passages(tenant, [(one.document, one.place) for one in ranked])
    by_document = {passage.document.id: passage for passage in passages}
    for one in ranked:
        passage = by_document.get(one.document)
        if passage is not None:  # else it was indexed anew in between
            text = snippet(passage.text, asked)
            found.hits.append(Hit(passage, text, one.score, one.legs))
    if any(job.kind == INDEX for job in await library.jobs(tenant, 1)):
        found.warnings.append(WAITING)
    return found


async def _by_meaning(
    engine: Engine, tenant: str, query: str, wanted: Wanted, limit: int, found: Found
) -> tuple[Place, ...]:
    """Find the chunks nearest in meaning; where that cannot be, say why."""
    embedder = engine.embedder
    if embedder is None:
        found.warnings.append(ALONE)
        return ()
    if not query.strip():
        return ()
    try:
        async with asyncio.timeout(PATIENCE_S):
            made = await embedder.embed([query[:QUERY_MAX]])
    except (InterlockError, TimeoutError):
        found.warnings.append(SILENT)
        return ()
    rows = await engine.store.library.vectors(tenant, embedder.name, wanted, VECTORS_MAX)
    if len(rows) == VECTORS_MAX:
        found.warnings.append(CAPPED)
    near = closeness(made.vectors[0], [vector for _, vector in rows])
    best = sorted(
        ((-value, place) for value, (place, _) in zip(near, rows, strict=True) if value >= CLOSE)
    )
    return tuple(place for _, place in best[:limit])


def fuse(legs: Mapping[str, Sequence[Place]], limit: int) -> list[_Ranked]:
    """Rank documents by the places they have in the legs; their best chunk stands for them."""
    scores: dict[str, float] = {}
    places: dict[str, int] = {}
    by: dict[str, tuple[str, ...]] = {}
    for leg, found in legs.items():
        for rank, (document, place) in enumerate(_first_of_each(found), 1):
            scores[document] = scores.get(document, 0.0) + 1 / (K + rank)
            places.setdefault(document, place)
            by[document] = (*by.get(document, ()), leg)
    ranked = [_Ranked(scores[one], one, places[one], by[one]) for one in scores]
    ranked.sort(key=lambda one: (-one.score, one.document))
    return ranked[:limit]


def _first_of_each(found: Iterable[Place]) -> Iterable[Place]:
    seen: set[str] = set()
    for document, place in found:
        if document not in seen:
            seen.add(document)
            yield document, place


def snippet(text: str, asked: Sequence[str]) -> str:
    """Return what stands around the first word that was asked for, else how the text begins."""
    wanted = set(asked)
    places = (one.start() for one in WORD.finditer(text) if wanted.intersection(words(one.group())))
    middle = next(islice(places, 1), 0)
    start = max(0, middle - SNIPPET // 3)
    if start:
        start = text.find(" ", start, middle) + 1 or start
    shown = " ".join(text[start : start + SNIPPET].split())
    before, after = "…" if start else "", "…" if start + SNIPPET < len(text) else ""
    return f"{before}{shown}{after}"
