"""OpenCode through a server: what is asked of it, and what is read from what it says."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from interlock.worker.agents.agent import AgentFailed, Said
from interlock.worker.agents.opencode_server import OpenCodeServer
from tests.worker.agents.tasks import DRAFT

ANSWER: dict[str, object] = {"questions": []}
MESSAGE: dict[str, Any] = {
    "info": {"tokens": {"input": 3, "output": 4, "cache": {"read": 5}}, "cost": 0.5},
    "parts": [
        {"type": "text", "text": "I look."},
        {"type": "tool", "tool": "read", "state": {"input": {"p": 1}}},
        {"type": "text", "text": json.dumps(ANSWER)},
    ],
}

Asked = list[tuple[str, dict[str, Any], str]]


@contextmanager
def listening(message: object, status: int = 200) -> Iterator[tuple[str, Asked]]:
    """Stand in for a server; yield where it listens and what it was asked."""
    asked: Asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, body, self.headers.get("Authorization", "")))
            is_message = "/message" in self.path
            said = json.dumps(message if is_message else {"id": "ses_1"}).encode()
            self.send_response(status if is_message else 200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(("reach", "agent"), [("read", "plan"), ("write", "build")])
def test_a_session_is_asked_in_the_tree_and_its_parts_are_read(
    tmp_path: Path, reach: str, agent: str
) -> None:
    heard: list[str] = []
    task = replace(DRAFT, model="acme/b/1", folder=tmp_path, reach=reach, hear=heard.append)
    with listening(MESSAGE) as (url, asked):
        said = asyncio.run(OpenCodeServer(url, "s3cret-word").run(task))

    assert said == Said(ANSWER, json.dumps(ANSWER), 8, 4, (), 500_000)
    assert heard == ["I look.", '> read {"p": 1}']
    first, second = asked
    assert first[0].startswith("/session?directory=%2F")
    assert second[0].startswith("/session/ses_1/message?directory=%2F")
    assert second[1]["agent"] == agent
    assert second[1]["model"] == {"providerID": "acme", "modelID": "b/1"}
    assert second[1]["parts"] == [{"type": "text", "text": "Draft questions."}]
    assert second[2].startswith("Basic ")


@pytest.mark.parametrize(
    ("message", "status", "failure"),
    [
        (MESSAGE, 503, "transient"),
        (MESSAGE, 404, "failed"),
        ({"info": {"error": {"name": "APIError", "data": {"message": "529"}}}}, 200, "transient"),
        ({"info": {"error": {"name": "AuthError"}}}, 200, "failed"),
        ({"parts": [{"type": "text", "text": "no"}, 3]}, 200, "invalid_output"),
        ([], 200, "invalid_output"),
    ],
)
def test_a_failure_has_its_class(message: object, status: int, failure: str) -> None:
    with listening(message, status) as (url, asked), pytest.raises(AgentFailed) as no:
        asyncio.run(OpenCodeServer(url).run(DRAFT))

    assert no.value.failure == failure
    # What was begun is told to stop where no answer came.
    assert asked[-1][0].endswith("/abort") == (status != 200)


def test_nobody_there_may_be_there_in_a_moment() -> None:
    with pytest.raises(AgentFailed) as no:
        asyncio.run(OpenCodeServer("http://127.0.0.1:1").run(DRAFT))

    assert no.value.failure == "transient"
