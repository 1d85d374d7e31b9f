"""A plan changed by a person: looked at first, then done, never on another version than shown."""

from interlock.doors.web.plan_change import FIRST
from tests.doors.web.browser import Browser, hidden
from tests.doors.web.test_account import entered
from tests.stage import Stage, staged


async def _send(browser: Browser, plan: str, **fields: str) -> None:
    form = browser.text.partition('id="change"')[2].partition("</form>")[0]
    await browser.post(f"/units/{plan}/modify", {**hidden(form), **fields})


@staged
async def test_a_preview_changes_nothing_and_applying_does(stage: Stage) -> None:
    plan = await stage.plan(2)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/modify")
    assert CHOSEN in browser.text
    before = await stage.mark(plan)
    await _send(browser, plan, title="Look again", instructions="Look", do="preview")
    assert "Look again (pending)</ins>" in browser.text
    assert await stage.mark(plan) == before
    await _send(browser, plan, title="Look again", instructions="Look", do="apply",
                rationale="two were missing")  # fmt: skip

    assert await stage.standing(plan) == "planning: pending pending pending"
    assert "Look again" in browser.text
    assert (await stage.audit(plan))[-1]["rationale"] == "two were missing"


CHOSEN = f'name="action" value="{FIRST}"'


@staged
async def test_what_somebody_else_has_changed_meanwhile_is_shown_again(stage: Stage) -> None:
    plan = await stage.plan(2)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/modify?action=remove_step")
    await stage.claim(plan)
    await _send(browser, plan, step_id=f"{plan}.2", do="apply")

    assert browser.status == 409
    assert "Somebody has changed the plan meanwhile." in browser.text
    assert await stage.standing(plan) == "executing: in_progress pending"
    await _send(browser, plan, step_id=f"{plan}.2", do="apply")
    assert await stage.standing(plan) == "executing: in_progress"


@staged
async def test_what_is_wrong_is_told_and_what_was_entered_stays(stage: Stage) -> None:
    plan = await stage.plan(2)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/modify?action=update_plan")
    await _send(browser, plan, name="Better", stall_after="soon", do="preview")
    assert (browser.status, 'value="Better"' in browser.text) == (422, True)
    assert 'name="stall_after" aria-invalid="true"' in browser.text
    await browser.get(f"/units/{plan}/modify?action=nothing")
    assert browser.status == 422
    await browser.get(f"/units/{await stage.ticket()}/modify")

    assert browser.status == 404
