"""The page of a unit: what now, its parts, its history, and any moment of its past."""

from interlock.doors.web.unit import RECENT
from tests.doors.web.test_account import entered
from tests.service.test_links import _gate
from tests.stage import Stage, staged


@staged
async def test_a_plan_is_shown_whole_and_says_what_it_waits_for(stage: Stage) -> None:
    gate = await _gate(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{gate.unit}")

    assert browser.status == 200
    assert "Waiting for you" in browser.text
    assert f'class="btn main" href="/gates/{gate.id}">Review' in browser.text
    assert f'data-events="/v1/events?unit={gate.unit}&amp;after=' in browser.text
    assert f'id="{gate.unit}.1" data-mark' in browser.text
    assert '<span class="chip gate">Awaiting review</span>' in browser.text
    assert f"get_next_step(plan_id=&#34;{gate.unit}&#34;)" in browser.text
    assert 'class="node gate here"' in browser.text


@staged
async def test_any_moment_of_the_past_is_shown_and_marked_as_past(stage: Stage) -> None:
    plan = await stage.plan(2)
    step, lease = await stage.claim(plan)
    await stage.call("submit_step_result", step_id=step, lease=lease, result={"n": 1},
                     result_summary="one found")  # fmt: skip
    browser = await entered(stage)
    await browser.get(f"/units/{plan}")
    assert "one found" in browser.text
    assert "This is the past." not in browser.text
    await browser.get(f"/units/{plan}?at=3")

    assert "This is the past." in browser.text
    assert "one found" not in browser.text
    assert '<span class="chip idle">Planning</span>' in browser.text
    assert "/modify" not in browser.text
    assert RECENT > 3
    for wrong in ("0", "999", "x", "-1"):
        await browser.get(f"/units/{plan}?at={wrong}")
        assert browser.status == 422


@staged
async def test_a_part_is_shown_with_its_instructions_and_its_result(stage: Stage) -> None:
    plan = await stage.plan(1)
    step, lease = await stage.claim(plan)
    browser = await entered(stage)
    path = f"/units/{plan}/parts/1"
    await browser.get(path)
    assert "works on it" in browser.text
    assert 'id="take-over"' in browser.text
    await stage.call("submit_step_result", step_id=step, lease=lease, result={"found": "**x**"},
                     result_summary="one")  # fmt: skip
    await browser.get(path)

    assert "<strong>x</strong>" in browser.text
    assert 'id="take-over"' not in browser.text
    await browser.get(f"{path}?at=1")
    assert browser.status == 404


@staged
async def test_what_is_not_there_is_told_and_names_nothing_else(stage: Stage) -> None:
    browser = await entered(stage)
    for path in ("/units/plan-none", "/units/none", "/units/plan-a.1", "/units/plan-none/parts/1"):
        await browser.get(path)
        assert browser.status == 404
    plan = await stage.plan(1)
    await browser.get(f"/units/{plan}/parts/7")

    assert browser.status == 404


@staged
async def test_a_mission_and_a_ticket_have_pages_too(stage: Stage) -> None:
    ticket = await stage.ticket()
    browser = await entered(stage)
    await browser.get(f"/units/{ticket}")

    assert browser.status == 200
    assert "get_next_work(workflow=&#34;ticket&#34;)" in browser.text
