"""The inbox: what is asked, by whom, since when; the count in the title; how to fill it."""

from interlock.doors.web.inbox import LATELY
from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.service.test_links import _gate
from tests.stage import PAT, Stage, staged
from tests.tickets import ticket


@staged
async def test_what_waits_is_a_line_and_the_title_counts_it(stage: Stage) -> None:
    gate = await _gate(stage)
    browser = await entered(stage)
    await browser.get("/")

    assert "<title>(1) Inbox - Interlock</title>" in browser.text
    assert f'href="/gates/{gate.id}"' in browser.text
    assert "1 decision waits for a person" in browser.text
    assert "asked by agent" in browser.text
    await stage.call("decide_gate", PAT, gate_id=gate.id, decision="approve",
                     content_digest=gate.digest)  # fmt: skip
    await browser.get("/")
    assert "<title>Inbox - Interlock</title>" in browser.text
    assert f'id="was-{gate.id}"' in browser.text
    assert LATELY > 0


@staged
async def test_an_empty_inbox_says_how_to_fill_it(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/")

    assert "Nothing waits for you." in browser.text
    assert "interlock mcp install" in browser.text


@staged
async def test_a_ticket_that_is_only_written_down_waits_on_the_board_and_asks_for_nobody(
    stage: Stage,
) -> None:
    name = await ticket(stage)
    browser = await entered(stage)
    await browser.get("/")
    assert "Nothing waits for you." in browser.text
    assert name not in browser.text
    await browser.get("/board?column=todo")
    assert f'id="tile-{name}"' in browser.text
    await browser.get(f"/units/{name}")

    assert 'id="start"' in browser.text
    assert "<title>(" not in browser.text


@staged
async def test_a_cursor_that_no_list_gave_is_told(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/?after=nonsense")

    assert browser.status == 422
    assert "This is no cursor." in browser.text
    assert Browser.on(stage.engine) is not browser
