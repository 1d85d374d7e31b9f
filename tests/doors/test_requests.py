"""Every request has an id, a line in the log, and its place in the trace of its caller."""

import json
import logging
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from interlock.doors.http import CALLER
from interlock.doors.requests import ROUTE, Requests
from interlock.telemetry.logs import REQUEST, JsonLines
from tests.still import StillClock

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"
SECRET = "il_" + 40 * "5"


class Lines(logging.Handler):
    """Keeps the lines that are written, as they are written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(JsonLines())

    def emit(self, made: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(self.format(made))


@pytest.fixture
def lines() -> Iterator[list[str]]:
    log = logging.getLogger("interlock.access")
    before = log.level
    handler = Lines()
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield handler.lines
    log.removeHandler(handler)
    log.setLevel(before)


async def answer(request: Request) -> PlainTextResponse:
    request.scope[CALLER] = "token-1"
    request.scope[ROUTE] = "/v1/units/{id}"
    span = trace.get_current_span().get_span_context()
    return PlainTextResponse(f"{REQUEST.get()} {span.trace_id:032x}", 418)


async def fail(_: Request) -> PlainTextResponse:
    raise RuntimeError(SECRET)


def client(tracer: trace.Tracer | None = None) -> TestClient:
    routes = [Route("/v1/units/1", answer), Route("/mcp", answer), Route("/v1/fail", fail)]
    asgi = Requests(Starlette(routes=routes), StillClock(), tracer)
    return TestClient(asgi, raise_server_exceptions=False)


def test_a_request_is_called_what_its_caller_calls_it_or_gets_a_name() -> None:
    asked = client()
    given = asked.get("/v1/units/1", headers={"X-Request-Id": "mine-1"})
    made = [asked.get("/v1/units/1"), asked.get("/v1/units/1", headers={"X-Request-Id": SECRET})]

    assert given.headers["x-request-id"] == "mine-1"
    assert given.text.startswith("mine-1 ")
    names = [one.headers["x-request-id"] for one in made]
    assert len(set(names)) == len(names)
    for name, one in zip(names, made, strict=True):
        assert name.startswith("req-")
        assert one.text.startswith(name)
    assert REQUEST.get() == ""


def test_one_line_says_what_was_asked_by_whom_and_nothing_of_the_query(lines: list[str]) -> None:
    headers = {"X-Request-Id": "mine-1", "Authorization": f"Bearer {SECRET}"}
    client().get(f"/v1/units/1?token={SECRET}", headers=headers)

    (line,) = lines
    found = json.loads(line)
    assert found.pop("ms") >= 0
    del found["at"]
    assert found == {
        "level": "info", "log": "interlock.access", "message": "request", "request": "mine-1",
        "method": "GET", "path": "/v1/units/1", "status": 418, "principal": "token-1",
    }  # fmt: skip
    assert SECRET not in line


def test_a_path_that_holds_a_secret_or_is_long_is_cut(lines: list[str]) -> None:
    client().get(f"/{SECRET}")
    client().get("/" + "x" * 5_000)

    assert SECRET not in "".join(lines)
    assert all(len(line) < 600 for line in lines)


def test_a_request_that_fails_has_its_line_too(lines: list[str]) -> None:
    assert client().get("/v1/fail").status_code == 500

    assert json.loads(lines[-1])["status"] == 500


def spans(path: str, **headers: str) -> tuple[str, tuple[ReadableSpan, ...]]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    said = client(provider.get_tracer("interlock")).get(path, headers=headers)
    return said.text, exporter.get_finished_spans()


def test_a_request_over_rest_is_a_span_of_its_callers_trace() -> None:
    headers = {"traceparent": PARENT, "authorization": f"Bearer {SECRET}"}
    _, (span,) = spans(f"/v1/units/1?secret={SECRET}", **headers)

    assert span.name == "GET /v1/units/{id}"
    assert span.parent is not None
    assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, SPAN)
    told = dict(span.attributes or {})
    assert str(told.pop("interlock.request")).startswith("req-")
    assert told == {
        "http.request.method": "GET", "url.path": "/v1/units/1", "interlock.principal": "token-1",
        "http.route": "/v1/units/{id}", "http.response.status_code": 418,
    }  # fmt: skip
    assert SECRET not in span.to_json()


def test_a_request_without_a_trace_begins_one_and_a_bug_is_told_without_its_story() -> None:
    _, (span,) = spans("/v1/fail")

    assert span.parent is None
    assert span.status.status_code is trace.StatusCode.ERROR
    assert SECRET not in span.to_json()


def test_elsewhere_the_trace_goes_on_without_a_span_of_ours() -> None:
    said, found = spans("/mcp", traceparent=PARENT)

    assert found == ()
    assert said.endswith(TRACE)


def test_nonsense_for_a_trace_is_ignored() -> None:
    _, (span,) = spans("/v1/units/1", traceparent="nonsense")

    assert span.parent is None
