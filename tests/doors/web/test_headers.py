"""What every page tells a browser: nothing foreign, no frames."""

import re

import pytest

from tests.doors.web.browser import HTTP, Browser
from tests.stage import Stage, staged

PATHS = ("/login", "/login/x", "/invitation/x", "/account", "/static/interlock.css", "/")


@staged
@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_shuts_out_frames_scripts_and_guesses(stage: Stage, path: str) -> None:
    answer = await Browser.on(stage.engine).client.get(path)
    policy = answer.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "form-action 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    # With no-referrer browsers send our own forms with an origin that is nobody's.
    assert answer.headers["referrer-policy"] == "same-origin"


@staged
async def test_a_page_is_kept_nowhere_and_stays_on_https(stage: Stage) -> None:
    answer = await Browser.on(stage.engine).client.get("/login")
    plain = await Browser.on(stage.engine, HTTP).client.get("/login")

    assert answer.headers["cache-control"] == "no-store"
    assert "strict-transport-security" in answer.headers
    assert "strict-transport-security" not in plain.headers


@staged
async def test_no_page_has_a_style_or_script_in_itself(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login")

    found = [word for word in ("<style", " style=", " onclick=") if word in browser.text]
    assert found == []
    assert re.findall(r"<script[^>]*>", browser.text) == re.findall(
        r'<script src="/static/[^"]*" defer>', browser.text
    )
