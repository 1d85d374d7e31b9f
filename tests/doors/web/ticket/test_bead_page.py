"""The page of a bead: what it is to do, every attempt, and the changes of the last one."""

import re

from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import coding, working
from tests.stage import Stage, staged


@staged
async def test_attempts_are_listed_with_note_runs_and_changes(stage: Stage) -> None:
    name = await coding(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/beads/1")

    first = browser.text.partition('id="tried-1"')[2]
    assert "Tests failed" in first
    # What a program printed is shown as it was printed: a line of dashes makes no headline.
    assert re.search(r"<pre [^>]*>Two tests fail\.", first)
    assert "What attempts were told" in browser.text
    assert "FAILED test_shop.py::test_sell" in first
    last = browser.text.partition('id="tried-2"')[2].partition('id="tried-1"')[0]
    assert "Done" in last
    assert " open>" in browser.text.partition('id="tried-2"')[2][:10]
    assert "Changes of attempt 2" in browser.text
    assert "Accepted when" in browser.text


@staged
async def test_a_bead_that_is_built_now_shows_its_worker(stage: Stage) -> None:
    name = await working(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/beads/2")

    assert "At work now" in browser.text
    assert "line 12" in browser.text
    assert f'<a href="/units/{name}/beads/1">bead 1</a>' in browser.text
    assert "Nobody has handed anything in yet." in browser.text


@staged
async def test_there_is_no_other_bead(stage: Stage) -> None:
    name = await coding(stage)
    plan = await stage.plan(1)
    browser = await entered(stage)
    statuses = []
    for path in (f"{name}/beads/3", f"{name}/beads/0", f"{name}/beads/x", f"{plan}/beads/1"):
        await browser.get(f"/units/{path}")
        statuses.append(browser.status)

    assert statuses == [404, 404, 422, 404]
