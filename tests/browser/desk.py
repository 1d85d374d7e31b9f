"""A desk for stories in a browser: a server, windows of people, and agents that really work.

A story is an ``async def`` test that takes a ``Desk``; ``browsed`` plays it on a server and a data
folder of its own. Whatever a story waits for has a deadline; if it fails, a picture of every window
stays under ``build/browser``.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from playwright.async_api import BrowserContext, Error, Page, StorageState, expect

from interlock.app import App, open_app
from interlock.cli.demo.session import Session, connected
from interlock.config import Settings
from interlock.service.people import invite
from tests.browser.chrome import Chrome
from tests.browser.serving import Up

Options = dict[str, Any]

PATIENCE_MS: Final = 45_000
"""How long anything that is waited for or expected may take: a machine may be busy."""

expect.set_options(timeout=PATIENCE_MS)
PROOF: Final = re.compile(r'name="csrf" value="([^"]*)"')
PICTURES: Final = Path(__file__).parents[2] / "build" / "browser"
DESKTOP: Final[Options] = {"viewport": {"width": 1280, "height": 800}}
# What changed is marked for two seconds, painted sixty times each: only a person needs that.
STILL: Final[Options] = {"reduced_motion": "reduce"}
PHONE: Final[Options] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
    "device_scale_factor": 2,
}  # fmt: skip
PASSWORD: Final = "correct horse battery"  # noqa: S105  of somebody in a test

Story = Callable[["Desk"], Awaitable[None]]


@dataclass(slots=True)
class Desk:
    """A server, and who uses it."""

    chrome: Chrome
    server: Up
    contexts: list[BrowserContext] = field(default_factory=list)
    # The cookies of the owner, once they have come in.
    _owner: StorageState | None = None

    @property
    def url(self) -> str:
        """Where the server is."""
        return self.server.url

    @asynccontextmanager
    async def agent(self, name: str = "laptop") -> AsyncIterator[Session]:
        """Connect a client of the MCP SDK; what goes wrong beside it is told as it is."""
        try:
            async with connected(self.url, self.server.token, name) as session:
                yield session
        except BaseExceptionGroup as group:
            raise _only(group) from None

    @asynccontextmanager
    async def app(self) -> AsyncIterator[App]:
        """Open the same data in this process."""
        async with open_app(Settings(self.server.folder)) as app:
            yield app

    async def browser(self, look: Options | None = None) -> BrowserContext:
        """Open a browser that nobody is logged in with."""
        given = {**DESKTOP, **STILL, "base_url": self.url, **(look or {})}
        context = await self.chrome.browser.new_context(**given)
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        return context

    async def owner(self, path: str = "/", look: Options | None = None) -> Page:
        """Open a window of the owner; the first time they come in by the link."""
        given = {"storage_state": self._owner} if self._owner is not None else {}
        context = await self.browser({**given, **(look or {})})
        if self._owner is None:
            await _enter(context, str(self.server.told["page"]))
            self._owner = await context.storage_state()
        page = await context.new_page()
        await page.goto(path)
        return page

    async def another(self, name: str, path: str = "/", role: str = "member") -> Page:
        """Invite somebody, and open a window of theirs."""
        async with self.app() as app:
            secret, _ = await invite(app.engine, app.owner(), f"{len(name)}@example.com", role)
        page = await (await self.browser()).new_page()
        await page.goto(f"/invitation/{secret}")
        await page.get_by_label("Name").fill(name)
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button").last.click()
        await page.wait_for_url(f"{self.url}/")
        await page.goto(path)
        return page

    async def picture(self, name: str) -> None:
        """Keep how every open window looks."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        pages = [page for context in self.contexts for page in context.pages]
        for number, page in enumerate(pages, 1):
            with suppress(Error):  # a page may be too long for a picture; the story's error is told
                await page.screenshot(path=PICTURES / f"{name}-{number}.png", full_page=True)


def _only(error: BaseException) -> BaseException:
    """Return the one error in groups of one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


async def _enter(context: BrowserContext, link: str) -> None:
    """Log in by a link as a page does, without one: a window less for each story."""
    shown = await (await context.request.get(link)).text()
    found = PROOF.search(shown)
    assert found is not None, shown
    sent = await context.request.post(link, form={"csrf": found[1]}, max_redirects=0)
    assert sent.headers["location"] == "/", await sent.text()


async def come_in(page: Page, link: str) -> None:
    """Log in by a link, which takes a button and leads to the inbox."""
    await page.goto(link)
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("heading", name="Inbox").wait_for()


def browsed(
    story: Story, around: Mapping[str, str] | None = None
) -> Callable[[Chrome, Path], None]:
    """Make a test of a story in a browser; ``around`` is told to the server in its environment."""
    name = cast("str", getattr(story, "__name__", "story"))

    async def played(chrome: Chrome, folder: Path) -> None:
        async with Up(folder, around) as server:
            desk = Desk(chrome, server)
            try:
                await story(desk)
            except BaseException:
                await desk.picture(name)
                raise
            finally:
                for context in desk.contexts:
                    await context.close()

    def test(chrome: Chrome, tmp_path: Path) -> None:
        chrome.play(played(chrome, tmp_path))

    test.__name__, test.__module__, test.__doc__ = name, story.__module__, story.__doc__
    return test
