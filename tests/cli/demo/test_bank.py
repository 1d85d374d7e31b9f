"""The demo's bank is a real MCP server: busy at first, then stuck, then as good as its word."""

import asyncio

from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from interlock.cli.demo.bank import Bank, open_bank
from interlock.cli.demo.orders import RATES
from interlock.toolbox.remote import FAILURE

PATIENCE_S = 30


async def _ask(bank: Bank, currency: str) -> tuple[object, object]:
    """Ask as a worker does, on a connection of its own; return the rate or the class of failure."""
    async with Client(streamable_http_client(bank.url)) as client:
        answer = await client.call_tool("rate", {"currency": currency})
    return (answer.structured_content or {}).get("rate"), (answer.meta or {}).get(FAILURE)


def test_it_is_busy_once_stuck_once_and_then_tells_its_rates() -> None:
    async def story() -> list[tuple[object, object]]:
        async with open_bank() as bank, asyncio.timeout(PATIENCE_S):
            told = [await _ask(bank, "USD"), await _ask(bank, "USD")]
            stuck = asyncio.create_task(_ask(bank, "GBP"))
            await bank.is_stuck.wait()
            assert not stuck.done()
            told += [await _ask(bank, "GBP"), await _ask(bank, "CHF")]
            stuck.cancel()
            return told

    assert asyncio.run(story()) == [
        (None, "transient"), (RATES["USD"], None), (RATES["GBP"], None),
        (None, "user_correctable"),
    ]  # fmt: skip
