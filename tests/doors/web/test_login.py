"""Logging in and out: by password, by link; once, slowed down, and with a secret of its own."""

import pytest

from interlock.service.people import disable
from interlock.service.roles import as_person
from interlock.service.sessions import LINK_MS, make_login
from tests.doors.web.browser import HTTP, Browser
from tests.service.folk import PASSWORD, person
from tests.stage import Stage, staged

COOKIE = "__Host-interlock"
ELSEWHERE = ("//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "x")


@staged
async def test_a_person_logs_in_and_out(stage: Stage) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)

    await browser.get("/")
    assert (browser.visited, browser.status) == (["/login"], 200)
    await browser.send(email="PAM@example.org ", password=PASSWORD)
    assert "You are logged in as Pam" in browser.text
    kept = browser.cookie(COOKIE)
    await browser.log_out()
    assert browser.visited[-1] == "/login"
    assert browser.cookie(COOKIE) == ""
    browser.client.cookies.set(COOKIE, kept, "agents.example")
    await browser.get("/")
    assert browser.visited[-1] == "/login"


@staged
async def test_the_cookie_is_bound_to_its_host_and_out_of_reach_of_scripts(stage: Stage) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    fields = {"email": "pam@example.org", "password": PASSWORD, "csrf": _csrf(browser)}
    answer = await browser.client.post("/login", data=fields)

    (told,) = [one for one in answer.headers.get_list("set-cookie") if one.startswith(COOKIE + "=")]
    assert {part.strip().lower() for part in told.split(";")[1:]} == {
        "httponly", "max-age=7776000", "path=/", "samesite=lax", "secure",
    }  # fmt: skip


@staged
async def test_on_this_machine_plain_http_will_do_and_nowhere_else(stage: Stage) -> None:
    await person(stage)
    here = Browser.on(stage.engine, HTTP)
    await here.get("/login")
    await here.send(email="pam@example.org", password=PASSWORD)
    assert "You are logged in as Pam" in here.text
    assert here.cookie("interlock")
    there = Browser.on(stage.engine, "http://agents.example")
    await there.get("/login")

    assert (there.status, "plain http" in there.text) == (403, True)


@staged
async def test_no_cookie_that_was_planted_before_becomes_a_session(stage: Stage) -> None:
    await person(stage)
    planted = "f" * 40
    browser, other = Browser.on(stage.engine), Browser.on(stage.engine)
    for one in (browser, other):
        one.client.cookies.set(COOKIE, planted, "agents.example", "/")
    await browser.get("/login")
    await browser.send(email="pam@example.org", password=PASSWORD)
    await other.get("/")

    assert "You are logged in as Pam" in browser.text
    assert browser.cookie(COOKIE) not in ("", planted)
    assert other.visited == ["/login"]


def _csrf(browser: Browser) -> str:
    return browser.text.partition('name="csrf" value="')[2].partition('"')[0]


@staged
async def test_who_is_unknown_and_who_is_wrong_get_the_same_page(stage: Stage) -> None:
    await person(stage)
    said = set()
    for email, password in (
        ("pam@example.org", "not her password"), ("nobody@example.org", PASSWORD),
        ("", ""), ("pam@example.org", "x" * 500), ("\ud7ff", PASSWORD),
    ):  # fmt: skip
        browser = Browser.on(stage.engine)
        await browser.get("/login")
        csrf = _csrf(browser)
        await browser.post("/login", {"email": email, "password": password, "csrf": csrf})
        said.add((browser.status, browser.text.replace(csrf, "").replace(f'value="{email}"', "")))

    ((status, text),) = {(one, two.replace('value=""', "")) for one, two in said}
    assert status == 401
    assert 'id="password-wrong" role="alert">E-mail or password is wrong.' in text


@staged
@pytest.mark.parametrize("email", ["pam@example.org", "nobody@example.org"])
async def test_passwords_cannot_be_tried_for_ever(stage: Stage, email: str) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)
    codes = []
    for _ in range(12):
        await browser.get("/login")
        await browser.send(email=email, password="x" * 300)
        codes.append(browser.status)
    assert codes == [401] * 10 + [429] * 2
    await browser.get("/login")
    await browser.send(email=email, password=PASSWORD)

    assert browser.status == 429


