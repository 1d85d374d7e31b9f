"""The second half of a ticket by a person in a real browser, from the setup to the merged request.

The worker is a script that sends reports over REST, as the real one does.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from playwright.async_api import Page, expect

from interlock.service.access import create_token
from tests.browser.desk import DESKTOP, PHONE, Desk, Options, browsed
from tests.browser.room import room
from tests.browser.test_axe import found_on
from tests.browser.test_review import assert_fits
from tests.doors.web.ticket.built import SAID, checking, failed
from tests.reports import SITE

Told = dict[str, Any]
SEEN: Final[Options] = {"bypass_csp": True}


@dataclass(slots=True)
class Hand:
    """A worker over REST: takes work, tells what it does, hands reports in."""

    client: httpx2.AsyncClient

    async def take(self) -> Told:
        """Take the next work of a ticket."""
        asked = {"workflow": "ticket", "site": SITE}
        found = (await self._post("/parts/next", asked))["data"]["part"]
        assert isinstance(found, dict)
        return found

    async def tell(self, part: Told, *lines: str) -> None:
        """Tell lines about work."""
        told = [{"at": 1_800_000_000_000, "text": line} for line in lines]
        place = f"/parts/{part['part_id']}/log"
        await self._post(place, {"lease": part["lease"]["token"], "lines": told})

    async def hand_in(self, part: Told, report: Mapping[str, object] | None = None) -> None:
        """Hand in a report: the usual one, or another."""
        task = part["task"]
        said = dict(report or SAID[task["task"]](task))
        told = {"lease": part["lease"]["token"], "answer": said}
        await self._post(f"/parts/{part['part_id']}/answer", told)

    async def work(self) -> None:
        """Take the next work and do it well."""
        await self.hand_in(await self.take())

    async def _post(self, place: str, body: Told) -> Told:
        answer = await self.client.post(place, json=body)
        assert answer.is_success, answer.text
        return dict(answer.json())


@asynccontextmanager
async def hand(desk: Desk) -> AsyncIterator[Hand]:
    """Give a worker its token."""
    async with desk.app() as app:
        scopes = ("read", "work")
        secret, _ = await create_token(app.engine, app.owner(), "a worker", "worker", scopes)
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx2.AsyncClient(base_url=f"{desk.url}/v1", headers=headers) as client:
        yield Hand(client)


async def _set_up(page: Page, worker: Hand) -> None:
    """Approve the setup plan, after another one was asked for."""
    await worker.work()
    await expect(page.locator("#drafted")).to_contain_text("It is being drafted.")
    await worker.work()
    await expect(page.locator("#approval")).to_contain_text("Make an environment")
    await page.locator("#regenerate summary").click()
    await page.get_by_label("What should be different").fill("Nothing is to be downloaded.")
    await page.get_by_role("button", name="Draft it again").click()
    await expect(page.locator("#redrafted")).to_be_visible()
    await worker.work()
    await page.locator("#approve > p").get_by_role("button", name="Approve").click()
    await expect(page.locator("#approval")).to_have_count(0)
    await worker.work()


async def _built(page: Page, worker: Hand) -> None:
    """Watch beads being built: one fails first."""
    part = await worker.take()
    live = page.locator(".live")
    await expect(live).to_contain_text("attempt 1 of 5")
    await worker.tell(part, "I read the tests.", "I write <b>code</b>.")
    await expect(live.locator(".log li").last).to_contain_text("I write <b>code</b>.")
    await worker.hand_in(part, failed(part["task"]))
    await expect(page.locator("#beads .steps li").first).to_contain_text("1 attempt")
    await worker.work()
    await expect(page.locator(".chip").first).to_have_text("Implementing (Bead 1/2)")
    await expect(page.locator("#beads h2")).to_have_text("Beads: 1 of 2 done")


async def _looked_at(page: Page, name: str) -> None:
    """Look at a bead and its attempts by keyboard and by mouse, and at what was changed."""
    if await page.locator(".bead-graph").is_visible():
        await page.locator(".bead-graph a").first.focus()
        await page.keyboard.press("Enter")
    else:
        await page.locator("#beads .steps a").first.click()
    await expect(page.locator("h1")).to_have_text("Do sell-apples")
    await page.locator("#tried-1 > summary").click()
    await page.locator("#tried-1-run-2 > summary").click()
    await expect(page.locator("#tried-1-run-2 pre")).to_contain_text("FAILED test_shop.py")
    await assert_fits(page)
    await page.get_by_role("link", name="Its changes").first.click()
    await expect(page.locator(".tok-name").first).to_have_text("sell")
    await assert_fits(page)
    await page.goto(f"/units/{name}")


async def _merged(page: Page, worker: Hand) -> None:
    """Read the request, read what will happen, merge; then it is done."""
    for _ in range(4):
        await worker.work()
    await expect(page.locator("#now")).to_contain_text("The pull request waits for your review.")
    await expect(page.locator("#pull-request .prose strong")).to_have_text("apples")
    await assert_fits(page)
    await page.get_by_role("link", name="Merge it…").click()
    await expect(page.locator("#words")).to_contain_text("merges the pull request into main")
    await page.get_by_role("button", name="Merge").click()
    await expect(page.locator("#merging")).to_contain_text("A merge was asked for.")
    await worker.work()
    await expect(page.locator("#merged")).to_contain_text("It was merged")
    await worker.work()
    await expect(page.locator("#ended")).to_contain_text("It was delivered: 2 beads")
    await page.locator("#ended").get_by_role("link", name="Evidence").click()
    await expect(page.locator("#proofs")).to_contain_text("Merge")


async def _whole(desk: Desk, look: Options) -> None:
    async with room(desk) as here:
        name = await checking(here)
    page = await desk.owner(f"/units/{name}", look)
    async with hand(desk) as worker:
        await _set_up(page, worker)
        await _built(page, worker)
        assert await found_on(page) == []
        await _looked_at(page, name)
        await _merged(page, worker)


@browsed
async def test_a_ticket_is_built_and_merged_before_the_eyes_of_a_person(desk: Desk) -> None:
    await _whole(desk, {**DESKTOP, **SEEN})


@browsed
async def test_it_is_on_a_phone_too(desk: Desk) -> None:
    await _whole(desk, {**PHONE, **SEEN})
