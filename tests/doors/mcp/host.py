"""A host of cards: a page in a real Chromium that frames one and speaks its protocol.

Calls that the card makes go through a real client of the SDK to a real server. The card runs in a
sandbox, under the policy that the specification prescribes where a page asks for nothing.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from mcp.client.client import Client
from mcp_types import CallToolResult
from playwright.async_api import Browser, FrameLocator, Page, Request

from interlock.doors.mcp.card import URI

AT: Final = "http://host.test/"
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
PAGE: Final = """<!doctype html><title>host</title>
<iframe id="card" sandbox="allow-scripts" width="600" height="900"></iframe>
<script>
"use strict";
const frame = document.getElementById("card");
let ready;
const isReady = new Promise((done) => { ready = done; });
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
async function answer(method, params) {
  if (method === "ui/initialize") return {
    protocolVersion: "2026-01-26", hostInfo: { name: "host", version: "1" },
    hostCapabilities: { openLinks: {}, serverTools: {} }, hostContext: { theme: window.theme },
  };
  if (method === "tools/call") return window.callTool(params.name, params.arguments);
  return {};
}
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  await window.note(data.method ?? "answer", data.params ?? {});
  if (data.method === "ui/notifications/initialized") ready();
  if (data.id === undefined || !data.method) return;
  try {
    send({ id: data.id, result: await answer(data.method, data.params) });
  } catch (error) {
    send({ id: data.id, error: { code: -32000, message: String(error.message) } });
  }
});
async function frameCard(html, theme, args, result) {
  window.theme = theme;
  frame.srcdoc = html;
  await isReady;
  send({ method: "ui/notifications/tool-input", params: { arguments: args } });
  send({ method: "ui/notifications/tool-result", params: result });
}
</script>
"""

Result = dict[str, Any]


@dataclass(slots=True)
class Host:
    """A host, what the card has told it, and what left the browser."""

    page: Page
    client: Client
    heard: list[tuple[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    popped: list[str] = field(default_factory=list)

    @property
    def card(self) -> FrameLocator:
        """The card, as a person sees it."""
        return self.page.frame_locator("#card")

    def said(self, method: str) -> list[Any]:
        """Return what the card has said with a method."""
        return [params for name, params in self.heard if name == method]

    async def text(self) -> str:
        """Return the markup of the whole card."""
        return str(await self.card.locator("html").evaluate("node => node.outerHTML"))

    async def call(self, name: str, arguments: dict[str, Any]) -> Result:
        """Call a tool, as a host does for a card."""
        return told(await self.client.call_tool(name, arguments))

    async def show(
        self, tool: str, arguments: dict[str, Any], *, theme: str = "light", **bent: object
    ) -> Result:
        """Call a tool as the agent does, and show its card; ``bent`` is what the host lies about."""
        listed = {one.name: one for one in (await self.client.list_tools()).tools}
        assert listed[tool].meta == {"ui": {"resourceUri": URI}}
        (content,) = (await self.client.read_resource(URI)).contents
        result = await self.call(tool, arguments)
        result["structuredContent"]["data"].update(bent)
        await self.page.evaluate(
            "([html, theme, given, result]) => frameCard(html, theme, given, result)",
            [getattr(content, "text", ""), theme, arguments, result],
        )
        return result


def told(result: CallToolResult) -> Result:
    """Return a result as it goes over a wire."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def hosting(browser: Browser, client: Client) -> AsyncIterator[Host]:
    """Open a host in a window of its own, for a client."""
    page = await browser.new_page()
    try:
        host = Host(page, client)
        await page.route("**/*", lambda route: route.abort())
        await page.route(AT, lambda route: route.fulfill(
            body=PAGE, content_type="text/html", headers={"Content-Security-Policy": POLICY},
        ))  # fmt: skip
        await page.expose_function("callTool", partial(Host.call, host))
        await page.expose_function("note", lambda *what: host.heard.append(what))
        page.on("request", lambda one: _note(host, one))
        page.on("dialog", lambda one: host.popped.append(one.message))
        await page.goto(AT)
        yield host
    finally:
        await page.close()


def _note(host: Host, request: Request) -> None:
    if request.url not in (AT, "about:srcdoc"):
        host.requests.append(request.url)