@staged
async def test_a_link_is_used_by_its_button_once_and_by_nothing_else(stage: Stage) -> None:
    row = await person(stage)
    secret, _ = await make_login(stage.engine, as_person(row))
    path = f"/login/{secret}"
    for _ in range(3):  # a program that only looks
        assert (await Browser.on(stage.engine).get(path)).status_code == 200
    browser, other = Browser.on(stage.engine), Browser.on(stage.engine)
    await browser.get(path)
    await other.get(path)

    await browser.send()
    assert "You are logged in as Pam" in browser.text
    await other.send()
    assert (other.status, other.cookie(COOKIE)) == (410, "")


@staged
async def test_a_link_is_no_good_after_a_while_nor_for_whom_is_shut_out(stage: Stage) -> None:
    row, other = await person(stage), await person(stage, "olga")
    late, _ = await make_login(stage.engine, as_person(row))
    await stage.pass_ms(LINK_MS)
    gone, _ = await make_login(stage.engine, as_person(other))
    await disable(stage.engine, as_person(row), other.id)

    for secret in (late, gone, "il_" + "0" * 40, "x"):
        browser = Browser.on(stage.engine)
        await browser.get(f"/login/{secret}")
        await browser.send()
        assert (browser.status, browser.cookie(COOKIE)) == (410, "")


@staged
async def test_who_is_shut_out_is_out_at_once(stage: Stage) -> None:
    row, other = await person(stage), await person(stage, "olga")
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    await browser.send(email="olga@example.org", password=PASSWORD)
    assert "You are logged in as Olga" in browser.text
    await disable(stage.engine, as_person(row), other.id)
    await browser.get("/")

    assert browser.visited[-1] == "/login"


@staged
async def test_by_password_one_comes_to_the_page_one_wanted(stage: Stage) -> None:
    await person(stage)
    browser = Browser.on(stage.engine)
    await browser.get("/account?a=1%262&b=%22")
    await browser.send(email="pam@example.org", password="not her password")  # noqa: S106 (wrong on purpose)
    assert browser.status == 401
    await browser.send(email="pam@example.org", password=PASSWORD)

    assert browser.visited[-1] == "/account?a=1%262&b=%22"
    # Who is in already is sent on at once.
    await browser.get("/login?next=/account")
    assert browser.visited[-1] == "/account"
    await browser.get("/login")
    assert browser.visited[-1] == "/"


@staged
async def test_by_a_link_one_comes_to_the_page_one_wanted_a_moment_ago(stage: Stage) -> None:
    row = await person(stage)
    browser = Browser.on(stage.engine)
    for wanted, path in (("/account", "/account"), ("/", "/"), (None, "/")):
        browser.client.cookies.delete(COOKIE)
        if wanted:
            await browser.get("/account")
            await browser.get(wanted)
        secret, _ = await make_login(stage.engine, as_person(row))
        await browser.get(f"/login/{secret}")
        await browser.send()
        assert browser.visited[-1] == path


@staged
@pytest.mark.parametrize("where", ELSEWHERE)
async def test_nobody_is_led_elsewhere(stage: Stage, where: str) -> None:
    row = await person(stage)
    browser = Browser.on(stage.engine)
    await browser.client.get("/login", params={"next": where})
    assert browser.cookie("__Host-interlock-wanted") == ""
    await browser.get("/login")
    fields = {"email": "pam@example.org", "password": PASSWORD, "csrf": _csrf(browser)}
    sent = await browser.client.post("/login", data={**fields, "next": where})
    on = await browser.client.get("/login", params={"next": where})
    browser.client.cookies.clear()
    browser.client.cookies.set("__Host-interlock-wanted", where, "agents.example", "/")
    secret, _ = await make_login(stage.engine, as_person(row))
    await browser.get(f"/login/{secret}")
    linked = await browser.client.post(f"/login/{secret}", data={"csrf": _csrf(browser)})

    assert [one.status_code for one in (sent, on, linked)] == [303] * 3
    assert [one.headers["location"] for one in (sent, on, linked)] == ["/"] * 3
