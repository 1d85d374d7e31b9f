"""The door over HTTP: a server in a process of its own, real clients, and strangers."""

import asyncio
import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from interlock.doors.mcp.tools import toolset, toolsets
from tests.cli.home import Home
from tests.doors.mcp.clients import ERAS, Serving, called, over_http, refused, serving
from tests.stage import new_plan

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served")) as started:
        yield started


def post(
    server: Serving, path: str = "/mcp", body: object = PING, **headers: str
) -> httpx2.Response:
    given = {**HEADERS, "Authorization": f"Bearer {server.token}", **headers}
    sent = {name: value for name, value in given.items() if value}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(server.url + path, content=content, headers=sent, timeout=30)


@pytest.mark.parametrize("mode", ERAS)
def test_both_eras_are_served_at_one_address(server: Serving, mode: str) -> None:
    async def story() -> None:
        async with over_http(server, mode=mode) as client:
            made = await called(client, "create_research_plan", **new_plan(1))
            plan = made["data"]["plan_id"]
            step = (await called(client, "get_next_step", plan_id=plan))["data"]["step"]
            told = await called(
                client, "submit_step_result", step_id=step["step_id"], result_summary="done",
                lease=step["lease"]["token"],
            )  # fmt: skip
            no = await refused(client, "get_plan_status", plan_id="plan-000000000000")
        assert (told["status"], no["code"]) == ("completed", "NOT_FOUND")

    asyncio.run(story())


@pytest.mark.parametrize("name", ["", *toolsets()])
def test_every_toolset_has_a_path_of_its_own(server: Serving, name: str) -> None:
    async def story() -> list[str]:
        async with over_http(server, f"/mcp/{name}".rstrip("/")) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    expected = [tool.name for tool in toolset(name or "research").tools]
    assert asyncio.run(story()) == expected


def test_blanks_around_a_header_are_no_part_of_it(server: Serving) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}}  # fmt: skip
    params = {"name": "ping", "arguments": {}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {
        **HEADERS, "Authorization": f"Bearer {server.token}  ", "Mcp-Name": "  ping ",
        "MCP-Protocol-Version": " 2026-07-28 ", "Mcp-Method": "tools/call\t",
    }  # fmt: skip

    connection.request("POST", "/mcp", json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()

    assert answer.status == 200, text


def test_answers_are_json_and_nothing_is_kept(server: Serving) -> None:
    answer = post(server)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in answer.headers
    assert answer.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("token", ["", "Bearer", "Basic eA==", "Bearer il_" + "0" * 40])
def test_without_a_good_token_nobody_is_let_in(server: Serving, token: str) -> None:
    answer = post(server, Authorization=token)

    assert answer.status_code == 401
    challenge = answer.headers["www-authenticate"]
    assert challenge.startswith('Bearer realm="interlock"')
    assert ("invalid_token" in challenge) == bool(token)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "UNAUTHENTICATED"
    assert answer.json()["fix"]


def test_a_revoked_token_is_no_good(server: Serving) -> None:
    home = Home(server.folder)
    made = home.told("token", "create", "short-lived")
    good = f"Bearer {made['token']}"
    assert post(server, Authorization=good).status_code == 200
    home.ask("token", "revoke", str(made["token_id"]))

    assert post(server, Authorization=good).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost:x", "[::1"])
def test_a_host_that_is_not_ours_is_turned_away_on_every_path(server: Serving, host: str) -> None:
    for path in ("/mcp", "/mcp/all", "/healthz", "/nope"):
        answer = post(server, path, Host=host)
        assert (answer.status_code, answer.json()["code"]) == (421, "WRONG_HOST")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil.example"])
def test_a_page_that_is_not_ours_is_turned_away(server: Serving, origin: str) -> None:
    answer = post(server, Origin=origin)

    assert (answer.status_code, answer.json()["code"]) == (403, "WRONG_ORIGIN")


def test_names_of_this_machine_are_let_in(server: Serving) -> None:
    for host in (f"localhost:{server.port}", "127.0.0.1", "[::1]:80", "LOCALHOST"):
        assert post(server, Host=host).status_code == 200
    assert post(server, Origin=f"http://localhost:{server.port}").status_code == 200


def test_further_names_are_those_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "interlock.toml").write_text('hosts = "agents.example, other.example"\n')
    with serving(tmp_path) as started:
        assert post(started, Host="other.example:80").status_code == 200
        assert post(started, Origin="https://agents.example").status_code == 200
        assert post(started, Host="third.example").status_code == 421


def test_a_body_that_is_too_large_is_not_read(server: Serving) -> None:
    assert post(server, body=b" " * (2 * 1024 * 1024 + 1)).status_code == 413


def test_there_is_no_stream_to_open_and_no_session_to_end(server: Serving) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = httpx2.request(method, server.url + "/mcp", timeout=30)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/mcp/nope", "/mcp/research/more"])
def test_a_toolset_that_is_not_there_is_told_with_those_that_are(
    server: Serving, path: str
) -> None:
    answer = post(server, path)

    assert (answer.status_code, answer.json()["code"]) == (404, "NO_SUCH_PATH")
    assert "research" in answer.json()["fix"]


def test_a_stroke_at_the_end_of_the_path_means_nothing(server: Serving) -> None:
    assert post(server, "/mcp/").status_code == 200


def test_a_stream_of_changes_is_told_over_http_and_ends_with_the_server(tmp_path: Path) -> None:
    async def story(started: Serving) -> None:
        async with asyncio.timeout(60), over_http(started) as client:
            made = await called(client, "create_research_plan", **new_plan(1))
            plan = made["data"]["plan_id"]
            uri = f"interlock://unit/{plan}"
            async with client.listen(resource_subscriptions=[uri]) as stream:
                await called(client, "get_next_step", plan_id=plan)
                assert (await anext(aiter(stream))).uri == uri  # type: ignore[union-attr] # it is one
                started.process.terminate()
                assert [event async for event in stream] == []

    with serving(tmp_path) as started:
        asyncio.run(story(started))
        assert started.process.wait(60) == 0


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    async def begin(started: Serving) -> tuple[str, str]:
        async with over_http(started) as client:
            made = await called(client, "create_research_plan", **new_plan(2))
            plan = made["data"]["plan_id"]
            step = (await called(client, "get_next_step", plan_id=plan))["data"]["step"]
            return step["step_id"], step["lease"]["token"]

    async def go_on(started: Serving, step: str, lease: str) -> None:
        async with over_http(started) as client:
            told = await called(
                client, "submit_step_result", step_id=step, lease=lease, result_summary="done",
                claim_next=True,
            )  # fmt: skip
            assert told["data"]["next_step"]["status"] == "in_progress"

    with serving(tmp_path) as started:
        step, lease = asyncio.run(begin(started))
        port = started.port
        started.process.kill()
        started.process.wait()
    with serving(tmp_path, port=port) as again:
        asyncio.run(go_on(again, step, lease))
