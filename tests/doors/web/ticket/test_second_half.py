"""What people decide while a ticket is built, on its pages: each told first, each really done."""

from html import unescape

from interlock.doors.web.guest import rows
from tests.doors.web.browser import HTTPS, Browser
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import (
    PLAN,
    coding,
    failed,
    planned,
    prepared,
    reported,
    reviewing,
    stuck,
    working,
)
from tests.doors.web.ticket.scenes import approve
from tests.doors.web.ticket.test_building import section, words
from tests.stage import PAT, Stage, staged
from tests.tickets import answer, claim, phase_of

SETUP = "execution_setup_plan"


async def _act(browser: Browser, name: str, command: str, **said: str) -> str:
    """Open the page of a command, send it; return what it said would happen."""
    await browser.get(f"/units/{name}/act/{command}")
    told = words(section(browser, "effects"))
    await browser.send(part="", **said)
    assert browser.status == 200, browser.text
    return told


@staged
async def test_a_setup_plan_is_checked_while_it_is_written_saved_and_approved(
    stage: Stage,
) -> None:
    name = await planned(stage)
    browser = await entered(stage)
    path = f"/units/{name}/documents/{SETUP}"
    await browser.get(path)
    inner = browser.text.partition('id="content"')[2].partition(">\n")[2]
    text = unescape(inner.partition("</textarea>")[0])
    form = browser.text.partition('id="editor"')[2]
    hidden = {
        one: form.partition(f'name="{one}" value="')[2].partition('"')[0]
        for one in ("csrf", "base_digest")
    }
    headers = {"origin": HTTPS, "accept": "application/json"}
    wrong = {**hidden, "content": text.replace("status: partial", "status: who knows")}
    told = (await browser.client.post(path, data=wrong, headers=headers)).json()
    assert told["mistakes"][0]["path"] == "$.readiness.status"
    good = text.replace("python -m venv .venv", "python -m venv env")
    await browser.post(path, {**hidden, "content": good, "do": "save"})
    assert "It is saved." in browser.text
    await browser.get(f"/units/{name}")
    assert "the setup plan, version 2" in browser.text
    assert "python -m venv env" in section(browser, "since")
    digest = browser.text.partition('name="content_digest" value="')[2].partition('"')[0]
    await browser.send(content_digest=digest)

    assert await phase_of(stage, name) == "PREPARING_EXECUTION_ENV"


