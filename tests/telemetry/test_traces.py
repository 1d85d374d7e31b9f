"""Traces: a command is part of its caller's trace, through every door, at a real collector."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import RequestParamsMeta

from interlock.config import Settings
from interlock.telemetry.traces import is_wanted, tracing
from tests.doors.mcp.clients import ERAS, command, environment, over_http, serving
from tests.telemetry.collector import collecting

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"
PLAN = {"name": "A", "research_question": "B?", "steps": [{"instructions": "look"}]}
META: RequestParamsMeta = {"traceparent": PARENT}  # type: ignore[typeddict-unknown-key]


@pytest.mark.parametrize(
    ("url", "environ", "wanted"),
    [
        ("", {}, False),
        ("http://c:4318", {}, True),
        ("", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, True),
        ("", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, True),
        ("http://c:4318", {"OTEL_SDK_DISABLED": "TRUE"}, False),
    ],
)
def test_traces_are_wanted_where_a_collector_is_named(
    url: str, environ: dict[str, str], *, wanted: bool
) -> None:
    assert is_wanted(Settings(Path(), traces_url=url), environ) is wanted


def test_where_nobody_wants_traces_nothing_is_set_up() -> None:
    with tracing(Settings(Path()), {}):
        pass


def test_without_the_extra_it_is_told_how_to_install_it(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['opentelemetry.sdk.trace'] = None\n"
        "from interlock.cli.main import run\n"
        "sys.argv = ['interlock', '--data', sys.argv[1], 'serve', '--port', '0']\n"
        "run()\n"
    )
    around = environment() | {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    line = [sys.executable, "-c", program, str(tmp_path)]
    said = subprocess.run(line, env=around, capture_output=True, text=True, timeout=60, check=False)

    assert said.returncode == 2
    assert "TELEMETRY_MISSING" in said.stderr
    assert "pip install 'interlock[telemetry]'" in said.stderr


def test_over_rest_and_mcp_a_command_is_part_of_its_callers_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with serving(tmp_path) as server:
            headers = {"Authorization": f"Bearer {server.token}", "traceparent": PARENT}
            made = httpx2.post(f"{server.url}/v1/plans", json=PLAN, headers=headers, timeout=30)
            assert made.status_code == 201
            plan = made.json()["data"]["plan_id"]
            path = f"{server.url}/v1/plans/{plan}/next"
            assert httpx2.post(path, json={}, headers=headers, timeout=30).status_code == 200

            async def work() -> None:
                async with over_http(server) as client:
                    other = await client.call_tool("create_research_plan", PLAN)
                    document = other.structured_content or {}
                    await client.call_tool(
                        "get_next_step", {"plan_id": document["data"]["plan_id"]}, meta=META
                    )

            asyncio.run(work())
            secret = server.token
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0

    above = collector.ancestors("advance")
    assert ["POST /v1/plans/{plan_id}/next", SPAN] in above
    assert ["tools/call get_next_step", SPAN] in above
    assert {span.trace for span in collector.spans if span.name == "advance"} == {TRACE}
    assert {span.service for span in collector.spans} == {"interlock"}
    assert secret.encode() not in collector.raw


def test_over_stdio_too(tmp_path: Path) -> None:
    @asynccontextmanager
    async def client(url: str) -> AsyncIterator[Client]:
        program, *rest = command(tmp_path, "mcp")
        around = environment() | {"INTERLOCK_TRACES_URL": url}
        given = StdioServerParameters(command=program, args=rest, env=around)
        async with Client(given, mode=ERAS[1]) as found:
            yield found

    async def work(url: str) -> None:
        async with client(url) as found:
            made = await found.call_tool("create_research_plan", PLAN)
            plan = (made.structured_content or {})["data"]["plan_id"]
            await found.call_tool("get_next_step", {"plan_id": plan}, meta=META)

    with collecting() as collector:
        asyncio.run(work(collector.url))

    assert collector.ancestors("advance")[-1] == ["tools/call get_next_step", SPAN]
