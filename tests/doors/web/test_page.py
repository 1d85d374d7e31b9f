"""Pages: escaped, in one layout, with what is wrong beside the field."""

from typing import cast

from interlock.doors.web.page import Told, page
from interlock.service.errors import InvalidInput
from tests.doors.test_cookies import asking
from tests.doors.web.browser import Browser
from tests.stage import Stage, staged


@staged
async def test_whatever_is_shown_is_escaped(stage: Stage) -> None:
    told = Told("<script>alert(1)</script>", '"><b>')
    request = asking("https", "agents.example")
    text = bytes(page(stage.engine, request, "problem.html", told=told).body).decode()

    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<b>" not in text


@staged
async def test_what_no_eye_can_see_is_shown_by_its_number_whatever_holds_it(stage: Stage) -> None:
    request = asking("https", "agents.example")
    for message in ("a\u202eb", ["a\u3164b"], {"a\u115fb": 1}):
        told = Told(cast("str", message))
        text = bytes(page(stage.engine, request, "problem.html", told=told).body).decode()

        assert "⟨U+" in text
        assert not {"\u202e", "\u3164", "\u115f"} & set(text)


@staged
async def test_a_mistake_stands_beside_its_field_and_is_announced(stage: Stage) -> None:
    told = Told.of(InvalidInput("Too short.", fix="Make it longer."), "password")
    request = asking("https", "agents.example")
    answer = page(
        stage.engine, request, "login.html", told=told, email="<x>", wanted="/", provider=False,
        status=422,
    )  # fmt: skip
    text = bytes(answer.body).decode()

    assert answer.status_code == 422
    assert 'aria-invalid="true"' in text
    assert 'aria-describedby="password-wrong"' in text
    assert 'id="password-wrong" role="alert">Too short. Make it longer.' in text
    assert 'value="&lt;x&gt;"' in text


@staged
async def test_fields_have_labels_and_say_what_they_are_for(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login")

    for name, purpose in (("email", "username"), ("password", "current-password")):
        assert f'<label for="{name}">' in browser.text
        assert f'autocomplete="{purpose}"' in browser.text
    assert browser.text.count("autofocus") == 1
    assert '<html lang="en">' in browser.text
    assert 'name="viewport"' in browser.text


@staged
async def test_the_style_is_served_by_us_and_kept(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login")
    path = browser.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    answer = await browser.client.get(path)

    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert "prefers-color-scheme: dark" in answer.text
