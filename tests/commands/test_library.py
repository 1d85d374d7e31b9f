"""The library's commands on both databases: kept, read, found, and never anybody else's."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import pytest

from interlock.service.embed import LocalEmbedder
from interlock.service.index import index_due
from interlock.service.verify import verify
from tests.stage import AWAY, BOB, EVE, HOME, PAT, Stage, staged

REPORT = "Zebrafish regenerate their hearts. The lagoon was quiet."


async def stored(stage: Stage, unit: str, title: str = "Notes", **more: object) -> str:
    """Store something and return its id."""
    told = {"plan_id": unit, "artifact_type": "notes", "title": title, "content": REPORT, **more}
    answer = await stage.call("store_research", **told)
    return str(answer.data["artifact_id"])


async def found(stage: Stage, query: str, **more: object) -> list[str]:
    """Search, and return the ids of what was found."""
    answer = await stage.call("search_sources", query=query, **more)
    hits = cast("list[Mapping[str, object]]", answer.data["hits"])
    return [str(hit["artifact_id"]) for hit in hits]


@staged
async def test_what_is_stored_has_versions_and_is_told_in_the_audit(stage: Stage) -> None:
    unit = await stage.plan(1)
    before = await stage.standing(unit)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes", "content": REPORT}
    first = await stage.call("store_research", **told)
    again = await stage.call("store_research", **told, step_id=f"{unit}.1")
    second = await stage.call("store_research", **told)
    output = await stage.call("store_research_output", plan_id=unit, title="End", content="x")
    documents = await stage.engine.store.library.documents(HOME, unit)

    assert [first.data["version"], again.data["version"], second.data["version"]] == [1, 1, 2]
    assert (first.status, first.data["plan_status"]) == ("stored", "planning")
    assert sorted((one.kind, one.part, one.version) for one in documents) == [
        ("artifact", 0, 1), ("artifact", 0, 2), ("artifact", 1, 1), ("output", 0, 1),
    ]  # fmt: skip
    ids = [first.data["artifact_id"], again.data["artifact_id"], second.data["artifact_id"]]
    ids.append(output.data["output_id"])
    kept = [body["kept"] for body in await stage.audit(unit) if "kept" in body]
    assert [cast("list[dict[str, object]]", one)[0]["id"] for one in kept] == ids
    assert {one.id for one in documents} == set(ids)
    assert await stage.standing(unit) == before
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_those_who_store_at_once_each_get_a_version_of_their_own(stage: Stage) -> None:
    unit = await stage.plan(1)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes"}
    answers = await asyncio.gather(
        *(stage.call("store_research", **told, content=f"text {one}") for one in range(20))
    )
    kept = {row.id: row for row in await stage.engine.store.library.documents(HOME, unit)}

    assert sorted(int(str(one.data["version"])) for one in answers) == list(range(1, 21))
    for one in answers:
        row = kept[str(one.data["artifact_id"])]
        assert (row.version, row.digest) == (one.data["version"], one.data["digest"])


@staged
async def test_the_same_request_stores_once(stage: Stage) -> None:
    unit = await stage.plan(1)
    ids = [await stored(stage, unit, request_id="r1") for _ in range(2)]
    no = await stage.refused(
        "store_research", plan_id=unit, artifact_type="notes", title="Other", content="x",
        request_id="r1",
    )  # fmt: skip

    assert ids[0] == ids[1]
    assert no.code == "IDEMPOTENCY_MISMATCH"
    assert len(await stage.engine.store.library.documents(HOME, unit)) == 1
    assert len(await stage.engine.store.library.jobs(HOME, 10)) == 1


@staged
async def test_what_is_stored_is_read_page_by_page(stage: Stage) -> None:
    unit = await stage.plan(1)
    name = await stored(stage, unit, content="0123456789", source_urls=["https://example.org/a"])
    first = await stage.call("get_artifact", artifact_id=name, limit=6)
    rest = await stage.call("get_artifact", artifact_id=name, offset=first.data["next_offset"])

    assert (first.data["content"], rest.data["content"]) == ("012345", "6789")
    assert (rest.data["characters"], "next_offset" in rest.data) == (10, False)
    assert first.data["source_urls"] == ["https://example.org/a"]
    assert first.next_action.endswith("offset 6 to read on.")


@staged
async def test_what_is_stored_is_found_with_its_filters(stage: Stage) -> None:
    unit, other = await stage.plan(1, tags=["red"]), await stage.plan(1)
    mine = await stored(stage, unit)
    step = await stored(stage, other, "Step", step_id=f"{other}.1", artifact_type="source")
    answer = await stage.call(
        "store_research_output", BOB, plan_id=other, title="End", content="Hearts of zebrafish"
    )
    end = str(answer.data["output_id"])
    assert await found(stage, "zebrafish") == []
    assert await index_due(stage.engine) == 3

    assert set(await found(stage, "ZEBRAFISH hearts")) == {mine, step, end}
    assert set(await found(stage, "zebrafish", filters={"plan_id": other})) == {step, end}
    assert await found(stage, "zebrafish", filters={"kind": "output"}) == [end]
    assert await found(stage, "zebrafish", filters={"artifact_type": "source"}) == [step]
    assert await found(stage, "zebrafish", filters={"author": BOB.id}) == [end]
    assert await found(stage, "zebrafish", filters={"tags": ["red"]}) == [mine]
    assert await found(stage, "zebrafish", filters={"tags": ["red", "blue"]}) == []
    documents = await stage.engine.store.library.documents(HOME, unit)
    at = documents[0].at
    assert await found(stage, "zebrafish", filters={"plan_id": unit, "since": at, "until": at}) == [
        mine
    ]
    assert await found(stage, "zebrafish", filters={"since": at + 10**9}) == []
    assert await found(stage, "zebrafish", filters={"until": at - 10**9}) == []
    assert len(await found(stage, "zebrafish", limit=2)) == 2
    assert await found(stage, "elephant") == []


@staged
async def test_another_tenant_neither_reads_finds_nor_adds_anything(stage: Stage) -> None:
    unit = await stage.plan(1)
    name = await stored(stage, unit)
    theirs = await stage.plan(1, EVE)
    told = {"plan_id": theirs, "artifact_type": "notes", "title": "Notes", "content": REPORT}
    hers = await stage.call("store_research", EVE, **told)
    await index_due(stage.engine)

    assert (await stage.refused("get_artifact", EVE, artifact_id=name)).code == "NOT_FOUND"
    assert (await stage.refused("store_research", EVE, **{**told, "plan_id": unit})).code == (
        "NOT_FOUND"
    )
    answer = await stage.call("search_sources", EVE, query="zebrafish")
    hits = cast("list[Mapping[str, object]]", answer.data["hits"])
    assert [hit["artifact_id"] for hit in hits] == [hers.data["artifact_id"]]
    assert await found(stage, "zebrafish") == [name]
    assert await stage.engine.store.library.documents(AWAY, unit) == ()
    assert await found(stage, "zebrafish", filters={"plan_id": theirs}) == []


@staged
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"step_id": "plan-0.1"}, "NOT_FOUND"),
        ({"step_id": "{}"}, "NOT_FOUND"),
        ({"step_id": "{}.9"}, "NOT_FOUND"),
        ({"plan_id": "plan-000000000000"}, "NOT_FOUND"),
        ({"plan_id": "ticket-000000000000"}, "NOT_FOUND"),
        ({"content": ""}, "INVALID_INPUT"),
        ({"title": "x" * 201}, "INVALID_INPUT"),
        ({"media_type": "nothing"}, "INVALID_INPUT"),
        ({"artifact_type": "a/b"}, "INVALID_INPUT"),
    ],
)
async def test_what_cannot_be_stored_is_refused(
    stage: Stage, wrong: Mapping[str, str], code: str
) -> None:
    unit = await stage.plan(1)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes", "content": "x"}
    told |= {name: value.format(unit) for name, value in wrong.items()}
    before = await stage.mark(unit)
    no = await stage.refused("store_research", **told)

    assert no.code == code
    assert await stage.mark(unit) == before
    assert await stage.engine.store.library.jobs(HOME, 1) == ()


@staged
async def test_a_finished_plan_still_takes_its_output(stage: Stage) -> None:
    unit = await stage.plan(1)
    step, lease = await stage.claim(unit)
    await stage.call("submit_step_result", step_id=step, lease=lease, result_summary="done")
    answer = await stage.call("store_research_output", PAT, plan_id=unit, title="End", content="x")

    assert (answer.data["plan_status"], answer.data["version"]) == ("completed", 1)


@staged
async def test_both_legs_find_and_say_so(stage: Stage) -> None:
    unit = await stage.plan(1)
    stage.engine = replace(stage.engine, embedder=LocalEmbedder())
    name = await stored(stage, unit, content="The physician examined the patient in hospital.")
    await stored(stage, unit, "Money", content="Stock markets fell sharply on Monday.")
    await index_due(stage.engine)
    by_words = await stage.call("search_sources", query="physician")
    by_meaning = await stage.call("search_sources", query="doctor clinic")

    for answer, legs in ((by_words, ["keyword", "vector"]), (by_meaning, ["vector"])):
        hits = cast("list[Mapping[str, object]]", answer.data["hits"])
        assert (hits[0]["artifact_id"], hits[0]["matched"]) == (name, legs)
        assert answer.warnings == ()
