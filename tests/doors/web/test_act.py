"""Any command on a page: what will happen is told first, what is wrong beside its field."""

from interlock.doors.web.act import ACT
from tests.doors.web.browser import Browser, hidden
from tests.doors.web.test_account import entered
from tests.stage import Stage, staged


async def _send(browser: Browser, path: str, **fields: str) -> None:
    form = browser.text.partition('id="act"')[2].partition("</form>")[0]
    await browser.post(path, {**hidden(form), **fields})


@staged
async def test_what_will_happen_is_shown_before_it_does(stage: Stage) -> None:
    plan = await stage.plan(1)
    browser = await entered(stage)
    path = ACT.format(unit=plan, command="fail_plan")
    await browser.get(path)
    assert "plan planning → failed" in browser.text
    assert "End a plan for good" in browser.text
    await _send(browser, path, reason="")
    assert (browser.status, 'id="field-reason-wrong"' in browser.text) == (422, True)
    await _send(browser, path, reason="moot")

    assert await stage.standing(plan) == "failed: skipped"
    await browser.get(path)
    assert "This is not possible now." in browser.text
    await _send(browser, path, reason="again")
    assert browser.status == 409


@staged
async def test_a_part_is_named_and_must_be_there(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan)
    browser = await entered(stage)
    path = ACT.format(unit=plan, command="take_over_work")
    await browser.get(f"{path}?part={plan}.1")
    assert f'name="part" value="{plan}.1"' in browser.text
    await _send(browser, path, reason="mine")
    assert (await stage.whole(plan)).parts[0].part.fields["holder"] == "pam"
    for wrong in (f"{path}?part={plan}.9", ACT.format(unit=plan, command="create_token"),
                  ACT.format(unit=plan, command="nothing")):  # fmt: skip
        await browser.get(wrong)
        assert browser.status == 404
