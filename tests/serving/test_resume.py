"""A server that starts on a database somebody has tampered with: it says so, and goes on serving."""

import asyncio
import time
from contextlib import closing
from typing import Any, Final

import apsw
import asyncpg
import httpx2

from interlock.app import LOCAL
from interlock.kernel.trouble import CODE
from interlock.service.access import create_token
from tests.serving.farm import Base, Running
from tests.tickets import new_project

Told = dict[str, Any]
PATIENCE_S: Final = 60.0
PAUSE_S: Final = 0.05


async def person(base: Base) -> str:
    """Return the token of a person."""
    async with base.app() as app:
        return (await create_token(app.engine, app.owner(), "pat", "user"))[0]


def client(server: Running, token: str) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx2.Client(base_url=f"{server.url}/v1", headers=headers, timeout=PATIENCE_S)


def asked(answer: httpx2.Response) -> Told:
    assert answer.is_success, answer.text
    told: Told = answer.json()["data"]
    return told


def begun(calls: httpx2.Client) -> str:
    """Begin a ticket and have its working tree made; return its id."""
    project = asked(calls.post("/projects", json=new_project(("ann",))))["project_id"]
    told = {"project_id": project, "title": "Sell apples"}
    name = str(asked(calls.post("/tickets", json=told))["ticket_id"])
    asked(calls.post(f"/tickets/{name}/start", json={}))
    return name


async def tamper(base: Base, statement: str) -> None:
    """Change the database while no server runs."""
    if not base.database:
        with closing(apsw.Connection(str(base.settings.sqlite_file))) as file:
            file.execute(statement)
        return
    connection = await asyncpg.connect(base.database)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def standing(base: Base, name: str, wanted: str) -> Told:
    """Wait until the row of a ticket says so; nobody asks the server about it meanwhile."""
    until = time.monotonic() + PATIENCE_S
    async with base.app() as app:
        while True:
            row = await app.engine.store.bare(LOCAL, name)
            assert row is not None
            if row.status == wanted or time.monotonic() > until:
                assert row.status == wanted
                return row._asdict()
            await asyncio.sleep(PAUSE_S)


def test_what_is_corrupt_is_blocked_by_itself_after_a_start(base: Base) -> None:
    token = asyncio.run(person(base))
    with base.serving() as server, client(server, token) as calls:
        corrupt, other = begun(calls), begun(calls)
    # The server was killed; meanwhile somebody has been at its database.
    asyncio.run(tamper(base, f"UPDATE units SET status = 'DREAMING' WHERE id = '{corrupt}'"))  # noqa: S608 (on purpose)

    with base.serving(INTERLOCK_LOG="text") as server, client(server, token) as calls:
        asyncio.run(standing(base, corrupt, "BLOCKED_ERROR"))
        error = asked(calls.get(f"/tickets/{corrupt}"))["error"]
        assert (error["code"], error["previous_status"]) == (CODE, "DRAFT")
        assert "no status 'DREAMING'" in error["message"]
        assert asked(calls.get(f"/tickets/{other}"))["phase"]["name"] == "DRAFT"
        told = asked(calls.post(f"/tickets/{corrupt}/retry", json={}))
        assert told["ticket_status"] == "DRAFT"
    assert any(f"{corrupt} was blocked" in line for line in server.said)
    assert not any(f"{other} was" in line for line in server.said)
