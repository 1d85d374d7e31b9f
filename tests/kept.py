"""A database with something in many corners, for tests that back it up; and how that is done there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from interlock import upkeep
from interlock.config import Settings
from interlock.service.access import create_token
from interlock.service.deliver import Notebook, note_happened
from interlock.service.index import index_due
from interlock.store.backup import Manifest
from interlock.upkeep import Restored
from tests.service.folk import person
from tests.stage import ADA, EVE, PAT, Stage
from tools.postgres.server import Server

_names = count(1)


@dataclass(frozen=True, slots=True)
class Corners:
    """What was made: a unit, a part of it that is held, its lease, and a unit of somebody else."""

    unit: str
    part: str
    lease: str
    foreign: str


def silent(done: int, total: int) -> None:
    """Be told how far it is, and say nothing."""
    assert 0 <= done <= total


async def fill(stage: Stage) -> Corners:
    """Put something into many tables, of two tenants."""
    stage.engine = replace(stage.engine, webhooks_private=True)
    unit = await stage.plan(3)
    part, lease = await stage.claim(unit, session_id="s1")
    await stage.call("submit_step_result", **submitted(part, lease))
    await stage.call("create_webhook", PAT, url="http://127.0.0.1:9/hook")
    await note_happened(stage.engine, Notebook())
    notes = {"plan_id": unit, "artifact_type": "notes", "title": "On herons"}
    await stage.call("store_research", ADA, content="The heron stands and waits.", **notes)
    assert await index_due(stage.engine) >= 1
    await person(stage, "pam")
    await create_token(stage.engine, PAT, "ci")
    foreign = await stage.plan(1, EVE)
    part, lease = await stage.claim(unit, session_id="s2")
    return Corners(unit, part, lease, foreign)


def submitted(part: str, lease: str) -> dict[str, object]:
    """Return what hands a result in, under the same request id every time."""
    said = {"result": {"found": 1}, "result_summary": "s", "request_id": "first"}
    return {"step_id": part, "lease": lease, **said}


def settings_of(where: Path | str, data: Path) -> Settings:
    """Return the settings of a place; ``data`` is the folder of one that is no file."""
    if isinstance(where, Path):
        return Settings(where.parent)
    return Settings(data, database=where, allow_degraded=True)


async def back_up(stage: Stage, file: Path) -> Manifest:
    """Back up what a stage stands on, while it is open."""
    found = settings_of(stage.where, file.parent)
    return await asyncio.to_thread(upkeep.back_up, found, file, silent)


def restore(file: Path, where: Path | str, *, is_forced: bool = False) -> Restored:
    """Restore a backup to a place."""
    found = settings_of(where, file.parent)
    return upkeep.restore(found, file, silent, is_forced=is_forced)


@contextmanager
def empty(request: pytest.FixtureRequest, dialect: str, folder: Path) -> Iterator[Path | str]:
    """Make a place of a kind where nothing is yet."""
    if dialect == "sqlite":
        yield folder / "restored" / "interlock.db"
        return
    server = cast("Server", request.getfixturevalue("postgres_server"))
    name = f"restored_{next(_names)}"
    server.create_database(name)
    try:
        yield server.url(name)
    finally:
        server.drop_database(name)
