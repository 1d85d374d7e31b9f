"""Both libraries keep what they promise, and to the tenant they are asked about."""

import inspect

from interlock.store.library import INDEX, Chunk, DueJob, Later, Library, Place, UsageRow, Wanted
from interlock.store.postgres.library import PostgresLibrary
from interlock.store.script import Key, Reply
from interlock.store.sqlite.library import SqliteLibrary
from tests.stage import AWAY, EVE, HOME, Stage, staged

USAGE = UsageRow("usage-1", "ada", "extract", "big", 3, 5, 1_000)
KEY = Key("ada", "r1", "asked")


async def document(stage: Stage, *chunks: Chunk) -> str:
    """Make a document with chunks of ours."""
    unit = await stage.plan(1)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Notes", "content": "x"}
    name = str((await stage.call("store_research", **told)).data["artifact_id"])
    library = stage.engine.store.library
    job = await library.take_job(DueJob(HOME, INDEX, name), 1_000)
    assert job is not None
    assert await library.finish_job(job, "m", chunks)
    return name


def test_both_answer_every_verb_of_the_port_with_the_same_words() -> None:
    for name, said in inspect.getmembers(Library, inspect.isfunction):
        if name.startswith("_"):
            continue
        for library in (SqliteLibrary, PostgresLibrary):
            ours = inspect.signature(getattr(library, name))
            assert list(ours.parameters) == list(inspect.signature(said).parameters), name


@staged
async def test_chunks_come_back_as_they_were_kept(stage: Stage) -> None:
    chunks = (Chunk(0, "a 'b' \\", ("a", "b"), b"\0\1\2\3"), Chunk(1, "c", ("c",)))
    name = await document(stage, *chunks)
    library = stage.engine.store.library
    places: list[Place] = [(name, 1), (name, 0), (name, 9), ("doc-0", 0)]
    passages = await library.passages(HOME, places)
    row = await library.document(HOME, name)

    assert [(one.place, one.text, one.document) for one in passages] == [
        (1, "c", row),
        (0, "a 'b' \\", row),
    ]
    assert await library.vectors(HOME, "m", Wanted(), 10) == (((name, 0), b"\0\1\2\3"),)
    assert await library.vectors(HOME, "other", Wanted(), 10) == ()
    assert await library.find_words(HOME, ("b", "c"), Wanted(), 10) in (
        ((name, 0), (name, 1)), ((name, 1), (name, 0)),
    )  # fmt: skip
    assert len(await library.find_words(HOME, ("b", "c"), Wanted(), 1)) == 1
    assert await library.find_words(HOME, (), Wanted(), 10) == ()


@staged
async def test_another_tenant_sees_takes_and_ends_nothing(stage: Stage) -> None:
    name = await document(stage, Chunk(0, "secret", ("secret",), b"1234"))
    library = stage.engine.store.library
    unit = await stage.plan(1)
    told = {"plan_id": unit, "artifact_type": "notes", "title": "Open", "content": "x"}
    waiting = str((await stage.call("store_research", **told)).data["artifact_id"])
    taken = await library.take_job(DueJob(HOME, INDEX, waiting), 1_000)
    await library.spend(HOME, USAGE, KEY, "{}")
    assert taken is not None
    theirs = taken._replace(tenant=AWAY)

    assert await library.document(AWAY, name) is None
    assert await library.documents(AWAY, unit) == ()
    assert await library.find_words(AWAY, ("secret",), Wanted(), 10) == ()
    assert await library.vectors(AWAY, "m", Wanted(), 10) == ()
    assert await library.passages(AWAY, [(name, 0)]) == ()
    assert (await library.jobs(AWAY, 10), await library.usage(AWAY, 10)) == ((), ())
    assert await library.recall(AWAY, KEY) is None
    assert await library.take_job(DueJob(AWAY, INDEX, waiting), 1_000) is None
    assert not await library.finish_job(theirs, "m", [])
    assert not await library.fail_job(theirs, Later(0, "mine"))
    assert (await library.jobs(HOME, 10))[0].error == ""
    assert EVE.tenant == AWAY


@staged
async def test_what_was_spent_is_listed_and_its_answer_recalled(stage: Stage) -> None:
    library = stage.engine.store.library
    await library.spend(HOME, USAGE, KEY, '{"a":1}')
    later = USAGE._replace(id="usage-2", at=2_000)
    await library.spend(HOME, later, KEY._replace(asked="other"), '{"b":2}')
    await library.spend(HOME, USAGE._replace(id="usage-0", at=3_000), None, "")

    assert [row.id for row in await library.usage(HOME, 2)] == ["usage-0", "usage-2"]
    assert (await library.usage(HOME, 10))[2] == USAGE
    assert await library.recall(HOME, KEY) == Reply("asked", '{"a":1}')
    assert await library.recall(HOME, KEY._replace(request="r2")) is None
