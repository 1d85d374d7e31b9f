"""Search finds the same on both databases, fuses two legs, and no query breaks it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.service import search as searching
from interlock.service.embed import LocalEmbedder, embedder_at
from interlock.service.index import index_due
from interlock.service.search import (
    ALONE,
    CAPPED,
    SHORTENED,
    SILENT,
    SNIPPET,
    VECTORS_MAX,
    WAITING,
    WORDLESS,
    K,
    fuse,
    search,
    snippet,
)
from interlock.service.vectors import pack
from interlock.store.library import INDEX, Chunk, DueJob, Wanted
from tests.service.endpoints import Said, embedded, endpoint
from tests.stage import HOME, Stage, staged

TEXTS = {
    "Tides": "The tide rises twice a day. Moon and sun pull at the sea.",
    "Moon": "The moon is about 384,400 km away; Apollo 11 landed in 1969.",
    "Café": "Le café de la Lune ouvre à midi, naïve fiancée.",
    "Code": "def sea_level(x): return x['tide'] -- C++ and foo-bar @ 3.14",
    "量子": "量子 計算機 is a quantum computer. Квантовый компьютер.",
}
QUERIES = {
    "moon": {"Tides", "Moon"},
    "MOON sea": {"Tides", "Moon", "Code"},
    "cafe naive": {"Café"},
    "lune café": {"Café"},
    "foo-bar": {"Code"},
    "sea_level": {"Tides", "Code"},
    "1969": {"Moon"},
    "3.14": {"Code"},
    "量子": {"量子"},
    "компьютер": {"量子"},
    "nothing of that": set(),
    "moon*": {"Tides", "Moon"},
    '"moon" AND NOT sea': {"Tides", "Moon", "Code"},
}
ODD = [
    "", " ", '"', "'", "''", "\\", "AND", "OR NOT", "(", ")))", "*", "a*", "^a", "col:val",
    "owner : x", "words:(a OR b)", "NEAR(a b)", "a & b | !c", "<->", "a:*", "🙂", "🙂🙂 moon",
    "moon " * 2_000, "x" * 10_000, "%_", "; DROP TABLE chunks; --", "\u202e", "\ud83d\ude42",
    " ".join(map(str, range(3_000))),
]  # fmt: skip


async def fill(stage: Stage) -> None:
    unit = await stage.plan(1)
    for title, content in TEXTS.items():
        told = {"plan_id": unit, "artifact_type": "notes", "title": title, "content": content}
        await stage.call("store_research", **told)
    assert await index_due(stage.engine) == len(TEXTS)


@staged
async def test_both_databases_find_the_same_documents(stage: Stage) -> None:
    await fill(stage)
    found = {}
    for query in QUERIES:
        hits = (await search(stage.engine, HOME, query, Wanted())).hits
        found[query] = {hit.passage.document.title for hit in hits}

    assert found == QUERIES


@staged
async def test_what_has_more_of_the_words_comes_first(stage: Stage) -> None:
    await fill(stage)
    found = await search(stage.engine, HOME, "tide sea moon", Wanted())

    assert found.hits[0].passage.document.title == "Tides"
    assert [hit.legs for hit in found.hits] == [("keyword",)] * 3
    assert [hit.score for hit in found.hits] == [1 / (K + rank) for rank in (1, 2, 3)]
    assert found.warnings == [ALONE]


@staged
async def test_no_query_breaks_anything(stage: Stage) -> None:
    await fill(stage)
    stage.engine = replace(stage.engine, embedder=LocalEmbedder())
    for query in ODD:
        text = query.encode("utf-16", "surrogatepass").decode("utf-16")
        answer = await stage.call("search_sources", query=text)
        assert answer.status == "ok", query[:20]
    again = await search(stage.engine, HOME, "moon", Wanted())

    assert len(again.hits) == 2


@staged
async def test_what_is_not_as_it_should_be_is_said(stage: Stage) -> None:
    unit = await stage.plan(1)
    many = " ".join(f"word{number}" for number in range(40))
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes", "content": many}
    await stage.call("store_research", **told)
    early = await search(stage.engine, HOME, many, Wanted())
    await index_due(stage.engine)
    late = await search(stage.engine, HOME, many, Wanted())
    odd = await search(stage.engine, HOME, "?!", Wanted())
    with endpoint(Said({}, 500)) as fake:
        engine = replace(stage.engine, embedder=embedder_at(fake.url, "", "tiny"))
        alone = await search(engine, HOME, "word1", Wanted())

    assert (early.warnings, early.hits) == ([SHORTENED, ALONE, WAITING], [])
    assert (late.warnings, len(late.hits)) == ([SHORTENED, ALONE], 1)
    assert (odd.warnings, odd.hits) == ([WORDLESS, ALONE], [])
    assert (alone.warnings, len(alone.hits)) == ([SILENT], 1)


@staged
async def test_a_slow_endpoint_is_not_waited_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(stage)
    monkeypatch.setattr(searching, "PATIENCE_S", 0.2)
    with endpoint(Said(embedded([1.0]), after_s=1.0)) as fake:
        engine = replace(stage.engine, embedder=embedder_at(fake.url, "", "tiny"))
        found = await search(engine, HOME, "moon", Wanted())

    assert (found.warnings, len(found.hits)) == ([SILENT], 2)


@staged
async def test_only_so_many_vectors_are_compared_the_newest_first(stage: Stage) -> None:
    unit = await stage.plan(1)
    library = stage.engine.store.library
    for title, amount in (("Old", 3), ("New", VECTORS_MAX)):
        told = {"plan_id": unit, "artifact_type": "notes", "title": title, "content": title}
        answer = await stage.call("store_research", **told)
        name = str(answer.data["artifact_id"])
        job = await library.take_job(DueJob(HOME, INDEX, name), 1_000)
        assert job is not None
        chunks = [Chunk(place, title, (), pack([1.0, 0.0])) for place in range(amount)]
        await library.finish_job(job, "endpoint:tiny", chunks)
        await stage.sql(f"UPDATE documents SET at = {amount} WHERE id = '{name}'")  # noqa: S608 (our own)
    with endpoint(embedded([1.0, 0.0])) as fake:
        engine = replace(stage.engine, embedder=embedder_at(fake.url, "", "tiny"))
        found = await search(engine, HOME, "anything", Wanted())

    assert found.warnings == [CAPPED]
    assert [hit.passage.document.title for hit in found.hits] == ["New"]


@staged
async def test_vectors_of_another_model_are_not_compared(stage: Stage) -> None:
    await fill(stage)
    stage.engine = replace(stage.engine, embedder=LocalEmbedder())
    found = await search(stage.engine, HOME, "lunar distance", Wanted())

    assert (found.hits, found.warnings) == ([], [])


def test_legs_are_fused_by_the_ranks_of_documents() -> None:
    legs = {
        "keyword": [("a", 3), ("a", 1), ("b", 0)],
        "vector": [("b", 7), ("c", 2), ("a", 9)],
    }
    ranked = fuse(legs, 10)

    assert [(one.document, one.place, one.legs) for one in ranked] == [
        ("b", 0, ("keyword", "vector")),
        ("a", 3, ("keyword", "vector")),
        ("c", 2, ("vector",)),
    ]
    assert [one.score for one in ranked] == [1 / 62 + 1 / 61, 1 / 61 + 1 / 63, 1 / 62]
    assert len(fuse(legs, 2)) == 2
    assert fuse({"keyword": [], "vector": []}, 5) == []


@pytest.mark.parametrize("query", [("needle",), ("NEEDLE".lower(), "other")])
def test_a_snippet_shows_what_was_asked_for(query: tuple[str, ...]) -> None:
    text = "hay " * 300 + "Needle in it " + "hay " * 300
    shown = snippet(text, query)

    assert "Needle in it" in shown
    assert (shown[0], shown[-1]) == ("…", "…")
    assert snippet("short\n text", query) == "short text"


@given(st.text(max_size=600), st.text(min_size=1, max_size=5))
def test_a_snippet_is_short_whatever_the_text(text: str, word: str) -> None:
    assert len(snippet(text, (word,))) <= SNIPPET + 2
