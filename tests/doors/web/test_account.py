"""Oneself: a first password, a new one, and sessions that are ended."""

from interlock.doors.web.door import Web
from interlock.service.sessions import let_in
from tests.doors.web.browser import Browser
from tests.service.folk import PASSWORD, first
from tests.stage import Stage, staged


async def entered(
    stage: Stage, name: str = "pam", role: str = "owner", web: Web | None = None
) -> Browser:
    row = await stage.engine.store.people.user("home", name) or await first(stage, name, role)
    visit = await let_in(stage.engine, row, "link")
    browser = Browser.on(stage.engine, web=web)
    browser.client.cookies.set("__Host-interlock", visit.secret, "agents.example", "/")
    await browser.get("/account")
    return browser


@staged
async def test_who_came_by_a_link_sets_a_password_and_logs_in_by_it(stage: Stage) -> None:
    browser = await entered(stage)
    assert 'name="old"' not in browser.text
    assert browser.text.count('action="/logout"') == 2  # in the menu, which phones have no room for
    await browser.send(password="short")  # noqa: S106 (too short to be one)
    assert (browser.status, 'id="password-wrong"' in browser.text) == (422, True)
    await browser.send(password=PASSWORD)
    assert 'name="old"' in browser.text
    await browser.send(old="not my password", password="quite another one")  # noqa: S106 (same)
    assert (browser.status, 'id="old-wrong"' in browser.text) == (401, True)
    other = Browser.on(stage.engine)
    await other.get("/login")
    await other.send(email="pam@example.org", password=PASSWORD)

    assert "You are logged in as Pam" in other.text


@staged
async def test_one_ends_one_s_own_sessions_and_nobody_else_s(stage: Stage) -> None:
    browser, other = await entered(stage), await entered(stage)
    strange = await entered(stage, "olga")
    rows = await stage.engine.store.people.sessions("home")
    foreign = next(row.id for row in rows if row.person == "olga")
    await browser.get("/account")
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    await browser.post(f"/account/sessions/{foreign}", {"csrf": csrf})
    for row in rows:
        if f"/account/sessions/{row.id}" in browser.text or row.id == foreign:
            await browser.post(f"/account/sessions/{row.id}", {"csrf": csrf})
    for one in (browser, other, strange):
        await one.get("/")

    assert "You are logged in as Pam" in browser.text
    assert other.visited[-1] == "/login"
    assert "You are logged in as Olga" in strange.text


@staged
async def test_nobody_is_sent_to_log_in(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/account")
    await browser.post("/account/password", {})

    assert browser.visited == ["/login?next=/account"] * 2
