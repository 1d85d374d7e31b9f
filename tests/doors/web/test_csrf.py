"""Forms: only ours are believed, and only what is a form is read."""

import pytest

from interlock.doors.cookies import proof
from interlock.doors.web.csrf import FORM_BYTES_MAX
from tests.doors.web.browser import HTTPS, Browser
from tests.service.folk import PASSWORD, first, person
from tests.stage import Stage, staged

LOGIN = {"email": "pam@example.org", "password": PASSWORD}


@staged
@pytest.mark.parametrize("csrf", [None, "", "x", proof("other"), proof("")])
async def test_a_form_without_the_right_proof_is_refused(stage: Stage, csrf: str | None) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    await browser.post("/login", LOGIN if csrf is None else {**LOGIN, "csrf": csrf})

    assert (browser.status, "not from a page of this server" in browser.text) == (403, True)
    assert browser.cookie("__Host-interlock") == ""


@staged
async def test_the_proof_of_one_browser_is_none_in_another(stage: Stage) -> None:
    await first(stage, "pam", "owner")
    one, two = Browser.on(stage.engine), Browser.on(stage.engine)
    await one.get("/login")
    await two.get("/login")
    csrf = one.text.partition('name="csrf" value="')[2].partition('"')[0]
    await two.post("/login", {**LOGIN, "csrf": csrf})

    assert two.status == 403


@staged
async def test_every_form_that_changes_something_needs_it(stage: Stage) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    await browser.send(**LOGIN)
    kept = browser.cookie("__Host-interlock")
    for path in ("/logout", "/account/password", "/account/sessions/x", "/login", "/login/x"):
        await browser.post(path, {"old": PASSWORD, "password": "quite another one"})
        assert browser.status == 403, path

    await browser.get("/")
    assert (browser.cookie("__Host-interlock"), browser.status) == (kept, 200)


@staged
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://evil.example:443"])
async def test_a_page_of_somebody_else_is_refused_before_its_form_is_read(
    stage: Stage, origin: str
) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    await browser.post("/login", LOGIN, {"origin": origin})

    assert (browser.status, "WRONG_ORIGIN" in browser.text) == (403, True)


@staged
async def test_another_name_for_this_machine_is_refused(stage: Stage) -> None:
    browser = Browser.on(stage.engine, "https://rebound.example")
    await browser.get("/login")

    assert (browser.status, "WRONG_HOST" in browser.text) == (421, True)


@staged
@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 422),
        ("text/plain", b"email=x", 422),
        ("", b"", 422),
        ("application/x-www-form-urlencoded", b"x" * (FORM_BYTES_MAX + 1), 413),
        ("application/x-www-form-urlencoded", b"a=1&a=2", 422),
        ("application/x-www-form-urlencoded", b"a=%00", 422),
        ("application/x-www-form-urlencoded", b"a=%ff", 422),
        ("application/x-www-form-urlencoded", b"\xff", 422),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(200)), 422),
    ],
    ids=range(9),
)
async def test_what_is_no_form_is_refused(
    stage: Stage, kind: str, body: bytes, status: int
) -> None:
    browser = Browser.on(stage.engine)
    headers = {"content-type": kind, "origin": HTTPS}
    answer = await browser.client.post("/login", content=body, headers=headers)

    assert answer.status_code == status
