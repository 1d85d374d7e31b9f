"""The door on a stage, in this process: a real application, and a client with a token of its own."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote, urlencode

import httpx2
from starlette.applications import Starlette

from interlock.commands.row import AnyCommand
from interlock.doors.http import Doors, Guard
from interlock.doors.noting import CallLog
from interlock.doors.rest.door import RestHttp
from interlock.doors.rest.places import PREFIX
from interlock.service.access import create_token
from interlock.service.engine import Principal
from tests.stage import PAT, Stage

BODY_MAX = 100_000

Document = dict[str, Any]


async def token(stage: Stage, kind: str = "agent", *scopes: str, by: Principal = PAT) -> str:
    """Make a token; return its secret."""
    secret, _ = await create_token(stage.engine, by, kind, kind, scopes)
    return secret


def door(stage: Stage, calls: CallLog | None = None) -> RestHttp:
    """Return the door on a stage."""
    return RestHttp(stage.engine, BODY_MAX, calls=calls)


def application(made: RestHttp) -> Guard:
    """Return what a web server would be given."""
    return Guard(Doors({PREFIX: made}, Starlette()), [])


@asynccontextmanager
async def on(
    stage: Stage, secret: str = "", calls: CallLog | None = None
) -> AsyncIterator[httpx2.AsyncClient]:
    """Return a client; without a secret it has the token of an agent."""
    given = secret or await token(stage)
    transport = httpx2.ASGITransport(application(door(stage, calls)))
    headers = {"Authorization": f"Bearer {given}"}
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers
    ) as client:
        yield client


def problem(answer: httpx2.Response, status: int) -> Document:
    """Return what an answer says is wrong; its form is checked."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: Document = answer.json()
    assert told["status"] == status
    assert told["detail"] == told["message"]
    assert told["type"] == f"/docs/errors#{told['code'].lower()}"
    assert told["fix"]
    return told


async def send(
    client: httpx2.AsyncClient, row: AnyCommand, arguments: Document, **headers: str
) -> httpx2.Response:
    """Call a command at its place, as somebody would who has only read the document."""
    rest = dict(arguments)
    path = row.path
    for name in row.in_path:
        path = path.replace(f"{{{name}}}", quote(str(rest.pop(name)), safe=""))
    if not row.is_read:
        return await client.request(row.method, f"/v1{path}", json=rest, headers=headers)
    query: list[tuple[str, str]] = []
    for name, value in _flat(rest):
        values = value if isinstance(value, list | tuple) else [value]
        query += [(name, str(one).lower() if isinstance(one, bool) else str(one)) for one in values]
    return await client.get(f"/v1{path}?{urlencode(query)}", headers=headers)


def _flat(arguments: Document) -> Iterator[tuple[str, object]]:
    for name, value in arguments.items():
        if isinstance(value, dict):
            yield from _flat(value)
        else:
            yield name, value
