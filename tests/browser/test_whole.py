"""A whole ticket by a person in a browser, from DRAFT to COMPLETED, with a real worker.

The worker is a process of its own, its agent is scripted: it plans, builds three beads (one is
wrong at first), tests, and merges in a repository that is there afterwards.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from playwright.async_api import Locator, Page, expect

from interlock.cli.demo import feature
from interlock.kernel.rules import WORKER
from interlock.service.access import create_token
from tests.browser.desk import Desk, browsed
from tests.execution.ground import Ground
from tests.serving.farm import Base

PATIENCE_MS: Final = 60_000
WHOLE_S: Final = 240


async def _ground(desk: Desk) -> Ground:
    """Make a repository beside the server, and a worker's place."""
    folder = desk.server.folder / "ground"
    folder.mkdir()
    async with desk.app() as app:
        worker, _ = await create_token(app.engine, app.owner(), "hands", WORKER)
    feature.make_repository(folder / "code")
    ground = Ground(folder, Base(desk.server.folder), "", worker)
    ground.tell(feature.script())
    return ground


async def _begun(page: Page, bare: Path) -> None:
    """Make a project and a ticket with forms, and start it."""
    await page.get_by_label("Name", exact=True).fill("till")
    await page.get_by_label("Repository").fill(str(bare))
    await page.get_by_label("Name 1").fill(feature.MEMBER)
    await page.get_by_label("Agent 1").fill(feature.AGENT)
    await page.get_by_role("button", name="Make the project").click()
    await page.get_by_role("link", name="New ticket").click()
    await page.get_by_label("Title").fill(feature.TITLE)
    await page.get_by_label("What is to be built, and why").fill("Customers want receipts.")
    await page.get_by_role("button", name="Write it down").click()
    await page.locator("#start button").click()


async def _answer(page: Page) -> None:
    number = await page.locator("#answers input[name=batch]").get_attribute("value")
    for field in await page.locator("#answers textarea").all():
        await field.fill("Ten percent.")
    await page.get_by_role("button", name="Send the answers").click()
    await expect(page.locator(f"#answers input[name=batch][value='{number}']")).to_have_count(0)


async def _approve(page: Page) -> None:
    shown = page.locator("#approve input[name=content_digest]")
    digest = await shown.get_attribute("value")
    await page.locator("#approve > p").get_by_role("button", name="Approve").click()
    gone = page.locator(f"#approve input[name=content_digest][value='{digest}']")
    await expect(gone).to_have_count(0)


async def _merge(page: Page) -> None:
    await page.get_by_role("link", name="Merge it…").click()
    await page.get_by_role("button", name="Merge").click()
    await expect(page.get_by_role("link", name="Merge it…")).to_have_count(0)


async def _decide(page: Page) -> list[str]:
    """Do what the page asks for until it asks for nothing more; return what that was."""
    asked: list[tuple[str, Callable[[Page], Awaitable[None]]]] = [
        ("#answers", _answer), ("#approve", _approve), ("#verdict .main", _merge),
    ]  # fmt: skip
    anything: Locator = page.locator("#ended, #trouble, #answers, #approve, #verdict .main")
    done: list[str] = []
    async with asyncio.timeout(WHOLE_S):
        while True:
            await anything.first.wait_for(timeout=PATIENCE_MS)
            if await page.locator("#ended, #trouble").count():
                return done
            for place, act in asked:
                if await page.locator(place).count():
                    done.append(place)
                    await act(page)
                    break


@browsed
async def test_a_ticket_goes_from_a_draft_to_a_merged_feature(desk: Desk) -> None:
    ground = await _ground(desk)
    page = await desk.owner("/projects")
    with ground.working(desk.url):
        await _begun(page, ground.bare)
        done = await _decide(page)

    await expect(page.locator("#ended")).to_contain_text("It was delivered: 3 beads")
    assert done.count("#approve") == 4, done
    assert done[-1] == "#verdict .main"
    await page.locator("#beads .steps a").nth(1).click()
    await expect(page.locator("#tried")).to_contain_text("2 attempts")
    assert "receipt" in ground.git("show", f"{feature.BRANCH}:receipt.py")
