"""The door for people: its paths, and refusals as pages."""

from interlock.doors.web.door import Web
from tests.doors.web.browser import Browser
from tests.stage import Stage, staged


@staged
async def test_every_path_takes_one_way_of_asking(stage: Stage) -> None:
    paths = [
        (route.path, method)
        for route in Web(stage.engine).routes()
        for method in route.methods or ()
        if method != "HEAD"
    ]

    assert len(set(paths)) == len(paths)
    assert ("/logout", "POST") in paths
    assert ("/logout", "GET") not in paths


@staged
async def test_what_is_refused_is_told_as_a_page(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/invitation/x")

    assert browser.status == 410
    assert "<h1>That did not work</h1>" in browser.text
    assert "Ask who invited you for a new one." in browser.text


@staged
async def test_without_a_provider_there_is_no_way_to_one(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login/provider")
    assert (browser.status, "No identity provider" in browser.text) == (404, True)
    await browser.get("/login")

    assert "identity provider" not in browser.text
