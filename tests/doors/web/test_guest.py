"""Whoever is logged in: asked for it first, and told what they may."""

import html
import re
from urllib.parse import urlsplit

import pytest

from interlock.doors.web.guest import Guest
from interlock.service.errors import InvalidInput
from interlock.service.sessions import let_in
from tests.doors.rest.calling import application, door, token
from tests.doors.rest.listening import listening
from tests.doors.test_cookies import asking
from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.service.folk import first
from tests.service.test_links import _gate
from tests.stage import PAT, Stage, staged


async def _guest(stage: Stage, query: str = "") -> Guest:
    visit = await let_in(stage.engine, await first(stage, "pam", "owner"), "link")
    request = asking("https", "agents.example")
    request.scope["query_string"] = query.encode()
    return Guest(stage.engine, request, visit)


@staged
async def test_a_stranger_is_sent_to_log_in(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/")

    assert browser.visited[-1].startswith("/login")


@staged
async def test_words_and_numbers_of_a_query_are_read_within_limits(stage: Stage) -> None:
    guest = await _guest(stage, "q=" + "x" * 300 + "&at=12&bad=1e3&far=" + "9" * 40)

    assert len(guest.asked("q")) == 200
    assert (guest.number("at"), guest.number("none")) == (12, None)
    for name in ("bad", "far"):
        with pytest.raises(InvalidInput):
            guest.number(name)


@pytest.mark.parametrize(
    "path", ["/", "/board", "/health", "/units/{unit}", "/units/{unit}/parts/1", "/gates/{gate}",
             "/units/{unit}/logs"],
)  # fmt: skip
@staged
async def test_a_page_hears_of_all_that_happened_since_it_was_read(stage: Stage, path: str) -> None:
    gate = await _gate(stage)
    browser = await entered(stage)
    await browser.get(path.format(unit=gate.unit, gate=gate.id))
    found = re.search(r'data-events="([^"]+)"', browser.text)
    assert found is not None
    before = len(await stage.audit(gate.unit))
    said = {"gate_id": gate.id, "decision": "approve", "content_digest": gate.digest}
    await stage.call("decide_gate", PAT, **said)
    after = len(await stage.audit(gate.unit))
    query = urlsplit(html.unescape(found[1])).query
    async with listening(application(door(stage)), await token(stage), query) as reader:
        told = {(one["unit_id"], one["sequence"]) for one in await reader.until(after - before)}

    assert told >= {(gate.unit, number) for number in range(before + 1, after + 1)}
