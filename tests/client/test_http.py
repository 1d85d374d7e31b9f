"""One request: sent again when it may help, told apart when it may not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from interlock.client.errors import Refused, Unreachable
from interlock.client.http import Sent, Wire
from tests.still import StillClock

PROBLEM = '{"code": "RATE_LIMITED", "message": "slow", "fix": "wait", "retryable": true}'
ASKED = Sent("GET", "/x", (("a", "1"), ("a", "2")))

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def saying(*answers: tuple[str, str]) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Answer each request with the next of some answers; the last one stays."""
    left, heard = list(answers), []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        head, body = left.pop(0) if len(left) > 1 else left[0]
        size = f"Content-Length: {len(body)}\r\nConnection: close"
        writer.write(f"HTTP/1.1 {head}\r\n{size}\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", heard


async def ask(url: str, attempts: int, token: str = "", sent: Sent = ASKED) -> bytes:
    wire = Wire(url, token, attempts, StillClock())
    try:
        return (await wire.send(sent)).content
    finally:
        await wire.http.aclose()


async def test_a_busy_server_is_asked_again() -> None:
    busy = "429 Too Many Requests\r\nRetry-After: 0"
    async with saying((busy, PROBLEM), ("503 No", ""), ("200 OK", "{}")) as (url, heard):
        assert await ask(url, 3, "il_1") == b"{}"

    assert len(heard) == 3
    assert all(b"GET /v1/x?a=1&a=2 " in one for one in heard)
    assert all(b"bearer il_1" in one.lower() for one in heard)


async def test_but_not_for_ever() -> None:
    async with saying(("429 Too Many Requests\r\nRetry-After: 0", PROBLEM)) as (url, heard):
        with pytest.raises(Refused) as no:
            await ask(url, 2)

    assert len(heard) == 2
    assert (no.value.code, no.value.http, no.value.retryable) == ("RATE_LIMITED", 429, True)


async def test_what_is_wrong_is_not_asked_again() -> None:
    body = '{"code": "INVALID_INPUT", "detail": "no", "errors": [{"field": "a", "message": "b"}]}'
    async with saying(("400 Bad", body)) as (url, heard):
        with pytest.raises(Refused) as no:
            await ask(url, 5)

    assert len(heard) == 1
    assert (no.value.message, no.value.fields) == ("no", (("a", "b"),))


async def test_what_belongs_to_a_code_alone_is_kept() -> None:
    wrong = '{"path": "$.a", "expected": "b", "found": "c"}'
    body = f'{{"code": "ANSWER_INVALID", "detail": "no", "errors": [{wrong}], "retries_left": 1}}'
    async with saying(("422 Bad", body)) as (url, _):
        with pytest.raises(Refused) as no:
            await ask(url, 1)

    assert no.value.fields == (("$.a", "expected b, found c"),)
    assert no.value.details == {
        "errors": [{"path": "$.a", "expected": "b", "found": "c"}], "retries_left": 1,
    }  # fmt: skip


@pytest.mark.parametrize("body", ["<html>", "[]", "{}", ""])
async def test_an_answer_in_other_words_is_no_refusal_of_ours(body: str) -> None:
    async with saying(("404 Not Found", body)) as (url, _):
        with pytest.raises(Unreachable, match="404"):
            await ask(url, 3)


@pytest.mark.parametrize(("is_safe", "times"), [(True, 3), (False, 1)])
async def test_what_may_have_arrived_is_sent_again_only_where_that_is_safe(
    is_safe: bool,  # noqa: FBT001  (a parameter of the test)
    times: int,
) -> None:
    heard = 0

    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        heard += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    server = await asyncio.start_server(cut, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(Unreachable):
            await ask(url, 3, sent=ASKED._replace(method="POST", is_safe=is_safe))

    assert heard == times
