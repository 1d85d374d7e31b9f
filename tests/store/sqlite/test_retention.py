"""On a file what is to go is asked again by the writer: what lives again meanwhile stays."""

import asyncio
from pathlib import Path

import apsw

from interlock.store.retention import KINDS, Round
from interlock.store.sqlite.retention import STATEMENTS, SqliteRetention
from interlock.store.sqlite.session import Session
from tests.stage import ADA, DAY_MS, PAT, Stage, opened


def test_each_kind_has_its_statements() -> None:
    assert set(STATEMENTS) == set(KINDS)


def test_what_lives_again_between_looking_and_taking_stays(tmp_path: Path) -> None:
    async def main(stage: Stage) -> Round:
        unit = await stage.plan(1, ADA, request_id="again")
        await stage.call("fail_plan", PAT, plan_id=unit, reason="enough")
        await stage.sql(f"UPDATE replies SET at = at - {9 * DAY_MS}")  # noqa: S608 (our own)
        store = stage.engine.store
        assert isinstance(store.retention, SqliteRetention)
        real = store.retention._read

        async def read(tenant: str, look: object) -> object:
            found: object = await real(tenant, look)  # type: ignore[arg-type]  # handed on
            with apsw.Connection(str(stage.where)) as other:
                Session(other, "home")
                other.execute("UPDATE units SET ended_at = NULL")
            return found

        store.retention._read = read  # type: ignore[assignment]  # same
        return await store.retention.prune("replies", store.now(), 10)

    async def run() -> Round:
        async with opened(tmp_path / "interlock.db") as stage:
            return await main(stage)

    assert asyncio.run(run()) == Round(1, 0)
