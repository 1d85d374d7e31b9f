"""The client against a real server: calls, refusals, what is sent twice, content."""

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import pytest

from interlock.client import Client, Refused, Unreachable
from interlock.wire.plan import NewStep
from tests.client.flaky import flaky
from tests.doors.mcp.clients import Serving

STEPS: list[NewStep | Mapping[str, object]] = [
    NewStep(title="Look", instructions="Look it up."),
    {"instructions": "Write it down."},
]

Document = dict[str, Any]

pytestmark = pytest.mark.anyio


async def test_a_plan_is_worked_through_by_methods(
    server: Serving, person: tuple[str, str]
) -> None:
    async with Client(server.url, person[0], session="s-1") as client:
        made = await client.create_research_plan("P", "What is so?", STEPS, tags=["client"])
        plan = str(made.data["plan_id"])
        statuses = []
        for number in (1, 2):
            step = cast("Document", (await client.get_next_step(plan)).data["step"])
            done = await client.submit_step_result(
                step["step_id"], f"found {number}", result={"n": number, "none": None},
                lease=step["lease"]["token"],
            )  # fmt: skip
            assert done.receipt is not None
            statuses.append(done.status)
        listed = await client.list_active_plans(filter={"tag": "client"})
        unit = await client.get_unit(plan)
        kept = cast("list[Document]", (await client.list_artifacts(plan)).data["artifacts"])[0]
        content = await client.content(plan, kept["digest"])

    assert statuses == ["executing", "completed"]
    assert listed.data["plans"] == []
    assert cast("Document", unit.data["fields"])["sessions"] == ["s-1"]
    assert b'"none":null' in content.replace(b" ", b"")


async def test_what_the_server_refuses_is_raised_with_its_code(
    server: Serving, person: tuple[str, str]
) -> None:
    async with Client(server.url, person[0]) as client:
        made = await client.create_research_plan("P", "?", STEPS)
        step = f"{made.data['plan_id']}.1"
        with pytest.raises(Refused) as no:
            await client.heartbeat_step(step)
        with pytest.raises(Refused) as bad:
            await client.call("get_next_step", {"plan_id": "x", "wait_s": 99})
        with pytest.raises(Refused) as nameless:
            await client.call("get_next_step", {"plan_id": ""})
        with pytest.raises(Refused) as unknown:
            await client.call("get_next_stp", {})

    assert (no.value.code, no.value.http) == ("INVALID_TRANSITION", 409)
    assert "get_next_step" in no.value.legal_moves
    assert [row.command for row in no.value.legal] == [*no.value.legal_moves]
    assert bad.value.code == "INVALID_INPUT"
    assert "wait_s" in dict(bad.value.fields)
    assert nameless.value.code == "INVALID_INPUT"
    assert "plan_id" in dict(nameless.value.fields)
    assert "get_next_step" in unknown.value.fix


async def test_a_call_whose_answer_is_lost_has_one_effect(
    server: Serving, person: tuple[str, str]
) -> None:
    async with flaky(server.port) as way, Client(way.url, person[0]) as client:
        way.losing = 2
        made = await client.create_research_plan("once", "?", STEPS, tags=["lost"])
        listed = await client.list_active_plans(filter={"tag": "lost"})

    assert way.lost == 2
    plans = cast("list[Document]", listed.data["plans"])
    assert [row["plan_id"] for row in plans] == [made.data["plan_id"]]


async def test_who_names_the_request_gets_the_same_answer_again(
    server: Serving, person: tuple[str, str]
) -> None:
    async with Client(server.url, person[0]) as client:
        first = await client.create_research_plan("P", "?", STEPS, request_id="mine")
        again = await client.create_research_plan("P", "?", STEPS, request_id="mine")
        with pytest.raises(Refused) as no:
            await client.create_research_plan("Q", "?", STEPS, request_id="mine")

    assert first == again
    assert no.value.code == "IDEMPOTENCY_MISMATCH"


@pytest.mark.parametrize("token", ["", "il_" + "0" * 40, "x"])
async def test_a_stranger_is_told_so(server: Serving, token: str) -> None:
    async with Client(server.url, token) as client:
        with pytest.raises(Refused) as no:
            await client.ping()

    assert (no.value.code, no.value.http) == ("UNAUTHENTICATED", 401)


async def test_a_server_that_is_not_there_or_is_another_one_is_unreachable() -> None:
    async def other(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        await writer.drain()
        writer.close()

    stranger = await asyncio.start_server(other, "127.0.0.1", 0)
    port = stranger.sockets[0].getsockname()[1]
    async with stranger, Client(f"http://127.0.0.1:{port}", attempts=1) as client:
        with pytest.raises(Unreachable) as other_one:
            await client.ping()
    async with Client(f"http://127.0.0.1:{port}", attempts=2) as client:
        with pytest.raises(Unreachable) as nobody:
            await client.ping()

    assert "none of Interlock's" in other_one.value.message
    assert "does not answer" in nobody.value.message
    assert nobody.value.retryable
