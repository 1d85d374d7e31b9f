"""The page of a unit in a real browser: watched while an agent works, taken over, seen as it was."""

import asyncio

from playwright.async_api import Locator, Page, Route, expect

from tests.browser.desk import Desk, browsed
from tests.browser.test_inbox import assert_stayed, remember
from tests.browser.work import Work, begin


def chips(page: Page) -> Locator:
    """Where the parts stand."""
    return page.locator("#parts .chip")


def here(page: Page) -> Locator:
    """Where the drawing says that the unit stands."""
    return page.locator("#machine g.node.here > title")


class Holding:
    """Keeps a browser from opening the stream of a page, for as long as somebody likes."""

    def __init__(self) -> None:
        """Begin with holding it back."""
        self._asked, self._goes_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, route: Route) -> None:
        """Hold a request back."""
        self._asked.set()
        await self._goes_on.wait()
        await route.continue_()

    async def asked(self) -> None:
        """Wait until the page wants its stream."""
        await self._asked.wait()

    def let_go(self) -> None:
        """Let it be opened."""
        self._goes_on.set()


async def hand_in(work: Work, summary: str) -> None:
    await work.claim()
    await work.submit(summary)


@browsed
async def test_a_plan_is_watched_in_two_tabs_while_an_agent_works_it(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        first = await desk.owner(f"/units/{work.plan}")
        second = await first.context.new_page()
        await second.goto(f"/units/{work.plan}")
        tabs = (first, second)
        await remember(*tabs)
        await expect(chips(first)).to_have_text(["Pending", "Pending", "Pending"])
        await expect(here(first)).to_have_text("planning")

        await work.claim()
        for page in tabs:
            await expect(chips(page).first).to_have_text("In progress")
            await expect(page.locator("#holding")).to_contain_text("Search")
            await expect(here(page)).to_have_text("executing")
        await expect(first.locator("g.node.here")).to_have_count(1)
        await work.submit("Two stores found", found=2)
        await work.ask("A table of prices")
        for page in tabs:
            await expect(chips(page)).to_have_text(["Completed", "Awaiting input", "Pending"])
            await expect(page.locator("#progress")).to_contain_text("33 %")
            await expect(here(page)).to_have_text("awaiting_review")
            await expect(page.locator("#now")).to_contain_text("Waiting for you")
            await expect(page).to_have_title("(1) Which store? - Interlock")
        await assert_stayed(*tabs)

        await second.get_by_role("link", name="Review", exact=True).click()
        await second.locator("#first").click()
        await expect(chips(first).nth(1)).to_have_text("Completed")
        await hand_in(work, "Take the embedded one")
        await expect(first.locator("#now")).to_contain_text("It is done")
        await expect(here(first)).to_have_text("completed")
        await assert_stayed(first)


@browsed
async def test_the_slider_shows_the_past_and_leads_back(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        await hand_in(work, "Two stores found")
        await hand_in(work, "The embedded one is the cheapest")
        page = await desk.owner(f"/units/{work.plan}")
        slider = page.get_by_role("slider")
        await expect(chips(page)).to_have_text(["Completed", "Completed", "Pending"])
        await remember(page)

        await slider.focus()
        await slider.press("Home")
        await expect(page.locator("#now")).to_contain_text("This is the past.")
        await expect(page.locator("#now")).to_contain_text("Nothing can be done here.")
        await expect(page.locator("#holding")).to_have_count(0)
        await slider.press("End")
        await expect(chips(page)).to_have_text(["Completed", "Completed", "Pending"])
        await expect(page.locator("#now")).not_to_contain_text("the past")
        for _ in range(3):
            await slider.press("ArrowLeft")
        await expect(page.locator("#now")).to_contain_text("This is the past.")
        await expect(chips(page)).not_to_have_text(["Completed", "Completed", "Pending"])
        await expect(slider).to_be_focused()
        await assert_stayed(page)

        await page.reload()  # the moment is in the address
        await expect(page.locator("#now")).to_contain_text("This is the past.")
        await work.claim()  # what happens now changes nothing of what was
        await page.get_by_role("link", name="Back to now").click()
        await expect(chips(page)).to_have_text(["Completed", "Completed", "In progress"])


@browsed
async def test_what_an_agent_holds_is_taken_over_and_handed_in_by_the_person(desk: Desk) -> None:
    async with desk.agent("silent") as session:
        work = await begin(session)
        step = await work.claim()
        page = await desk.owner(f"/units/{work.plan}")
        await page.locator("#holding").get_by_role("link", name="Take over…").click()
        await page.get_by_label("Reason").first.fill("It is silent")
        await page.get_by_label("I do it myself").check()
        await page.get_by_role("button", name="Take over").click()
        await page.get_by_label("What came out of it, in a sentence").fill("Two stores found")
        late = {"step_id": step, "lease": work.lease, "result_summary": "Four found"}
        await session.refused("submit_step_result", "STALE_LEASE", **late)
        await page.get_by_role("button", name="Hand in").click()
        await expect(page.locator("#now")).to_contain_text("Two stores found")

        await work.claim()
        await page.goto(f"/units/{work.plan}")
        await page.locator("#holding").get_by_role("link", name="Take over…").click()
        await page.get_by_label("Reason").first.fill("Somebody else, please")
        await page.get_by_role("button", name="Take over").click()
        await expect(page.locator("#now")).to_contain_text("It waits for an agent.")


@browsed
async def test_a_plan_is_changed_after_a_preview_and_never_as_somebody_else_left_it(
    desk: Desk,
) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        page = await desk.owner(f"/units/{work.plan}")
        await page.get_by_role("link", name="Modify…").click()
        await page.goto(f"/units/{work.plan}/modify?action=add_steps")
        await page.get_by_label("Title").fill("Ask the neighbours")
        await page.get_by_label("Instructions").fill("Ring at three doors.")
        await page.get_by_role("button", name="Preview").click()
        preview = page.locator("#preview")
        await expect(preview.locator("ins")).to_contain_text("Ask the neighbours")
        await expect(preview).to_contain_text("Nothing has been changed yet.")
        await work.claim()
        await page.get_by_role("button", name="Apply").click()
        await expect(page.get_by_role("alert")).to_be_visible()
        await expect(page.get_by_label("Instructions")).to_have_value("Ring at three doors.")

        await page.get_by_role("button", name="Preview").click()
        await page.get_by_role("button", name="Apply").click()
        await expect(page.locator("#parts")).to_contain_text("Ask the neighbours")
        await expect(chips(page)).to_have_count(4)


@browsed
async def test_what_happens_before_the_stream_of_a_page_is_open_is_not_missed(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        for done, path in enumerate((f"/units/{work.plan}", "/board"), 1):
            page = await (await desk.owner()).context.new_page()
            holding = Holding()
            await page.route("**/v1/events?*", holding)
            await page.goto(path)
            await remember(page)
            await holding.asked()
            await hand_in(work, "Seen late")
            holding.let_go()
            await expect(page.get_by_label(f"Progress: {done} of 3 done")).to_be_visible()
            await assert_stayed(page)
