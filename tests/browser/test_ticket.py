"""A ticket planned by a person in a real browser: begun, answered, edited, approved three times."""

import asyncio

from playwright.async_api import Page, expect

from tests.browser.desk import DESKTOP, PATIENCE_MS, PHONE, Desk, Options, browsed
from tests.browser.room import Room, room
from tests.browser.test_axe import found_on
from tests.browser.test_review import assert_fits
from tests.doors.web.ticket.scenes import approving, asking, spoken
from tests.stage import PAT
from tests.tickets import NAMES, claim, phase_of, status_of, work

SEEN: Options = {"bypass_csp": True}


async def _kept(page: Page, text: str) -> None:
    """Wait until the browser has kept what was entered."""
    kept = "text => Object.values(localStorage).some((one) => one.includes(text))"
    async with asyncio.timeout(PATIENCE_MS / 1000):
        while not await page.evaluate(kept, text):
            await page.wait_for_timeout(50)


async def _made(page: Page) -> str:
    """Make a project and a ticket in it with forms; return the ticket's id."""
    await page.get_by_label("Name", exact=True).fill("Orchard")
    await page.get_by_label("Repository").fill("/srv/orchard.git")
    for place, name in enumerate(NAMES, 1):
        await page.get_by_label(f"Name {place}").fill(name)
        await page.get_by_label(f"Agent {place}").fill("scripted")
    await page.get_by_role("button", name="Make the project").click()
    await page.get_by_role("link", name="New ticket").click()
    await expect(page.get_by_label("Project")).to_have_text("Orchard")
    await page.get_by_label("Title").fill("Sell apples")
    await page.get_by_label("What is to be built, and why").fill("People want **apples**.")
    await page.get_by_role("button", name="Write it down").click()
    await expect(page.locator("#draft strong")).to_have_text("apples")
    await page.locator("#start button").click()
    await expect(page.get_by_text("a worker makes the working tree")).to_be_visible()
    return page.url.rpartition("/")[2]


async def _drafted(here: Room, name: str) -> None:
    """Let the council draft and vote, and the winner refine."""
    await work(here, name, spoken, NAMES)
    await work(here, name, members=NAMES)
    await work(here, name, spoken)


async def _interviewed(page: Page, here: Room, name: str) -> None:
    """Answer every kind of question as it comes up, by itself."""
    await work(here, name, spoken)
    await expect(page.locator("#commentary strong")).to_have_text("know")
    await page.get_by_label("green").check()
    await page.get_by_label("market").check()
    await page.get_by_label("web").check()
    await page.get_by_label("Yes", exact=True).check()
    await page.locator("#q-Q05-text").fill("In the shop only.")
    await page.get_by_role("button", name="Send the answers").click()
    await expect(page.locator("#said-Q05")).to_contain_text("Yes; In the shop only.")
    await work(here, name)
    await page.locator("#answers textarea").fill("No.")
    await page.get_by_role("button", name="Send the answers").click()
    await expect(page.locator("#said")).to_contain_text("shop only")
    await work(here, name)
    await work(here, name)


async def _approved(page: Page, heading: str) -> None:
    await expect(page.locator("#approval")).to_contain_text(heading)
    await page.locator("#approve > p").get_by_role("button", name="Approve").click()
    await expect(page.locator("#approval")).to_have_count(0)


async def _planned(page: Page, here: Room, *, is_edited: bool) -> str:
    """Plan a ticket to the end; what is on the page is seen on the way."""
    name = await _made(page)
    await work(here, name)
    await work(here, name)
    await expect(page.locator("#council")).to_contain_text("Not begun")
    await _drafted(here, name)
    await _interviewed(page, here, name)
    await expect(page.locator("#approval")).to_contain_text("market; web")
    if is_edited:
        await _edited(page)
    await _approved(page, "the interview")
    for heading in ("the specs (PRD)", "the blueprint (beads)"):
        await _drafted(here, name)
        await work(here, name)
        await assert_fits(page)
        await _approved(page, heading)
    assert await phase_of(here, name) == "PRE_FLIGHT_CHECK"
    return name


