"""The page about people: invited by a link shown once, given roles, shut out and let in again."""

import re

from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.service.folk import PASSWORD, first
from tests.stage import Stage, staged


def csrf(browser: Browser) -> str:
    """Return the proof that the forms of the page carry."""
    return browser.text.partition('name="csrf" value="')[2].partition('"')[0]


async def press(browser: Browser, path: str, **fields: str) -> None:
    """Send a form of the page, as its button does."""
    assert f'action="{path}"' in browser.text, path
    await browser.post(path, {"csrf": csrf(browser), **fields})


@staged
async def test_somebody_is_invited_by_a_link_that_is_shown_once(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/people")
    assert "Nobody is waited for." in browser.text
    await browser.send(email="nobody", role="member")
    assert (browser.status, 'id="email-wrong"' in browser.text) == (422, True)
    assert 'value="nobody"' in browser.text
    await browser.send(email="nina@example.org", role="viewer")
    found = re.search(r'id="link"[^>]*>([^<]*)<', browser.text)
    assert found is not None
    assert browser.page is not None
    assert browser.page.headers["cache-control"] == "no-store"
    assert found[1].rpartition("/")[2] not in str(browser.page.url)
    await browser.get("/people")
    assert found[1] not in browser.text
    assert "nina@example.org" in browser.text
    guest = Browser.on(stage.engine)
    await guest.get(found[1])
    await guest.send(name="Nina", password=PASSWORD)
    await browser.get("/people")

    assert "Nina" in browser.text
    assert "2 people are here" in browser.text


@staged
async def test_roles_are_changed_and_people_shut_out_and_let_in(stage: Stage) -> None:
    row = await first(stage, "max", "member")
    browser, other = await entered(stage), await entered(stage, "max")
    await browser.get("/people")
    await press(browser, f"/people/{row.id}/role", role="viewer")
    assert (await stage.engine.store.people.user("home", "max") or row).role == "viewer"
    assert browser.visited[-1] == "/people"
    await press(browser, f"/people/{row.id}/sessions")
    await other.get("/")
    assert other.visited[-1] == "/login"
    await press(browser, f"/people/{row.id}/disable")
    assert "shut out" in browser.text
    await press(browser, f"/people/{row.id}/enable")
    await press(browser, "/people/pam/disable")

    assert browser.status == 409
    assert 'id="wrong-pam"' in browser.text
    assert "only owner" in browser.text
    await browser.get("/people")
    assert "You are logged in as Pam" in browser.text


@staged
async def test_an_invitation_is_withdrawn_and_what_is_gone_is_told(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/people")
    await browser.send(email="nina@example.org", role="member")
    path = re.findall(r'action="(/people/invitations/[^"]*)"', browser.text)[0]
    await press(browser, path)
    assert "Nobody is waited for." in browser.text
    await browser.post(path, {"csrf": csrf(browser)})

    assert browser.status == 404
    assert 'role="alert"' in browser.text


@staged
async def test_an_admin_does_not_change_owners_and_others_see_nothing(stage: Stage) -> None:
    owner = await first(stage, "olga", "owner")
    await first(stage, "ann", "admin")
    await first(stage, "vic", "member")
    admin, member = await entered(stage, "ann"), await entered(stage, "vic")
    await admin.get("/people")
    assert f'action="/people/{owner.id}/role"' not in admin.text
    assert "<option>owner</option>" not in admin.text
    await admin.post(f"/people/{owner.id}/disable", {"csrf": csrf(admin)})
    assert (admin.status, f'id="wrong-{owner.id}"' in admin.text) == (403, True)
    await admin.post(f"/people/{owner.id}/sessions", {"csrf": csrf(admin)})
    assert admin.status == 200  # nobody of them is logged in
    await member.get("/people")
    assert (member.status, "olga@example.org" in member.text) == (403, False)
    await member.post("/people/invite", {"csrf": csrf(member), "email": "x@y.z", "role": "member"})
    assert member.status == 403
    assert await stage.engine.store.people.invitations("home") == ()


@staged
async def test_a_form_that_is_not_ours_changes_nothing(stage: Stage) -> None:
    await first(stage, "max", "member")
    browser = await entered(stage)
    for path in ("max/role", "max/disable", "max/enable", "max/sessions", "invite"):
        await browser.post(f"/people/{path}", {"role": "viewer", "email": "x@y.z"})
        assert browser.status == 403
    row = await stage.engine.store.people.user("home", "max")

    assert row is not None
    assert (row.role, row.disabled_at) == ("member", None)
