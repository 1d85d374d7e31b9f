"""The board in a real browser: it moves with the work, is searched with keys, and fits a phone."""

from playwright.async_api import Locator, Page, expect

from tests.browser.desk import PHONE, Desk, browsed
from tests.browser.test_inbox import assert_stayed, remember
from tests.browser.test_review import assert_fits
from tests.browser.work import begin


def tile(page: Page, column: str, name: str) -> Locator:
    """A tile in a column."""
    return page.locator(f"#column-{column} .tile", has_text=name)


@browsed
async def test_tiles_move_with_the_work_and_are_found_with_keys(desk: Desk) -> None:
    async with desk.agent() as session:
        page = await desk.owner("/board")
        await expect(page.locator("#make")).to_contain_text("interlock plan create")
        await remember(page)
        store = await begin(session, "Which store?", tags=["money"])
        await expect(tile(page, "todo", "Which store?")).to_be_visible()
        await begin(session, "Which town?")
        await store.claim()
        await expect(tile(page, "doing", "Which store?")).to_be_visible()
        await store.ask_now("A table of prices")
        await expect(tile(page, "needs_you", "Which store?")).to_be_visible()
        await expect(page.locator(".tile")).to_have_count(2)
        await expect(page).to_have_title("(1) Board - Interlock")
        await assert_stayed(page)

        await _find_with_keys(page)
        phone = await desk.owner("/board", PHONE)
        await assert_fits(phone)
        await tile(phone, "needs_you", "Which store?").tap()
        await phone.get_by_role("link", name="Review", exact=True).tap()
        await expect(phone.get_by_role("heading", name="A table of prices")).to_be_visible()
        await assert_fits(phone)


async def _find_with_keys(page: Page) -> None:
    """Search, move and open without a pointer."""
    keys = page.keyboard
    await keys.press("/")
    await expect(page.get_by_role("searchbox", name="Search by name or id")).to_be_focused()
    await keys.type("town")
    await keys.press("Enter")
    await expect(page.locator(".tile")).to_have_count(1)
    await expect(page.locator("#column-needs_you")).to_contain_text("Nothing fits.")
    await keys.press("Escape")
    await keys.press("j")
    await expect(tile(page, "todo", "Which town?")).to_be_focused()
    await keys.press("o")
    await expect(page.get_by_role("heading", name="Which town?")).to_be_visible()
    await keys.press("b")
    await expect(page.get_by_role("heading", name="Board")).to_be_visible()
    await page.get_by_role("searchbox", name="Tag").fill("money")
    await page.get_by_role("button", name="Search").click()
    await expect(page.locator(".tile")).to_contain_text(["Which store?"])
