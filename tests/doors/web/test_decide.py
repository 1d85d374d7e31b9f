"""The page behind a link: looking decides nothing, the form decides once, then it says who did."""

import re
from typing import cast

from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.service.test_links import _gate, _made
from tests.stage import PAT, Stage, staged


@staged
async def test_a_link_is_looked_at_and_decided_once(stage: Stage) -> None:
    gate = await _gate(stage)
    path = f"/decide/{await _made(stage, gate)}"
    browser, other = Browser.on(stage.engine), Browser.on(stage.engine)
    for one in (browser, other):
        for _ in range(3):
            await one.get(path)
            assert one.status == 200
    assert "look at it" in browser.text
    assert await stage.standing(gate.unit) == "awaiting_review: awaiting_input"

    await browser.post(path, {"decision": "approve"})
    assert browser.status == 403  # no proof that the form is ours
    await browser.get(path)
    await _press(browser, path, "reject")
    assert browser.status == 409
    assert "feedback" in browser.text
    await _press(browser, path, "approve")
    assert browser.status == 200
    assert "This was decided: <strong>approve</strong>" in browser.text
    assert await stage.standing(gate.unit) == "completed: completed"

    await _press(other, path, "reject", "no")
    assert other.status == 409
    assert re.search(r"<strong>approve</strong>, by user\s+Pat", other.text)
    await other.get(path)
    assert 'id="decision"' not in other.text
    told = (await stage.call("get_gate", PAT, gate_id=gate.id)).data
    assert (told["channel"], cast("dict[str, str]", told["decided_by"])["id"]) == ("link", "pat")


async def _press(browser: Browser, path: str, decision: str, feedback: str = "") -> None:
    said = {"csrf": _csrf(browser), "decision": decision, "feedback": feedback}
    await browser.post(path, said)


def _csrf(browser: Browser) -> str:
    found = re.search(r'name="csrf" value="([^"]*)"', browser.text)
    assert found is not None
    return found[1]


@staged
async def test_what_is_shown_is_text_and_a_bad_link_is_told(stage: Stage) -> None:
    gate = await _gate(stage)
    path = f"/decide/{await _made(stage, gate)}"
    browser = Browser.on(stage.engine)
    await browser.get(f"{path}x")

    assert browser.status == 410
    assert "not good" in browser.text
    await stage.sql("UPDATE gates SET title = '<script>alert(1)</script>'")
    await browser.get(path)
    assert "<script>" not in browser.text
    assert "&lt;script&gt;" in browser.text


@staged
async def test_who_is_logged_in_decides_at_the_gate_s_own_address(stage: Stage) -> None:
    gate = await _gate(stage)
    path = f"/gates/{gate.id}"
    stranger = Browser.on(stage.engine)
    await stranger.get(path)
    assert stranger.visited[-1] == f"/login?next={path}"
    await stranger.post(path, {"decision": "approve"})
    assert stranger.visited[-1] == f"/login?next={path}"
    assert await stage.standing(gate.unit) == "awaiting_review: awaiting_input"

    browser = await entered(stage)
    await browser.get(f"{path}0")
    assert browser.status == 404
    await browser.get(path)
    assert "look at it" in browser.text
    stale = {"csrf": _csrf(browser), "decision": "approve", "content_digest": "0" * 64}
    await browser.post(path, stale)
    assert browser.status == 409
    await browser.send(decision="approve")

    assert "This was decided: <strong>approve</strong>" in browser.text
    told = (await stage.call("get_gate", PAT, gate_id=gate.id)).data
    assert (told["channel"], cast("dict[str, str]", told["decided_by"])["id"]) == ("web", "pam")