async def _edited(page: Page) -> None:
    """Edit what is to be approved: told what is wrong while typing, then saved."""
    await page.get_by_role("link", name="Edit…").click()
    text = page.get_by_label("The whole document")
    whole = await text.input_value()
    await text.fill(whole.replace("phase: foundation", "phase: cellar"))
    await expect(page.locator("#mistakes")).to_contain_text("$.questions[0].phase")
    await page.locator("#mistakes").get_by_role("button", name="Line").first.click()
    await expect(text).to_be_focused()
    await text.fill(whole.replace("In the shop only.", "Everywhere."))
    await expect(page.locator("#wrong")).to_have_text("No mistakes.")
    await expect(page.locator("#diff ins")).to_contain_text("Everywhere.")
    await page.get_by_role("button", name="Save a new version").click()
    await expect(page.get_by_text("It is saved.")).to_be_visible()
    await page.get_by_role("link", name="the page of the ticket").click()
    await expect(page.locator("#document")).to_contain_text("Everywhere.")
    await page.locator("#since summary").click()
    await expect(page.locator("#since del").first).to_contain_text("In the shop only.")


@browsed
async def test_a_person_plans_a_ticket_with_its_council(desk: Desk) -> None:
    page = await desk.owner("/projects", {**DESKTOP, **SEEN})
    async with room(desk) as here:
        name = await _planned(page, here, is_edited=True)
        await page.get_by_role("link", name="Interview", exact=True).first.click()
        await expect(page.locator("#now")).to_contain_text("This is the past.")
        await expect(page.locator("#votes")).to_contain_text("of equal ones the first")
        await expect(page.locator("#votes tbody tr")).to_have_count(3)
        await expect(page.locator("#changes")).to_contain_text("inspired by ben, Q03")
        await page.locator("#council summary").first.click()
        await expect(page.locator("#council details[open]")).to_contain_text("What about 1?")
        assert await found_on(page) == []
        await expect(page.locator("#approve")).to_have_count(0)
        assert (await status_of(here, name))["phase"]["name"] == "PRE_FLIGHT_CHECK"


@browsed
async def test_the_same_on_a_phone(desk: Desk) -> None:
    page = await desk.owner("/projects", {**PHONE, **SEEN})
    async with room(desk) as here:
        name = await _planned(page, here, is_edited=False)
        await page.goto(f"/units/{name}/documents/beads")
        await assert_fits(page)
        assert await found_on(page) == []


@browsed
async def test_an_edit_survives_a_reload_and_never_takes_the_place_of_a_newer_one(
    desk: Desk,
) -> None:
    async with room(desk) as here:
        name = await approving(here, "prd")
        page = await desk.owner(f"/units/{name}/documents/prd")
        text = page.get_by_label("The whole document")
        whole = await text.input_value()
        mine = whole.replace("No apples.", "My words.")
        await text.fill(mine)
        await expect(page.locator("#autosaved")).to_contain_text("Kept in this browser")
        await page.reload()
        await expect(text).to_have_value(mine)

        theirs = whole.replace("No apples.", "Their words.")
        for words in ("Quick words.", "Their words."):
            digest = (await status_of(here, name))["documents"]["prd"]
            said = {"content": theirs.replace("Their words.", words), "base_digest": digest}
            await here.call("save_artifact", PAT, ticket_id=name, **said)
            newest = (await status_of(here, name))["documents"]["prd"]
            await expect(page.locator("#newest")).to_have_attribute("data-digest", newest)
        await expect(page.locator("#stale")).to_be_visible()
        await expect(text).to_have_value(mine)
        await expect(page.locator("#diff ins")).to_contain_text("My words.")
        await page.get_by_role("button", name="Save a new version").click()
        await expect(page.get_by_role("alert")).to_contain_text("Nothing of yours was saved")
        await expect(page.locator("#diff del")).to_contain_text("Their words.")
        assert "Their words." in await _newest(here, name)

        await page.goto(f"/units/{name}/documents/prd")
        await expect(text).to_have_value(theirs)
        await page.get_by_role("button", name="Show it").click()
        await expect(page.locator("#draft-text")).to_contain_text("My words.")
        await page.get_by_role("button", name="Forget it").click()
        await page.reload()
        await expect(page.locator("#drafts")).to_be_hidden()


