"""The official conformance suite, against our server as it is and against one with its fixtures.

Both are our own server behind our own door. What cannot apply to us is listed here with the
reason; a row of that list that passes after all is an error, too.
"""

import asyncio
import json
import re
import socket
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.app import open_app
from interlock.cli.serve import local_token
from interlock.config import Settings
from interlock.doors.http import Doors, Guard
from interlock.doors.mcp.http import PATH, McpHttp
from interlock.site import site
from interlock.talk import desk
from tests.clients.fixture import furnish
from tests.clients.running import present
from tools.clients.programs import node_environment

REVISIONS: Final = ("2026-07-28", "2025-11-25")
LIMIT_S: Final = 120

NO_STREAM: Final = "answers over HTTP are plain JSON, which has no place for it; stdio has"
NO_BACK_CHANNEL: Final = "nothing is kept between requests, so an older client cannot be asked back"
NO_TASKS: Final = (
    "an extension that we do not offer: plans and their steps are what outlives a call"
)
TASKS: Final = (
    "capability-negotiation", "dispatch-and-envelope", "lifecycle", "mrtr-composition",
    "mrtr-input", "request-headers", "request-state-removal", "required-task-error", "wire-fields",
)  # fmt: skip
INAPPLICABLE: Final[dict[str, dict[str, str]]] = {
    "2026-07-28": {
        "completion-complete": "an optional feature that we do not declare",
        "tools-call-with-progress": NO_STREAM,
        **{f"tasks-{name}": NO_TASKS for name in TASKS},
    },
    "2025-11-25": {
        "completion-complete": "an optional feature that we do not declare",
        "logging-set-level": "an optional feature that we do not declare; the newest revision drops it",
        "tools-call-with-logging": "the same",
        "tools-call-with-progress": NO_STREAM,
        "tools-call-sampling": NO_BACK_CHANNEL,
        "tools-call-elicitation": NO_BACK_CHANNEL,
        "elicitation-sep1034-defaults": NO_BACK_CHANNEL,
        "elicitation-sep1330-enums": NO_BACK_CHANNEL,
        "resources-subscribe": "over HTTP newer clients listen instead; stdio has it",
        "resources-unsubscribe": "over HTTP newer clients listen instead; stdio has it",
    },
}
FIXTURE_FREE: Final[dict[str, set[str]]] = {
    "2026-07-28": {
        "tools-list", "resources-list", "prompts-list", "sep-2164-resource-not-found",
        "dns-rebinding-protection", "caching", "http-header-validation",
        "server-sse-multiple-streams", "input-required-result-unsupported-methods",
    },
    "2025-11-25": {
        "server-initialize", "ping", "tools-list", "resources-list", "prompts-list",
        "dns-rebinding-protection", "server-sse-multiple-streams", "server-session-lifecycle",
    },
}  # fmt: skip
"""What needs nothing of its own, so that our server as it is must pass it."""

UNTESTABLE: Final = "Not testable"
"""How the suite says that a check wants a tool of its own."""

Found = dict[str, list[tuple[str, str]]]
"""What failed in each scenario that was run: the check, and why."""


@asynccontextmanager
async def listening(asgi: ASGIApp, token: str) -> AsyncIterator[str]:
    """Serve on a free port; the suite has no token, so it is put into each request on the way."""

    async def admitted(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            header = (b"authorization", f"Bearer {token}".encode())
            scope = {**scope, "headers": [*scope["headers"], header]}
        await asgi(scope, receive, send)

    server = uvicorn.Server(uvicorn.Config(admitted, log_config=None, lifespan="on"))
    # Who comes before it is ready waits.
    with socket.create_server(("127.0.0.1", 0)) as bound:
        task = asyncio.create_task(server.serve(sockets=[bound]))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
        server.should_exit = True
        await task


@asynccontextmanager
async def our_server(folder: Path, *, with_fixtures: bool) -> AsyncIterator[str]:
    """Serve our site, or our door with the suite's fixtures behind it."""
    async with open_app(Settings(folder)) as app:
        path = await local_token(app)
        assert path is not None
        token = path.read_text().strip()
        if not with_fixtures:
            async with listening(site(app).asgi, token) as url:
                yield url
            return
        door = McpHttp(desk(app, "research"), app.settings.body_bytes_max)

        @asynccontextmanager
        async def running(_: Starlette) -> AsyncIterator[None]:
            async with door.running():
                for manager in door.managers.values():
                    furnish(manager.app)
                yield

        doors = Doors({PATH: door}, Starlette(lifespan=running))
        asgi = Guard(doors, app.settings.host_names)
        async with listening(asgi, token) as url:
            yield url
        door.close()


async def judged(program: Path, folder: Path, revision: str, *, with_fixtures: bool) -> Found:
    """Run the suite; return what failed in every scenario that it ran."""
    said = folder / "said"
    words = ["server", "--requirements", revision, "--output-dir", str(said)]
    async with our_server(folder / "data", with_fixtures=with_fixtures) as url:
        process = await asyncio.create_subprocess_exec(
            str(program), *words, "--url", url, env=node_environment({"HOME": str(folder)}),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            await asyncio.wait_for(process.wait(), LIMIT_S)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return read(said)


def read(folder: Path) -> Found:
    """Read what the suite wrote down."""
    found: Found = defaultdict(list)
    for path in sorted(folder.glob("server-*/checks.json")):
        name = re.sub(r"^server-(.*)-\d{4}-\d\d-\d\dT.*$", r"\1", path.parent.name)
        checks = json.loads(path.read_text(encoding="utf-8"))
        found[name] += [
            (check["id"], check.get("errorMessage", ""))
            for check in checks
            if check["status"] == "FAILURE"
        ]
    return dict(found)


@cache
def suite() -> Path:
    return present("conformance")


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_scenario_that_applies_passes_with_the_fixtures(
    revision: str, tmp_path: Path
) -> None:
    found = asyncio.run(judged(suite(), tmp_path, revision, with_fixtures=True))

    assert len(found) > 30, found
    failed = {name: why for name, why in found.items() if why}
    assert failed.keys() == INAPPLICABLE[revision].keys(), failed


@pytest.mark.parametrize("revision", REVISIONS)
def test_our_server_as_it_is_passes_what_needs_no_fixture(revision: str, tmp_path: Path) -> None:
    found = asyncio.run(judged(suite(), tmp_path, revision, with_fixtures=False))

    assert FIXTURE_FREE[revision] <= found.keys()
    assert {name: found[name] for name in FIXTURE_FREE[revision] if found[name]} == {}
    stateless = found.get("server-stateless", [])
    assert [why for _, why in stateless if not why.startswith(UNTESTABLE)] == []
