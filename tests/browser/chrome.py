"""The Chromium of the system, in a thread of its own: one for all tests of this process.

Playwright wants a running event loop for as long as the browser lives, and other tests of this
process call ``asyncio.run``, which wants none. So the loop is elsewhere, and stories are sent there.
"""

import asyncio
import os
import shutil
from collections.abc import Coroutine
from threading import Thread
from typing import Final, TypeVar

from playwright.async_api import Browser, Playwright, async_playwright

T = TypeVar("T")

STORY_S: Final = 300
"""How long any story may take; what is waited for within it has a deadline of its own."""

CHROMIUMS: Final = ("chromium-headless-shell", "chromium")
"""What a browser may be called here; the first has no windows of its own to care for."""

# As root there is no sandbox; a small shared memory, no GPU, and nothing that calls home.
ARGUMENTS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--no-first-run",
)  # fmt: skip


class Chrome:
    """A browser, and the thread in which everything about it happens."""

    def __init__(self) -> None:
        """Start the thread and the browser."""
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="chrome")
        self._thread.start()
        try:
            self._playwright, self.browser = self.play(_launch())
        except BaseException:
            self._end()
            raise

    def play(self, story: Coroutine[None, None, T], within_s: int = STORY_S) -> T:
        """Run a story where the browser lives, and wait for its end."""
        told = asyncio.run_coroutine_threadsafe(asyncio.wait_for(story, within_s), self._loop)
        return told.result()

    def close(self) -> None:
        """End the browser and the thread."""
        try:
            self.play(self._close())
        finally:
            self._end()

    async def _close(self) -> None:
        await self.browser.close()
        await self._playwright.stop()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _launch() -> tuple[Playwright, Browser]:
    wanted = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [wanted] if wanted else CHROMIUMS)), None)
    assert found, "there is no Chromium: `make browser` installs one, CHROMIUM names another"
    playwright = await async_playwright().start()
    try:
        return playwright, await playwright.chromium.launch(
            executable_path=found, args=list(ARGUMENTS)
        )
    except BaseException:
        await playwright.stop()
        raise
