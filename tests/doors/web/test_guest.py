"""Whoever is logged in: asked for it first, and told what they may."""

import pytest

from interlock.doors.web.guest import Guest
from interlock.service.errors import InvalidInput
from interlock.service.sessions import let_in
from tests.doors.test_cookies import asking
from tests.doors.web.browser import Browser
from tests.service.folk import first
from tests.stage import Stage, staged


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
