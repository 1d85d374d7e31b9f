"""Executions of skills: where they can go, the unit they are linked to, and who tells of it."""

import asyncio
from dataclasses import replace
from typing import Final

import pytest

from interlock.kernel.transition import InvalidTransition
from interlock.service.create import NewPart, NewUnit, create
from interlock.service.errors import InvalidInput, NotFound
from interlock.service.order import Reply
from interlock.service.skills import (
    SKILL,
    Ending,
    end,
    formatting_of,
    newest_started,
    standing,
    start,
)
from interlock.service.verify import verify
from interlock.store.port import SkillRow
from interlock.store.script import Key
from tests.stage import ADA, AWAY, EVE, HOME, Stage, staged

ME: Final = replace(ADA, session="s1")
FORM: Final = {"output_media_type": "text/html", "output_formatting_instructions": "short"}


def said(row: SkillRow, status: str) -> Reply:
    return {"id": row.id, "status": status, "unit": row.unit}


async def begin(stage: Stage, name: str = "scan", session: str = "s1") -> str:
    who = replace(ADA, session=session)
    return str((await start(stage.engine, who, name, FORM, said)).reply["id"])


async def linked(stage: Stage, skill: SkillRow | None, key: Key | None = None) -> str:
    new = NewUnit("plan", {}, (NewPart("step"),), skill=skill)
    answer = await create(stage.engine, ME, new, lambda made: {"unit": made.unit.id}, key)
    return str(answer.reply["unit"])


async def found(stage: Stage, name: str) -> SkillRow:
    row = await stage.engine.store.skill(HOME, name)
    assert row is not None
    return row


async def ended(stage: Stage, name: str, status: str, **metadata: object) -> Reply:
    ending = Ending(name, "scan", status, metadata)
    return dict((await end(stage.engine, ME, ending, said)).reply)


def test_the_map_is_the_one_that_was_promised() -> None:
    moves = {(one, two) for one in SKILL.names() for two in SKILL.names() if SKILL.goes(one, two)}

    assert SKILL.initial == "started"
    assert moves == {
        ("started", "executing"),
        ("executing", "completed"),
        ("executing", "failed"),
        ("started", "failed"),
    }


@staged
async def test_it_is_linked_in_the_commit_that_makes_the_unit(stage: Stage) -> None:
    name = await begin(stage)
    skill = await newest_started(stage.engine, HOME, "s1")
    assert skill is not None
    unit = await linked(stage, skill)

    row = await found(stage, name)
    assert (row.unit, row.status, standing(stage.engine, row)) == (unit, "started", "started")
    assert await newest_started(stage.engine, HOME, "s1") is None
    entries = await stage.audit(unit)
    assert [one["event"] for one in entries] == ["begin", "begin", "skill_started"]
    assert (entries[-1]["skill_execution"], entries[-1]["skill"]) == (name, "scan")
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_it_is_executing_once_its_unit_has_begun(stage: Stage) -> None:
    name = await begin(stage)
    unit = await linked(stage, await found(stage, name))
    await stage.claim(unit)

    assert standing(stage.engine, await found(stage, name)) == "executing"


@staged
async def test_its_end_is_told_in_the_audit_of_its_unit(stage: Stage) -> None:
    name = await begin(stage)
    unit = await linked(stage, await found(stage, name))
    await stage.claim(unit)
    reply = await ended(stage, name, "completed", output_media_type="text/plain")

    row = await found(stage, name)
    assert (row.status, standing(stage.engine, row)) == ("completed", "completed")
    assert row.ended_at is not None
    entry = (await stage.audit(unit))[-1]
    assert (entry["event"], entry["change"], entry["skill_status"]) == (
        "skill_completed", "note", "completed",
    )  # fmt: skip
    whole = await stage.whole(unit)
    assert reply["receipt"] == {"unit": unit, "sequence": whole.row.version, "hash": whole.row.head}
    assert (await verify(stage.engine, HOME)).findings == []
    assert await formatting_of(stage.engine, HOME, unit) == {
        "output_media_type": "text/plain",
        "output_formatting_instructions": "short",
    }


