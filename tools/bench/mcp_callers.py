"""Who calls in the benchmark of the MCP door: the SDK's own client, and plain connections.

Each claims and submits the steps of a plan, or sends what looks the same to a tool that does
nothing; a call that is refused ends the benchmark.
"""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from typing import Any, Final

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tools.bench.payload import SUMMARY

REVISION: Final = "2026-07-28"
META: Final = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
NOWHERE: Final = "plan-0123456789ab"
IDLE: Final = {"step_id": f"{NOWHERE}.1", "lease": {"token": "0123456789ab.1"}}
CALLS_A_STEP: Final = 2
PATIENCE_S: Final = 60

Document = dict[str, Any]
Call = tuple[str, Document]
"""A tool and its arguments."""


def new_plan(steps: int) -> Call:
    """Return the call that makes a plan."""
    told = [{"title": "Compare", "instructions": "Compare what the sources say."}] * steps
    arguments = {"name": "bench", "research_question": "What is so?", "steps": told}
    return "create_research_plan", arguments


def claim(plan: str, number: int) -> Call:
    """Return the call that claims a step."""
    return "get_next_step", {"plan_id": plan, "request_id": f"{plan}-claim-{number}"}


def submit(plan: str, number: int, step: Document) -> Call:
    """Return the call that hands a step in."""
    arguments = {"step_id": step["step_id"], "lease": step["lease"]["token"]}
    arguments |= {"result": {"figure": number}, "result_summary": SUMMARY}
    return "submit_step_result", {**arguments, "request_id": f"{plan}-submit-{number}"}


class Plain:
    """One connection to a server, kept open."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._numbers: Iterator[int] = count(1)
        self._headers = {
            "Accept": "application/json, text/event-stream", "Content-Type": "application/json",
            "MCP-Protocol-Version": REVISION, "Mcp-Method": "tools/call",
            "Authorization": f"Bearer {token}",
        }  # fmt: skip

    def call(self, call: Call) -> Document:
        """Call a tool; return what it tells as structure."""
        tool, arguments = call
        params = {"name": tool, "arguments": arguments, "_meta": META}
        whole = {"jsonrpc": "2.0", "id": next(self._numbers), "method": "tools/call"}
        body = json.dumps({**whole, "params": params})
        self._connection.request("POST", "/mcp", body, {**self._headers, "Mcp-Name": tool})
        told = json.loads(self._connection.getresponse().read())
        if "result" not in told or told["result"].get("isError"):
            message = f"{tool}: {told}"
            raise AssertionError(message)
        found: Document = told["result"]["structuredContent"]
        return found

    def begin(self, steps: int) -> str:
        """Make a plan, and return its id."""
        return str(self.call(new_plan(steps))["data"]["plan_id"])

    def play(self, plan: str, steps: int) -> None:
        """Claim and submit so many steps."""
        for number in range(steps):
            told = self.call(claim(plan, number))
            self.call(submit(plan, number, IDLE if plan == NOWHERE else told["data"]["step"]))

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


def begun(port: int, token: str, steps: int) -> str:
    """Make a plan on a server, and return its id."""
    with closing(Plain(port, token)) as caller:
        return caller.begin(steps)


async def sdk_seconds(port: int, token: str, plan: str, steps: int) -> float:
    """Let the SDK's client claim and submit so many steps; return how long that took it."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http_client:
        transport = streamable_http_client(
            f"http://127.0.0.1:{port}/mcp", http_client=http_client
        )  # fmt: skip
        async with Client(transport, mode=REVISION) as client:
            begun = time.perf_counter()
            for number in range(steps):
                told = await _called(client, claim(plan, number))
                step = IDLE if plan == NOWHERE else told["data"]["step"]
                await _called(client, submit(plan, number, step))
            return time.perf_counter() - begun


async def _called(client: Client, call: Call) -> Document:
    result = await client.call_tool(*call)
    if result.is_error or result.structured_content is None:
        message = f"{call[0]}: {result}"
        raise AssertionError(message)
    found: Document = result.structured_content
    return found
