"""The door for people: its paths, and refusals as pages."""

import logging

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.doors.http import Guard
from interlock.doors.web.door import Web
from tests.doors.web.browser import HTTPS, Browser
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
async def test_what_nobody_foresaw_is_a_page_with_a_reference_and_no_story(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_down(_: Request) -> Response:
        raise ZeroDivisionError("a secret of the server")

    secret = "il_" + "c" * 40
    web = Web(stage.engine)
    route = web.told(Route("/login/{secret}", break_down, methods=["GET"]))
    app = Guard(Starlette(routes=[route]), ["agents.example"])
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=HTTPS)
    answer = await client.get(f"/login/{secret}")

    assert answer.status_code == 500
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert record.getMessage().rpartition(" ")[2] in answer.text
    assert "a secret" not in answer.text
    assert secret not in record.getMessage()


@staged
async def test_without_a_provider_there_is_no_way_to_one(stage: Stage) -> None:
    browser = Browser.on(stage.engine)
    await browser.get("/login/provider")
    assert (browser.status, "No identity provider" in browser.text) == (404, True)
    await browser.get("/login")

    assert "identity provider" not in browser.text
