"""A review in a real browser: on a phone, sent back, raced for, by keyboard alone, without a script."""

from playwright.async_api import Page, expect

from tests.browser.desk import PHONE, Desk, browsed
from tests.browser.work import begin

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def assert_fits(page: Page) -> None:
    """Nothing is wider than the window: nobody must push a page from side to side."""
    assert await page.evaluate(WIDER) <= 0


@browsed
async def test_a_review_is_decided_from_the_inbox_on_a_phone(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        await work.ask("A table of prices", "Is one source enough?")
        page = await desk.owner(look=PHONE)
        await assert_fits(page)
        row = page.locator("#gates [data-row]")
        box = await row.bounding_box()
        assert box is not None
        assert box["height"] >= 36
        await row.tap()
        await expect(page.get_by_role("heading", name="A table of prices")).to_be_visible()
        await assert_fits(page)

        await page.get_by_label("Is one source enough?").fill("Yes, for now")
        await page.get_by_role("button", name="Approve").tap()
        await expect(page.get_by_text("This was decided: approve")).to_be_visible()
        await assert_fits(page)
        assert await work.status() == "executing"
        await page.goto("/")
        await expect(page.get_by_text("Nothing waits for you.")).to_be_visible()


@browsed
async def test_sent_back_with_feedback_it_is_asked_again_with_what_changed(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        await work.ask("A table", table="embedded 0\nhosted 1200")
        page = await desk.owner()
        await page.locator("#gates [data-row]").click()
        await page.get_by_role("button", name="Modify").click()
        await expect(page.get_by_role("alert")).to_contain_text("feedback")
        await page.get_by_label("Reason or feedback").fill("Add the running costs")
        await page.get_by_role("button", name="Modify").click()
        await expect(page.get_by_text("This was decided: modify")).to_be_visible()

        await work.ask("A table", table="embedded 0\nhosted 1200\nrunning 300")
        assert "Add the running costs" in str(work.step["instructions"])
        await page.get_by_role("link", name="See what is asked now").click()
        since = page.locator("#since")
        await expect(since.get_by_role("heading")).to_have_text("Changed since the last review")
        await expect(since.locator("ins", has_text="running 300")).to_be_visible()
        await expect(since.locator("del", has_text="hosted")).to_have_count(0)
        await page.locator("#decision").get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("This was decided: approve")).to_be_visible()


@browsed
async def test_who_comes_too_late_is_told_who_was_first_and_what_is_different(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        await work.ask("A table", table="embedded 0")
        late = await desk.owner()
        await late.context.route("**/v1/events*", lambda route: route.abort())
        await late.locator("#gates [data-row]").click()
        first = await desk.another("Pat")
        await first.locator("#gates [data-row]").click()
        await first.get_by_label("Reason or feedback").fill("Add the hosted one")
        await first.get_by_role("button", name="Modify").click()
        await expect(first.get_by_text("This was decided: modify")).to_be_visible()
        await work.ask("A table", table="hosted 1200")

        await late.get_by_label("Reason or feedback").fill("Good enough")
        await late.locator("#first").click()
        told = late.locator(".why")
        await expect(told).to_contain_text("This was decided: modify, by user")
        await expect(told).to_contain_text("What you sent was not applied.")
        await expect(told).to_contain_text("You wrote: Good enough")
        different = late.get_by_role("region", name="What is different")
        await expect(different.locator("ins")).to_contain_text("hosted 1200")
        await expect(different.locator("del")).to_contain_text("embedded 0")
        assert await work.status() == "awaiting_review"


@browsed
async def test_everything_of_a_review_can_be_done_with_keys(desk: Desk) -> None:
    async with desk.agent() as session:
        await (await begin(session)).ask("A table of prices")
        await (await begin(session, "Which town?")).ask("A list of gaps")
        page = await desk.owner()
        keys = page.keyboard
        await keys.press("?")
        await expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        await keys.press("Escape")
        rows = page.locator("#gates [data-row]")
        for key, place in (("j", 0), ("j", 1), ("j", 1), ("k", 0), ("j", 1)):
            await keys.press(key)
            await expect(rows.nth(place)).to_be_focused()
            await expect(rows.nth(place)).to_have_css("outline-style", "solid")
        await keys.press("o")
        await expect(page.get_by_role("heading", name="A list of gaps")).to_be_visible()

        await keys.press("a")
        confirm = page.get_by_role("dialog", name="Approve this?")
        await expect(confirm).to_be_visible()
        await keys.press("Escape")
        await expect(confirm).to_be_hidden()
        await keys.press("a")
        await expect(confirm.get_by_role("button", name="Approve")).to_be_focused()
        await keys.press("Enter")
        await expect(page.get_by_text("This was decided: approve")).to_be_visible()
        await keys.press("i")
        await expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
        await expect(rows).to_have_count(1)
        await keys.press("Tab")
        skip = page.get_by_role("link", name="Skip to the content")
        await expect(skip).to_be_focused()
        await expect(skip).to_be_in_viewport()


@browsed
async def test_a_whole_review_without_a_script(desk: Desk) -> None:
    async with desk.agent() as session:
        work = await begin(session)
        await work.ask("A table", "Which currency?", table="embedded 0")
        page = await desk.owner(look={"java_script_enabled": False})
        await page.locator("#gates [data-row]").click()
        await page.get_by_label("Reason or feedback").fill("Add the hosted one")
        await page.get_by_role("button", name="Modify").click()
        await expect(page.get_by_text("This was decided: modify")).to_be_visible()
        await work.ask("A table", "Which currency?", table="embedded 0\nhosted 1200")

        await page.reload()
        await page.get_by_role("link", name="See what is asked now").click()
        await expect(page.locator("#since ins", has_text="hosted 1200")).to_be_visible()
        await page.get_by_label("Which currency?").fill("Euro")
        await page.get_by_role("button", name="Approve").click()
        await expect(page.get_by_text("This was decided: approve")).to_be_visible()
        await page.get_by_role("link", name="Inbox").first.click()
        await expect(page.locator("#decided")).to_contain_text("approve")
        assert await work.status() == "executing"
