"""Epics, stories and beads added, removed and moved in a real browser, with keys alone."""

from playwright.async_api import Page, expect

from tests.browser.desk import DESKTOP, Desk, browsed
from tests.browser.room import room
from tests.browser.test_axe import found_on
from tests.browser.test_inbox import assert_stayed, remember
from tests.browser.test_review import assert_fits
from tests.browser.test_ticket import SEEN
from tests.doors.web.ticket.scenes import approving
from tests.stage import PAT
from tests.tickets import status_of


async def _press(page: Page, name: str) -> None:
    """Press a button by the keyboard."""
    await page.get_by_role("button", name=name, exact=True).press("Enter")


async def _added(page: Page) -> None:
    """Add an epic, and be told what is wrong with it until nothing is."""
    await _press(page, "Add an epic")
    title = page.locator('[id="at:$.epics[1].title"]')
    await expect(title).to_be_focused()
    await expect(page.locator("#shaped")).to_have_text("epic 2 was added")
    await expect(page.locator("#mistakes")).to_contain_text("$.epics[1].title")
    await expect(title).to_have_attribute("aria-invalid", "true")
    assert await found_on(page) == []

    await page.keyboard.type("Pears")
    await page.locator('[id="at:$.epics[1].objective"]').fill("Sell pears.")
    await page.locator('[id="at:$.epics[1].user_stories[0].title"]').fill("Buy a pear")
    await expect(page.locator("#mistakes li")).to_have_count(1)
    await page.locator("#mistakes").get_by_role("button", name="Go there").press("Enter")
    criteria = page.locator('[id="at:$.epics[1].user_stories[0].acceptance_criteria"]')
    await expect(criteria).to_be_focused()
    await page.keyboard.type("It is ripe.")
    await expect(page.locator("#wrong")).to_have_text("No mistakes.")


@browsed
async def test_epics_and_stories_come_go_and_move_and_survive_a_reload(desk: Desk) -> None:
    async with room(desk) as here:
        name = await approving(here, "prd")
        page = await desk.owner(f"/units/{name}/documents/prd?as=fields", {**DESKTOP, **SEEN})
        await remember(page)
        await page.get_by_label("Problem statement").fill("Too few pears.")
        await _added(page)
        await _press(page, "Up: epic 2")
        await expect(page.locator('[id="at:$.epics[0].title"]')).to_have_value("Pears")
        await expect(page.get_by_role("button", name="Down: epic 1")).to_be_focused()
        await _press(page, "Add a story: to epic 1")
        await expect(page.locator('[id="at:$.epics[0].user_stories[1].title"]')).to_be_focused()
        await assert_stayed(page)

        await page.reload()
        await _kept(page)
        await page.locator('[id="at:$.epics[0].title"]').press("Enter")
        await expect(page.get_by_text("It is saved.")).to_be_visible()
        await expect(page.locator("#before ins").first).to_be_visible()
        digest = (await status_of(here, name))["documents"]["prd"]
        text = ((await here.engine.store.content(here.owner.tenant, digest)) or b"").decode()
        assert text.index("title: Pears") < text.index("title: Apples")


async def _kept(page: Page) -> None:
    """See that everything is there again, and take away the story that says nothing."""
    await expect(page.locator('[id="at:$.epics[0].user_stories[1].title"]')).to_be_visible()
    await expect(page.locator('[id="at:$.epics[0].title"]')).to_have_value("Pears")
    await expect(page.get_by_label("Problem statement")).to_have_value("Too few pears.")
    await (
        page.locator('[id="item:$.epics[0].user_stories[1]"]')
        .get_by_role("button", name="Remove")
        .press("Enter")
    )
    await expect(page.locator("#wrong")).to_have_text("No mistakes.")
    await expect(page.locator("#diff ins").first).to_be_visible()


@browsed
async def test_a_bead_is_added_and_another_is_gone(desk: Desk) -> None:
    async with room(desk) as here:
        name = await approving(here, "beads")
        page = await desk.owner(f"/units/{name}/documents/beads?as=fields")
        await _press(page, "Remove: bead 1")
        await expect(page.locator('[id="item:$.beads[1]"]')).to_have_count(0)
        await _press(page, "Add a bead")
        said = {
            "title": "Sell pears", "description": "As apples.", "prd_refs": "US-1-1",
            "acceptance_criteria": "Sold.", "tests": "test_pears", "test_commands": "pytest",
            "labels": "epic:EPIC-1", "target_files": "pears.py",
        }  # fmt: skip
        for field, text in said.items():
            await page.locator(f'[id="at:$.beads[1].{field}"]').fill(text)
        await expect(page.locator("#wrong")).to_have_text("No mistakes.")
        await assert_fits(page)
        await page.get_by_role("button", name="Save a new version").click()
        await expect(page.get_by_text("It is saved.")).to_be_visible()
        digest = (await status_of(here, name))["documents"]["beads"]
        told = await here.call("approve", PAT, ticket_id=name, content_digest=digest)
        assert told.status == "PRE_FLIGHT_CHECK"
        beads = (await status_of(here, name))["beads"]
        assert [one["title"] for one in beads] == ["Do count-apples", "Sell pears"]
