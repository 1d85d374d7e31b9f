"""Who leaves while waiting is given nothing."""

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from interlock.doors.waiting import while_there


def asked(leaves: asyncio.Event) -> Request:
    async def receive() -> Message:
        await leaves.wait()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


def test_who_stays_gets_what_came_of_it_or_what_went_wrong() -> None:
    async def good() -> int:
        await asyncio.sleep(0)
        return 7

    async def bad() -> int:
        raise KeyError("x")

    async def story() -> None:
        assert await while_there(asked(asyncio.Event()), good()) == 7
        with pytest.raises(KeyError):
            await while_there(asked(asyncio.Event()), bad())

    asyncio.run(story())


def test_what_nobody_waits_for_any_more_is_given_up() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("given up")

    async def story() -> None:
        leaves = asyncio.Event()
        asyncio.get_running_loop().call_soon(leaves.set)
        with pytest.raises(ClientDisconnect):
            await while_there(asked(leaves), waits())
        assert ended == ["given up"]

    asyncio.run(story())