async def _newest(here: Room, name: str) -> str:
    digest = (await status_of(here, name))["documents"]["prd"]
    return ((await here.engine.store.content(here.owner.tenant, digest)) or b"").decode()


@browsed
async def test_answers_that_were_begun_survive_a_reload_and_keys_are_enough(desk: Desk) -> None:
    async with room(desk) as here:
        name = await asking(here)
        page = await desk.owner(f"/units/{name}")
        await page.get_by_label("market").check()
        await page.locator("#q-Q05-text").fill("Not yet.")
        await _kept(page, "Not yet.")
        await page.reload()
        await expect(page.get_by_label("market")).to_be_checked()
        await expect(page.locator("#q-Q05-text")).to_have_value("Not yet.")

        await page.get_by_label("red").focus()
        await page.keyboard.press("ArrowDown")
        await expect(page.get_by_label("green")).to_be_checked()
        await page.get_by_role("button", name="Leave it to the council: Q02").press("Enter")
        await expect(page.locator("#question-Q02")).to_contain_text("left to the council")
        await expect(page.locator("#q-Q05-text")).to_have_value("Not yet.")
        await page.get_by_role("button", name="Send the answers").press("Enter")
        await expect(page.locator("#said-Q01")).to_contain_text("green")
        await expect(page.locator("#said-Q02")).to_contain_text("Left to the council")


@browsed
async def test_without_a_script_everything_can_be_sent(desk: Desk) -> None:
    async with room(desk) as here:
        name = await approving(here)
        page = await desk.owner(
            f"/units/{name}/documents/interview", {"java_script_enabled": False}
        )
        text = page.get_by_label("The whole document")
        whole = await text.input_value()
        await text.fill(whole.replace("phase: foundation", "phase: cellar"))
        await page.get_by_role("button", name="Check it").click()
        await expect(page.locator("#mistakes")).to_contain_text("$.questions[0].phase")
        await text.fill(whole.replace("Which apples?", "Which apples, and how many?"))
        await page.get_by_role("button", name="Save a new version").click()
        await page.get_by_role("link", name="the page of the ticket").click()
        await page.locator("#approve > p").get_by_role("button", name="Approve").click()
        assert await phase_of(here, name) == "DRAFTING_PRD"


@browsed
async def test_logs_are_followed_and_fields_are_edited(desk: Desk) -> None:
    async with room(desk) as here:
        name = await approving(here, "prd")
        page = await desk.owner(f"/units/{name}/documents/prd?as=fields")
        await page.get_by_label("Problem statement").fill("Too few apples.")
        await _kept(page, "Too few apples.")
        await page.reload()
        await expect(page.get_by_label("Problem statement")).to_have_value("Too few apples.")
        await page.get_by_role("button", name="Save a new version").click()
        await expect(page.get_by_text("It is saved.")).to_be_visible()
        await expect(page.locator("#before ins")).to_contain_text("Too few apples.")
        digest = (await status_of(here, name))["documents"]["prd"]
        await here.call("approve", PAT, ticket_id=name, content_digest=digest)

        part = await claim(here, name, "ben")
        await page.goto(f"/units/{name}/logs?member=ben")
        await expect(page.get_by_text("Somebody is at work")).to_be_visible()
        said = {"part_id": part["part_id"], "lease": part["lease"]["token"]}
        line = {"at": here.engine.store.now(), "stream": "out", "text": "Ben thinks."}
        await here.call("append_log", **said, lines=[line])
        await expect(page.locator("#lines")).to_contain_text("Ben thinks.")
