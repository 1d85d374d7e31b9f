"""Accepting an invitation in a browser: once, for the e-mail that was invited, with what is wrong."""

from interlock.service.people import INVITATION_MS, invite
from tests.doors.web.browser import Browser
from tests.service.folk import PASSWORD, setter
from tests.stage import Stage, staged


@staged
async def test_an_invitation_is_looked_at_as_often_as_one_likes_and_accepted_once(
    stage: Stage,
) -> None:
    secret, _ = await invite(stage.engine, setter(), "nell@example.org", "viewer")
    path = f"/invitation/{secret}"
    browser, other = Browser.on(stage.engine), Browser.on(stage.engine)
    for _ in range(3):
        await other.get(path)
        assert "nell@example.org" in other.text
    await browser.get(path)
    # What somebody adds to the form makes them nobody else.
    await browser.send(name="Nell", password=PASSWORD)
    assert "You are logged in as Nell (viewer)" in browser.text
    await other.send(name="Eve", password=PASSWORD)

    assert (other.status, other.cookie("__Host-interlock")) == (410, "")


@staged
async def test_neither_email_nor_role_can_be_chosen(stage: Stage) -> None:
    secret, _ = await invite(stage.engine, setter(), "nell@example.org", "viewer")
    browser = Browser.on(stage.engine)
    await browser.get(f"/invitation/{secret}")
    csrf = browser.text.partition('name="csrf" value="')[2].partition('"')[0]
    more = {"email": "eve@example.org", "username": "eve@example.org", "role": "owner"}
    form = {"csrf": csrf, "name": "Nell", "password": PASSWORD, **more}
    await browser.post(f"/invitation/{secret}", form)
    (row,) = await stage.engine.store.people.users("home")

    assert (row.email, row.role) == ("nell@example.org", "viewer")


@staged
async def test_what_is_wrong_stands_beside_its_field_and_nothing_is_used_up(stage: Stage) -> None:
    secret, _ = await invite(stage.engine, setter(), "nell@example.org", "member")
    browser = Browser.on(stage.engine)
    await browser.get(f"/invitation/{secret}")
    await browser.send(name="Nell", password="short")  # noqa: S106 (too short to be one)
    assert browser.status == 422
    assert 'id="password-wrong" role="alert">A password has 10 to 200 characters.' in browser.text
    assert 'value="Nell"' in browser.text
    assert "short" not in browser.text
    await browser.send(name=" ", password=PASSWORD)
    assert 'id="name-wrong"' in browser.text
    await browser.send(name="Nell", password=PASSWORD)

    assert "You are logged in as Nell" in browser.text


@staged
async def test_an_expired_or_made_up_one_is_no_good(stage: Stage) -> None:
    secret, _ = await invite(stage.engine, setter(), "nell@example.org", "member")
    await stage.pass_ms(INVITATION_MS)
    for one in (secret, "il_" + "0" * 40, "x"):
        browser = Browser.on(stage.engine)
        await browser.get(f"/invitation/{one}")
        assert (browser.status, "nell" in browser.text) == (410, False)
