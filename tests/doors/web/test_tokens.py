"""The page about tokens: a secret is shown once with the line to paste, and revoked by a button."""

import html
import logging
import re

import pytest

from interlock.service.access import authenticate
from interlock.service.errors import Unauthenticated
from tests.doors.web.test_account import entered
from tests.doors.web.test_people import csrf, press
from tests.service.folk import first
from tests.stage import Stage, staged


@staged
async def test_a_token_is_made_shown_once_and_lets_in(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    browser = await entered(stage)
    await browser.get("/tokens")
    assert "interlock token create" in browser.text
    await browser.send(name="my agent", kind="agent", lasts="30")
    found = re.search(r'id="secret"[^>]*>([^<]*)<', browser.text)
    assert found is not None
    secret = found[1]
    caller = await authenticate(stage.engine, secret)
    assert (caller.kind, caller.on_behalf_of) == ("agent", "pam")
    line = f'interlock https://agents.example/mcp --header "Authorization: Bearer {secret}"'
    assert line in html.unescape(browser.text)
    assert browser.page is not None
    assert browser.page.headers["cache-control"] == "no-store"
    assert secret not in caplog.text
    assert all(secret not in path for path in browser.visited)
    await browser.get("/tokens")

    assert secret not in browser.text
    assert "my agent" in browser.text
    assert "good until" in browser.text


@staged
async def test_what_is_refused_is_told_beside_the_field(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/tokens")
    fields = {"csrf": csrf(browser), "name": "my agent", "kind": "agent", "lasts": ""}
    await browser.post("/tokens/create", {**fields, "scope-read": "on", "scope-decide": "on"})
    assert (browser.status, 'id="scopes-wrong"' in browser.text) == (422, True)
    assert 'id="scope-decide" name="scope-decide" checked' in browser.text
    assert 'value="my agent"' in browser.text
    await browser.post("/tokens/create", {**fields, "name": "x" * 101})
    assert (browser.status, 'id="name-wrong"' in browser.text) == (422, True)
    await browser.post("/tokens/create", {**fields, "name": "a\x07b"})
    assert (browser.status, 'id="name-wrong"' in browser.text) == (422, True)
    await browser.post("/tokens/create", {**fields, "kind": "king"})
    assert (browser.status, 'id="kind-wrong"' in browser.text) == (422, True)
    await browser.post("/tokens/create", {**fields, "lasts": "999"})
    assert (browser.status, 'id="expires_in_s-wrong"' in browser.text) == (422, True)
    assert await stage.engine.store.tokens("home") == ()


@staged
async def test_a_token_is_revoked_for_good(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/tokens")
    await browser.send(name="mine", kind="user", lasts="")
    secret = re.findall(r'id="secret"[^>]*>([^<]*)<', browser.text)[0]
    path = re.findall(r'action="(/tokens/[^"]*/revoke)"', browser.text)[0]
    await press(browser, path)
    assert "1 no longer good" in browser.text
    with pytest.raises(Unauthenticated):
        await authenticate(stage.engine, secret)
    await browser.post("/tokens/nothing/revoke", {"csrf": csrf(browser)})

    assert browser.status == 404
    assert 'role="alert"' in browser.text


@staged
async def test_only_admins_see_and_make_tokens(stage: Stage) -> None:
    await first(stage, "vic", "member")
    browser = await entered(stage, "vic")
    await browser.get("/tokens")
    assert browser.status == 403
    fields = {"csrf": csrf(browser), "name": "x", "kind": "agent"}
    await browser.get("/account")
    await browser.post("/tokens/create", {**fields, "csrf": csrf(browser)})
    assert browser.status == 403
    assert await stage.engine.store.tokens("home") == ()