@staged
async def test_it_goes_nowhere_but_where_the_map_says(stage: Stage) -> None:
    free, planned, executing, done, failed = [await begin(stage) for _ in range(5)]
    for name in (planned, executing, done):
        unit = await linked(stage, await found(stage, name))
        if name != planned:
            await stage.claim(unit)
    await ended(stage, done, "completed")
    await ended(stage, failed, "failed")
    stands = {free: "started", planned: "started", executing: "executing", done: "completed"}
    stands[failed] = "failed"
    for name, source in stands.items():
        before = await found(stage, name)
        for status in ("started", "executing", "completed", "failed"):
            if SKILL.goes(source, status):
                continue
            with pytest.raises(InvalidTransition) as no:
                await ended(stage, name, status)
            assert (no.value.source, no.value.target) == (source, status)
            assert no.value.legal == SKILL.targets(source)
        assert await found(stage, name) == before


@staged
async def test_what_is_not_yours_or_another_skill_is_not_ended(stage: Stage) -> None:
    name = await begin(stage)
    with pytest.raises(NotFound):
        await end(stage.engine, EVE, Ending(name, "scan", "failed"), said)
    with pytest.raises(InvalidInput, match="another skill"):
        await end(stage.engine, ME, Ending(name, "deep", "failed"), said)

    assert (await found(stage, name)).status == "started"


@staged
async def test_two_units_made_at_once_share_no_execution(stage: Stage) -> None:
    skill = await found(stage, await begin(stage))
    units = await asyncio.gather(*(linked(stage, skill) for _ in range(4)))

    assert len(set(units)) == 4
    row = await found(stage, skill.id)
    linking = [
        unit for unit in units if "skill_started" in {e["event"] for e in await stage.audit(unit)}
    ]
    assert linking == [row.unit]
    assert (await verify(stage.engine, HOME)).findings == []


@staged
async def test_an_execution_that_has_ended_in_between_is_not_linked(stage: Stage) -> None:
    skill = await found(stage, await begin(stage))
    await ended(stage, skill.id, "failed")
    before = await found(stage, skill.id)
    unit = await linked(stage, skill)

    assert await found(stage, skill.id) == before
    assert "skill_started" not in {entry["event"] for entry in await stage.audit(unit)}


@staged
async def test_copies_of_a_request_link_once_and_are_answered_alike(stage: Stage) -> None:
    skill = await found(stage, await begin(stage))
    key = Key("ada", "r", "x")
    units = await asyncio.gather(*(linked(stage, skill, key) for _ in range(8)))

    assert set(units) == {(await found(stage, skill.id)).unit}


@staged
async def test_copies_of_an_end_are_answered_alike(stage: Stage) -> None:
    name = await begin(stage)
    unit = await linked(stage, await found(stage, name))
    await stage.claim(unit)
    key, ending = Key("ada", "r", "x"), Ending(name, "scan", "completed")
    answers = await asyncio.gather(*(end(stage.engine, ME, ending, said, key) for _ in range(8)))

    assert len({one.text for one in answers}) == 1
    events = [entry["event"] for entry in await stage.audit(unit)]
    assert events.count("skill_completed") == 1


@staged
async def test_an_execution_that_ends_while_it_is_linked_ends_once(stage: Stage) -> None:
    for _ in range(6):
        skill = await found(stage, await begin(stage))
        unit, told = await asyncio.gather(linked(stage, skill), ended(stage, skill.id, "failed"))
        row = await found(stage, skill.id)
        events = [entry["event"] for entry in await stage.audit(unit)]
        is_linked = row.unit == unit

        assert row.status == told["status"] == "failed"
        assert events.count("skill_started") == events.count("skill_completed") == is_linked


@staged
async def test_the_form_is_known_only_where_an_execution_is_linked(stage: Stage) -> None:
    unit = await linked(stage, None)
    assert await formatting_of(stage.engine, HOME, unit) == {}

    other = await linked(stage, await found(stage, await begin(stage)))
    assert await formatting_of(stage.engine, HOME, other) == FORM
    assert await formatting_of(stage.engine, AWAY, other) == {}


@staged
async def test_no_session_has_no_newest(stage: Stage) -> None:
    await start(stage.engine, ADA, "scan", {}, said)

    assert await newest_started(stage.engine, HOME, "") is None
