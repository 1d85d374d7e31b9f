"""A unit that was deleted is gone for everybody, and the audit still proves all of it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from interlock.commands.verbs import LocalVerbs
from interlock.errors import InterlockError
from interlock.service.engine import Engine, Principal
from interlock.service.index import index_due
from interlock.service.roles import OWNER
from interlock.service.verify import all_units, verify
from interlock.store.port import Store
from interlock.store.postgres.store import PostgresStore
from interlock.store.postgres.trips import Options
from interlock.store.sqlite.store import SqliteStore
from tests.stage import ADA, HOME, PAT, Stage, staged

OLA: Final = replace(PAT, id="ola", role=OWNER)
TOLD: Final = {"artifact_type": "notes", "title": "t", "content": "zebra"}


async def ended(stage: Stage, by: Principal = ADA) -> str:
    """Make a plan that has everything a plan can have, and end it."""
    plan = await stage.plan(2, by)
    step, lease = await stage.claim(plan, by)
    await stage.call("store_research", by, plan_id=plan, **TOLD)
    await stage.call("submit_feedback", by, plan_id=plan, rating=4)
    await stage.call("request_user_review", by, step_id=step, lease=lease, summary="look")
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    await index_due(stage.engine)
    return plan


@asynccontextmanager
async def proving(stage: Stage) -> AsyncIterator[Engine]:
    """Open what proves the audit: a second store, which sees what was deleted."""
    store: Store
    if isinstance(stage.where, Path):
        store = SqliteStore(stage.where, stage.clock, "off", sees_deleted=True)
    else:
        options = Options(allow_degraded=True, sees_deleted=True)
        store = await PostgresStore.open(stage.where, stage.clock, options)
    try:
        yield Engine(store, stage.clock, stage.engine.flows)
    finally:
        await store.close()


Seen = Callable[[Store, str], Awaitable[object]]
READS: Final[dict[str, Seen]] = {
    "whole": lambda store, unit: store.whole(HOME, unit),
    "audit": lambda store, unit: store.audit(HOME, unit, 0, 10),
    "feed": lambda store, _: store.feed(HOME, "", 100),
    "units": lambda store, _: store.units(HOME, "", None, 10),
    "artifacts": lambda store, unit: store.artifacts(HOME, unit),
    "feedback": lambda store, unit: store.feedback(HOME, unit),
    "gates": lambda store, unit: store.gates.of_unit(HOME, unit),
    "documents": lambda store, unit: store.library.documents(HOME, unit),
}


@staged
async def test_every_read_of_the_store_passes_over_it_but_for_who_proves_the_audit(
    stage: Stage,
) -> None:
    plan = await ended(stage)
    before = {name: await look(stage.engine.store, plan) for name, look in READS.items()}
    assert [name for name, found in before.items() if not found] == []
    await stage.call("delete_unit", OLA, id=plan)

    left = {name: await look(stage.engine.store, plan) for name, look in READS.items()}
    assert {name for name, found in left.items() if found} == set()
    async with proving(stage) as engine:
        found = {name: await look(engine.store, plan) for name, look in READS.items()}
        assert {name for name, one in found.items() if not one} == set()
        assert [name async for name in all_units(engine, HOME)] == [plan]
        verdict = await verify(engine, HOME)
        assert (verdict.units, verdict.findings) == (1, [])
        entries = await engine.store.audit(HOME, plan, 0, 100)
        assert verdict.entries == len(entries)
        assert '"event":"delete"' in entries[-1].link.body
        assert '"id":"ola"' in entries[-1].link.body


@staged
async def test_search_finds_nothing_of_it_also_if_it_was_not_indexed_yet(stage: Stage) -> None:
    plan = await ended(stage)
    assert (await stage.call("search_sources", query="zebra")).data["hits"]
    await stage.call("store_research", plan_id=plan, **{**TOLD, "content": "okapi"})
    await stage.call("delete_unit", OLA, id=plan)
    await index_due(stage.engine)

    for word in ("zebra", "okapi"):
        assert (await stage.call("search_sources", query=word)).data["hits"] == []
    assert await stage.engine.store.library.jobs(HOME, 10) == ()


@staged
async def test_what_is_under_way_is_not_deleted_and_the_way_to_its_end_is_told(
    stage: Stage,
) -> None:
    plan = await stage.plan(1)
    before = await stage.mark(plan)
    no = await stage.refused("delete_unit", OLA, id=plan)

    assert (no.code, no.http) == ("NOT_ENDED", 409)
    assert "fail_plan" in [row.command for row in getattr(no, "legal", ())]
    assert await stage.mark(plan) == before


@staged
async def test_only_an_owner_deletes_and_nobody_else_learns_whether_it_is_there(
    stage: Stage,
) -> None:
    plan = await ended(stage)
    agent = replace(ADA, scopes=PAT.scopes)
    for caller in (replace(PAT, role="admin"), PAT, agent, replace(agent, role=OWNER), ADA):
        said = set()
        for name in (plan, "plan-000000000000"):
            no = await stage.refused("delete_unit", caller, id=name)
            said.add((no.code, no.message, no.fix))
        assert len(said) == 1
        assert said.pop()[0] == "NOT_ALLOWED"

    assert await stage.standing(plan) == "failed: failed skipped"


@staged
async def test_deleting_twice_finds_nothing_and_a_request_id_gives_the_same_answer(
    stage: Stage,
) -> None:
    plan, other = await ended(stage), await ended(stage)
    first = await stage.call("delete_unit", OLA, id=plan, request_id="r1")
    again = await stage.call("delete_unit", OLA, id=plan, request_id="r1")

    assert again == first
    assert (await stage.refused("delete_unit", OLA, id=plan)).code == "NOT_FOUND"
    no = await stage.refused("delete_unit", OLA, id=other, request_id="r1")
    assert no.code == "IDEMPOTENCY_MISMATCH"


@staged
async def test_another_process_that_remembers_the_unit_finds_it_no_more(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    async with proving(stage) as other:
        there = replace(stage, engine=other)
        await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
        await there.call("delete_unit", OLA, id=plan)
    told = {"step_id": step, "lease": lease}

    assert (await stage.refused("heartbeat_step", **told)).code == "NOT_FOUND"
    no = await stage.refused("submit_step_result", **told, result_summary="s")
    assert no.code == "NOT_FOUND"


@staged
async def test_a_version_that_has_moved_on_is_not_deleted(stage: Stage) -> None:
    plan = await ended(stage)
    version = (await stage.whole(plan)).row.version
    verbs = LocalVerbs(stage.engine, OLA)
    with pytest.raises(InterlockError) as no:
        await verbs.call("delete_unit", {"id": plan}, version - 1)

    assert no.value.code == "STALE_VERSION"
    await verbs.call("delete_unit", {"id": plan}, version)
    assert await stage.engine.store.whole(HOME, plan) is None


@staged
async def test_the_execution_that_made_it_is_gone_with_it(stage: Stage) -> None:
    told = {"skill_name": "scan", "session_id": "s1"}
    begun = await stage.call("log_skill_execution", PAT, **told, status="started")
    name = begun.data["skill_execution_id"]
    plan = await stage.plan(1, PAT, session_id="s1")
    store = stage.engine.store
    linked = await store.unit_skill(HOME, plan)
    assert linked is not None
    assert linked == await store.skill(HOME, str(name))
    await stage.call("fail_plan", PAT, plan_id=plan, reason="enough")
    await stage.call("delete_unit", OLA, id=plan)

    said = {**told, "status": "failed", "skill_execution_id": name}
    no = await stage.refused("log_skill_execution", PAT, **said)
    assert (no.code, no.message) == ("NOT_FOUND", f"There is no {name!r}.")
    assert await store.unit_skill(HOME, plan) is None