@staged
async def test_a_setup_plan_is_edited_field_by_field(stage: Stage) -> None:
    name = await planned(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/documents/{SETUP}?as=fields")

    assert "Steps 1" in browser.text
    assert "python -m venv .venv" in browser.text
    form = browser.text.partition('id="fields"')[2].partition("</form>")[0]
    assert 'name="at:$.steps[0].commands"' in form


@staged
async def test_another_setup_plan_is_drafted_with_a_comment(stage: Stage) -> None:
    name = await planned(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    await browser.send(comment="Use uv instead.")
    assert "Another one is being drafted" in browser.text
    assert 'id="approve"' not in browser.text

    seen: list[str] = []

    def again(task: dict[str, object]) -> dict[str, object]:
        seen.append(str(task["prompt"]))
        return {**PLAN, "summary": "With uv."}

    await reported(stage, name, again)
    assert "Use uv instead." in seen[0]
    await browser.get(f"/units/{name}")
    assert "With uv." in section(browser, "approval")
    assert "Changed since the version before" in browser.text


@staged
async def test_merging_tells_what_will_happen_and_is_asked_for_once(stage: Stage) -> None:
    name = await reviewing(stage)
    (gate,) = rows((await stage.call("list_gates", PAT)).data, "gates")
    browser = await entered(stage)
    await browser.get(f"/gates/{gate['gate_id']}")
    assert browser.visited[-1] == f"/units/{name}"
    told = await _act(browser, name, "merge")

    assert "A worker merges the pull request into main, if its head is still" in told
    assert 'id="verdict"' not in browser.text.partition('href="/units/')[0]
    assert "/act/merge" not in section(browser, "pull-request")
    part = await reported(stage, name)
    assert part["task"]["task"] == "merge"
    await browser.get(f"/units/{name}")
    assert "It was merged" in section(browser, "pull-request")
    assert f'href="/units/{name}/act/finish"' in browser.text
    told = await _act(browser, name, "finish", reason="The disk hangs.")
    assert "What was not cleaned up stays" in told
    assert await phase_of(stage, name) == "COMPLETED"
    assert "The disk hangs." in section(browser, "pull-request")


@staged
async def test_a_ticket_is_ended_without_a_merge(stage: Stage) -> None:
    name = await reviewing(stage)
    browser = await entered(stage)
    told = await _act(browser, name, "close_unmerged", reason="Pears are better.")
    assert "Nothing is merged. The branch interlock/apples" in told
    assert "It was closed without a merge. Pears are better." in words(
        section(browser, "pull-request")
    )
    await reported(stage, name)
    await browser.get(f"/units/{name}")

    assert "It was built and not merged." in section(browser, "ended")


@staged
async def test_a_budget_that_is_spent_is_raised_and_the_ticket_goes_on(stage: Stage) -> None:
    name = await prepared(stage)
    usage = {"tokens_in": 50_000}
    await reported(stage, name, failed, usage)
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    assert "The budget is spent: raise it first" in section(browser, "trouble")
    assert "140,000 of 100,000 spent" in words(section(browser, "gauge"))
    await browser.get(f"/units/{name}/act/raise_budget")
    assert 'value="100000"' in browser.text
    told = await _act(browser, name, "raise_budget", tokens="500000")
    assert "Nothing starts by itself" in told
    assert "140,000 of 500,000" in words(section(browser, "gauge"))
    await browser.send(note="Now go on.")
    await reported(stage, name)

    assert await phase_of(stage, name) == "CODING"


@staged
async def test_a_setup_that_failed_leads_back_to_its_plan(stage: Stage) -> None:
    name = await planned(stage)
    await approve(stage, name)
    bad = {"status": "failed", "runs": [], "added": [], "dirty": ["a.txt"], "note": "No room."}
    part = await claim(stage, name)
    for _ in range(5):
        await answer(stage, part, bad)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    failure = section(browser, "failure")
    assert "Setting the workspace up" in failure
    assert "No room." in failure
    assert f'href="/units/{name}/documents/{SETUP}#reopen"' in section(browser, "ways-out")
    assert f'href="/units/{name}/documents/beads#reopen"' in section(browser, "ways-out")
    await browser.get(f"/units/{name}/documents/{SETUP}")
    assert "goes back to the approval of the setup plan" in browser.text
    await browser.send(reason="It was wrong.", do="reopen")

    assert await phase_of(stage, name) == "WAITING_EXECUTION_SETUP_APPROVAL"
    assert "Edit…" in browser.text


@staged
async def test_a_bead_in_error_is_retried_with_a_note_once_its_tree_is_restored(
    stage: Stage,
) -> None:
    name = await stuck(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    await browser.send(note="Mind the gap.")
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    assert "/retry" not in section(browser, "trouble")
    part = await reported(stage, name)
    assert part["task"]["task"] == "restore"
    assert await phase_of(stage, name) == "CODING"


@staged
async def test_what_is_past_can_only_be_looked_at(stage: Stage) -> None:
    name = await working(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    before = (await stage.whole(name)).row.version
    await browser.get(f"/units/{name}?at={before - 4}")
    assert 'class="card live"' not in browser.text
    assert "/act/raise_budget" not in browser.text
    viewer = await entered(stage, "vic", "viewer")
    other = await coding(stage)
    await viewer.get(f"/units/{other}")

    assert "/act/raise_budget" not in viewer.text
    assert 'id="beads"' in viewer.text
