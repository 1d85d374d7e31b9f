"""The inbox in a real browser: the first login, staying up to date, coming back after a restart."""

from urllib.parse import urlsplit

from playwright.async_api import Locator, Page, expect

from tests.browser.desk import Desk, browsed, come_in
from tests.browser.work import STEPS, begin


def rows_of(page: Page) -> Locator:
    """What an inbox lists."""
    return page.locator("#gates [data-row]")


async def remember(*pages: Page) -> None:
    """Leave something in pages that is lost when they are loaded again."""
    for page in pages:
        await page.evaluate("window.stayed = true")


async def assert_stayed(*pages: Page) -> None:
    for page in pages:
        assert await page.evaluate("window.stayed") is True


@browsed
async def test_the_link_of_up_lets_in_once_and_an_empty_inbox_says_how_to_fill_it(
    desk: Desk,
) -> None:
    page = await (await desk.browser()).new_page()
    await page.goto("/")
    await expect(page).to_have_url(f"{desk.url}/login")
    link = str(desk.server.told["page"])
    await come_in(page, link)

    await expect(page).to_have_title("Inbox - Interlock")
    await expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    await expect(page.locator("#connect")).to_contain_text("interlock mcp install")
    cookies = await page.context.cookies()
    assert [one["httpOnly"] for one in cookies] == [True]
    other = await (await desk.browser()).new_page()
    await other.goto(link)
    await other.get_by_role("button", name="Log in").click()
    await expect(other.get_by_role("alert")).to_contain_text("was used before")
    await page.get_by_role("button", name="Log out").click()
    await page.goto("/")
    await expect(page).to_have_url(f"{desk.url}/login")


@browsed
async def test_two_tabs_follow_an_agent_and_what_somebody_writes_stays(desk: Desk) -> None:
    inbox = await desk.owner()
    second = await inbox.context.new_page()
    await second.goto("/")
    await remember(inbox, second)
    async with desk.agent() as session:
        work = await begin(session, max_parallel_steps=2)
        await work.claim()
        held = work.step
        await work.ask("A table of prices", "Is one source enough?")
        for page in (inbox, second):
            await expect(rows_of(page)).to_contain_text("A table of prices")
            await expect(page).to_have_title("(1) Inbox - Interlock")
        await assert_stayed(inbox, second)

        await rows_of(second).click()
        answer = second.get_by_label("Is one source enough?")
        await answer.fill("Yes, for now")
        await second.get_by_role("button", name="Modify").click()
        await expect(second.get_by_role("alert")).to_contain_text("feedback")
        await second.get_by_label("Reason or feedback").focus()
        await remember(second)
        await (await begin(session, "Which town?")).ask("A list of gaps")
        work.step = held
        await work.submit("Five found")
        await expect(second).to_have_title("(2) A table of prices - Interlock")
        await expect(answer).to_have_value("Yes, for now")
        await expect(rows_of(inbox)).to_have_count(2)
        await _lose_to_another(desk, second)
        await assert_stayed(inbox, second)
        await expect(rows_of(inbox)).to_have_count(1)


async def _lose_to_another(desk: Desk, page: Page) -> None:
    """Write a reason while somebody else decides: it is still there, and it is told who was first."""
    feedback = page.get_by_label("Reason or feedback")
    await feedback.fill("Please add the running")
    other = await desk.another("Pat", urlsplit(page.url).path)
    await other.locator("#first").click()
    await expect(page.get_by_text("This was decided: approve")).to_be_visible()
    await expect(feedback).to_be_focused()
    await feedback.press_sequentially(" costs")
    await expect(feedback).to_have_value("Please add the running costs")


@browsed
async def test_a_page_comes_back_after_the_server_was_away_and_misses_nothing(desk: Desk) -> None:
    page = await desk.owner()
    note = page.locator("#offline")
    await expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    await expect(note).to_be_hidden()
    await remember(page)

    await desk.server.stop()
    await expect(note).to_be_visible()
    async with desk.app() as app:  # as the command line works on the same data
        verbs = await app.verbs()
        new = {"name": "Meanwhile", "research_question": "What?", "steps": STEPS}
        plan = (await verbs.call("create_research_plan", new)).data["plan_id"]
        claimed = await verbs.call("get_next_step", {"plan_id": plan})
        step = claimed.data["step"]
        assert isinstance(step, dict)
        asked = {"step_id": step["step_id"], "summary": "Asked while you were away"}
        await verbs.call("request_user_review", asked)
    await desk.server.start()

    await expect(page.locator("#gates")).to_contain_text("Asked while you were away")
    await expect(page).to_have_title("(1) Inbox - Interlock")
    await expect(note).to_be_hidden()
    await assert_stayed(page)
