"""The pages about workflows: drawn, in tables, and checked by a button."""

import json
import re
from collections.abc import Mapping

from interlock.doors.web.checking import Check, Checks
from interlock.doors.web.door import Web
from interlock.doors.web.workflows import Workflows, places, said, ties
from interlock.workflows.built_in import WORKFLOWS
from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.doors.web.test_checking import TRACE
from tests.service.folk import first
from tests.stage import Stage, staged


@staged
async def test_all_are_listed_and_each_has_a_page(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/workflows")
    for name in WORKFLOWS:
        assert f'href="/workflows/{name}"' in browser.text
    for name, flow in WORKFLOWS.items():
        await browser.get(f"/workflows/{name}")
        assert browser.status == 200
        assert "<svg" in browser.text
        assert "Not checked since this server started." in browser.text
        for machine in flow.machines():
            assert f'id="machine-{machine.name}"' in browser.text
        assert not re.search(r"style=|<style|<script>", browser.text)
        assert "data-events" not in browser.text
    await browser.get("/workflows/nothing")
    assert browser.status == 404


@staged
async def test_a_check_is_begun_by_a_form_and_told_on_the_page(stage: Stage) -> None:
    web = Web(stage.engine)
    browser = await entered(stage, web=web)
    await browser.get("/workflows/plan")
    await browser.send(most="7")
    assert (browser.status, 'id="most-wrong"' in browser.text) == (422, True)
    await browser.send(most="1")
    assert "Being checked, up to 1 steps" in browser.text
    assert '<noscript><meta http-equiv="refresh"' in browser.text
    check = web.checks.of(stage.engine.flows["plan"])
    assert check is not None
    assert check.task is not None
    await check.task
    await browser.get("/workflows/plan")

    assert "Nothing unsound was found." in browser.text
    assert "Check again" in browser.text
    await browser.get("/workflows")
    assert "sound" in browser.text


FOUND: Mapping[str, object] = {
    "workflow": "plan", "bounds": {"steps": 1}, "states": 10, "moves": 20, "decides": 30,
    "seconds": 0.1,
    "findings": [{"kind": "stuck", "where": "plan stalled", "message": "Nobody can <b>go on.",
                  "fix": "Add a way.", "count": 2, "state": "stalled [pending]",
                  "start": "planning [pending]", "trace": TRACE}],
}  # fmt: skip


@staged
async def test_what_was_found_is_told_with_its_way_and_drawn(stage: Stage) -> None:
    check = Check("steps", 1, 5, report=json.loads(json.dumps(FOUND)))
    known = {stage.engine.flows["plan"].digest: check}
    browser = await entered(stage, web=Web(stage.engine, Checks(known=known)))
    await browser.get("/workflows/plan")

    assert "1 thing is unsound." in browser.text
    assert "Nobody can &lt;b&gt;go on." in browser.text
    assert "cannot be done" in browser.text
    assert "visit 3" in browser.text
    check.report, check.problem = None, "It took longer than 5 s and was stopped."
    await browser.get("/workflows/plan")
    assert "was stopped" in browser.text


@staged
async def test_who_may_only_look_has_no_button_and_is_refused(stage: Stage) -> None:
    await first(stage, "vic", "viewer")
    browser = await entered(stage, "vic")
    await browser.get("/workflows/plan")
    assert "Check now" not in browser.text
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    await browser.post("/workflows/plan/check", {"csrf": csrf, "most": "1"})
    assert browser.status == 403
    stranger = Browser.on(stage.engine)
    await stranger.post("/workflows/plan/check", {})
    assert stranger.visited == ["/login"]


def test_tables_tell_every_row() -> None:
    for flow in WORKFLOWS.values():
        for machine in flow.machines():
            told = places(flow, machine)
            assert sum(len(one.ways) for one in told) == len(machine.edges)
        assert sum(len(said(flow, one.name)) for one in flow.machines()) == len(flow.rules)
        rows = len(flow.lifts) + len(flow.cascades) + len(flow.pairs)
        assert sum(len(row) for _, row in ties(flow)) == rows
    claim = next(one for one in said(WORKFLOWS["plan"], "step") if one.event == "claim")
    assert (claim.command, claim.who) == ("get_next_step", "agents, people, workers")
    assert Workflows.__doc__
