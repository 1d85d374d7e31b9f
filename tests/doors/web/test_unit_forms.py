"""Forms about units and parts: each sends one command, and what is refused is told."""

from interlock.doors.web.unit_forms import SENDS
from tests.doors.web.browser import Browser, hidden
from tests.doors.web.test_account import entered
from tests.stage import BOB, Stage, staged


@staged
async def test_a_person_takes_over_and_gives_it_back_for_another_agent(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/parts/1")
    await browser.send(reason="it sleeps", then="back")

    assert browser.status == 200
    late = await stage.refused("submit_step_result", step_id=step, lease=lease, result={},
                               result_summary="late")  # fmt: skip
    assert late.code == "STALE_LEASE"
    again, _ = await stage.claim(plan, BOB)
    assert again == step


@staged
async def test_a_person_takes_over_and_hands_it_in(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/parts/1")
    await browser.send(reason="I know it", then="mine")
    assert 'id="hand-in"' in browser.text
    await browser.send(summary="by hand", text="**it**", do="submit")

    assert await stage.standing(plan) == "completed: completed"
    assert "<strong>it</strong>" in browser.text


@staged
async def test_a_part_is_given_up_and_tried_again(stage: Stage) -> None:
    plan = await stage.plan(2)
    await stage.claim(plan)
    browser = await entered(stage)
    path = f"/units/{plan}/parts/1"
    await browser.get(path)
    await _press(browser, f"{path}/fail", reason="")
    assert browser.status == 409
    assert 'role="alert"' in browser.text
    await browser.get(path)
    await _press(browser, f"{path}/fail", reason="no use")
    assert "no use" in browser.text
    await _press(browser, f"{path}/retry", reason="")

    assert await stage.standing(plan) == "executing: pending pending"
    assert set(SENDS) == {"take-over", "hand-in", "fail", "retry"}


@staged
async def test_who_only_reads_is_shown_no_button_and_refused(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.claim(plan)
    browser = await entered(stage, "vera", "viewer")
    await browser.get(f"/units/{plan}/parts/1")
    assert 'id="take-over"' not in browser.text
    await _press(browser, f"/units/{plan}/parts/1/take-over", reason="mine")

    assert browser.status == 403


async def _press(browser: Browser, path: str, **fields: str) -> None:
    await browser.post(path, {**hidden(browser.text), **fields})
