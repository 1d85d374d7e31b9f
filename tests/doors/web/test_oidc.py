"""Logging in at an identity provider: there and back, bound to the browser that began."""

import html
import re
from dataclasses import replace
from urllib.parse import parse_qs, quote, urlsplit

import httpx2
import pytest

from interlock.service.people import disable, invite
from tests.doors.web.browser import Browser
from tests.service.folk import first, setter
from tests.service.issuer import SECRET, Issuer, issuing
from tests.stage import Stage, staged

PAM = {"email": "pam@example.org", "email_verified": True, "name": "Pam"}


async def there(browser: Browser, path: str = "/login/provider") -> str:
    """Go to the provider and log in there; return where it sends us."""
    answer = await browser.get(path)
    assert answer.status_code == 303
    async with httpx2.AsyncClient() as client:
        sent = await client.get(answer.headers["location"])
    return sent.headers["location"]


def begun(stage: Stage, issuer: Issuer) -> Browser:
    return Browser.on(replace(stage.engine, provider=issuer.provider()))


@staged
async def test_a_person_comes_back_logged_in(stage: Stage) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        issuer.person = dict(PAM)
        browser = begun(stage, issuer)
        await browser.get("/login")
        assert 'href="/login/provider"' in browser.text
        back = await there(browser)
        await browser.get(back)
        assert "You are logged in as Pam" in browser.text
        assert browser.cookie("__Host-interlock-provider") == ""
        await browser.get(back)  # the code was used, and what binds it is gone

    assert browser.status == 401


@staged
@pytest.mark.parametrize(("asked", "path"), [
    ("/account?a=b.c", "/account?a=b.c"), ("/", "/"), ("//evil.example", "/"),
    ("https://evil.example", "/"), ("/\\evil.example", "/"),
])  # fmt: skip
async def test_one_comes_back_to_the_page_one_wanted(stage: Stage, asked: str, path: str) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        issuer.person = dict(PAM)
        browser = begun(stage, issuer)
        await browser.get(f"/login?next={quote(asked)}")
        (button,) = re.findall(r'href="(/login/provider[^"]*)"', browser.text)
        for begin in (html.unescape(button), f"/login/provider?next={quote(asked)}"):
            browser.client.cookies.clear()
            await browser.get(await there(browser, begin))
            assert browser.visited[-1] == path


@staged
async def test_what_is_sent_there_gives_nothing_away(stage: Stage) -> None:
    with issuing(stage.engine.store.now()) as issuer:
        answer = await begun(stage, issuer).get("/login/provider")
        asked = parse_qs(urlsplit(answer.headers["location"]).query)

    assert asked["code_challenge_method"] == ["S256"]
    assert asked["response_type"] == ["code"]
    assert asked["redirect_uri"] == ["https://agents.example/login/provider/back"]
    assert len({asked[name][0] for name in ("state", "nonce", "code_challenge")}) == 3
    assert SECRET not in answer.headers["location"]


@staged
async def test_another_browser_cannot_be_brought_back_with_a_code(stage: Stage) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        issuer.person = dict(PAM)
        eve, victim = begun(stage, issuer), begun(stage, issuer)
        back = await there(eve)
        await there(victim)
        for path in (back, back.replace("state=", "state=x"), "/login/provider/back"):
            await victim.get(path)
            assert (victim.status, victim.cookie("__Host-interlock")) == (401, "")
        assert len(issuer.codes) == 2  # none of them was even asked about


@staged
async def test_an_id_token_for_another_login_is_refused(stage: Stage) -> None:
    await first(stage, "pam", "member")
    with issuing(stage.engine.store.now()) as issuer:
        issuer.person = dict(PAM)
        for bent in ({"nonce": "other"}, {"aud": "other"}, {"iss": "other"}, {"exp": 1}):
            issuer.bent = dict(bent)
            browser = begun(stage, issuer)
            await browser.get(await there(browser))
            assert (browser.status, browser.cookie("__Host-interlock")) == (401, ""), bent


@staged
async def test_an_invitation_is_accepted_by_whom_it_is_for_and_by_nobody_else(
    stage: Stage,
) -> None:
    secret, _ = await invite(stage.engine, setter(), "pam@example.org", "viewer")
    path = f"/invitation/{secret}/provider"
    with issuing(stage.engine.store.now()) as issuer:
        issuer.person = {"sub": "eve", "email": "eve@example.org", "email_verified": True}
        eve = begun(stage, issuer)
        await eve.get(await there(eve, path))
        assert (eve.status, "another e-mail" in eve.text) == (410, True)
        issuer.person = dict(PAM)
        browser = begun(stage, issuer)
        await browser.get(await there(browser, path))
        assert "You are logged in as Pam (viewer)" in browser.text
        (row,) = await stage.engine.store.people.users("home")
        await first(stage, "olga", "owner")
        await disable(stage.engine, setter(), row.id)
        again = begun(stage, issuer)
        await again.get(await there(again))

    assert (again.status, again.cookie("__Host-interlock")) == (401, "")
