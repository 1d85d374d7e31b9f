"""How the server is: alive, ready or why not, which one; its figures only for who may have them."""

import asyncio
import json
from pathlib import Path
from typing import cast

from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message

from interlock import __version__
from interlock.doors.health import Health
from interlock.service.access import create_token
from interlock.store.migrate import read_migrations
from tests.stage import EVE, HOME, PAT, Stage, staged

SCHEMA = len(read_migrations("sqlite"))
METRICS = "figures-only"


async def figures() -> tuple[bytes, str]:
    return b"some 1\n", "text/plain"


def door(stage: Stage, token: str = "", schema: int = SCHEMA) -> Health:
    return Health(stage.engine, schema, HOME, figures, token)


async def asked(health: Health, path: str, token: str = "") -> tuple[int, str]:
    """Ask in this loop, where the store lives."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "headers": raw,
        "query_string": b"", "root_path": "", "scheme": "http", "server": ("localhost", 80),
        "client": ("127.0.0.1", 1), "http_version": "1.1",
    }  # fmt: skip
    await Starlette(routes=health.routes())(scope, receive, send)
    return cast("int", sent[0]["status"]), cast("bytes", sent[1]["body"]).decode()


@staged
async def test_it_is_alive_and_says_what_it_is(stage: Stage) -> None:
    health = door(stage)

    assert await asked(health, "/healthz") == (200, '{"status":"ok"}')
    version = f'{{"name":"interlock","version":"{__version__}"'
    assert await asked(health, "/version") == (200, version + "}")
    health.instance = "server-1"
    assert await asked(health, "/version") == (200, version + ',"instance":"server-1"}')


@staged
async def test_it_is_ready_and_says_how_durable(stage: Stage) -> None:
    status, body = await asked(door(stage), "/readyz")

    dialect = "sqlite" if isinstance(stage.where, Path) else "postgres"
    told = json.loads(str(body))
    durability = told.pop("durability")
    assert (status, told) == (200, {"status": "ready", "database": dialect})
    assert durability in ("full", "degraded")


@staged
async def test_who_drains_or_has_another_schema_is_not_ready_and_says_why(stage: Stage) -> None:
    health = door(stage, schema=SCHEMA + 1)
    health.is_draining = True
    status, body = await asked(health, "/readyz")

    assert status == 503
    assert "It is about to stop." in str(body)
    assert f"has migration {SCHEMA}, this program knows {SCHEMA + 1}" in str(body)


@staged
async def test_who_cannot_ask_the_database_is_not_ready(stage: Stage) -> None:
    health = door(stage)
    await stage.engine.store.close()
    status, body = await asked(health, "/readyz")

    assert (status, "The database does not answer." in str(body)) == (503, True)
    assert await asked(health, "/healthz") == (200, '{"status":"ok"}')


@staged
async def test_figures_are_for_their_token_or_an_admin_of_this_installation(stage: Stage) -> None:
    admin, _ = await create_token(stage.engine, PAT, "admin", "user", ("read", "admin"))
    agent, _ = await create_token(stage.engine, PAT, "agent")
    stranger, _ = await create_token(stage.engine, EVE, "admin", "user", ("read", "admin"))
    health = door(stage, METRICS)

    assert await asked(health, "/metrics", METRICS) == (200, "some 1\n")
    assert await asked(health, "/metrics", admin) == (200, "some 1\n")
    for token, status in (
        ("", 401), ("il_" + 40 * "0", 401), (METRICS + "x", 401), (agent, 403), (stranger, 403),
    ):  # fmt: skip
        assert (await asked(health, "/metrics", token))[0] == status
    assert (await asked(door(stage), "/metrics", METRICS))[0] == 401


@staged
async def test_nothing_here_is_changed_by_a_post(stage: Stage) -> None:
    health = door(stage)

    def post(path: str) -> int:
        return TestClient(Starlette(routes=health.routes())).post(path).status_code

    for route in health.routes():
        assert await asyncio.to_thread(post, route.path) == 405
