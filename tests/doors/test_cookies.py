"""Cookies: their names on each way in, and the proof that a form is ours."""

from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import Response

from interlock.doors.cookies import (
    SESSION,
    drop_cookie,
    is_https,
    is_proof,
    named,
    proof,
    read_cookie,
    set_cookie,
)
from interlock.service.engine import Engine
from tests.stage import Stage, staged


def asking(scheme: str, host: str, cookie: str = "") -> Request:
    headers = [(b"host", host.encode()), (b"cookie", cookie.encode())]
    return Request(
        {
            "type": "http", "scheme": scheme, "headers": headers, "path": "/", "server": (host, 80),
            "query_string": b"", "method": "GET",
        }
    )  # fmt: skip


def names(engine: Engine) -> list[str]:
    ways = [("https", "agents.example"), ("http", "localhost:7400"), ("http", "agents.example")]
    return [named(engine, asking(*way), SESSION) for way in ways]


@staged
async def test_over_https_a_cookie_is_bound_to_its_host(stage: Stage) -> None:
    assert names(stage.engine) == ["__Host-interlock", "interlock", "interlock"]
    behind = replace(stage.engine, site="https://agents.example")

    # A proxy speaks https for us.
    assert names(behind) == ["__Host-interlock", "interlock", "__Host-interlock"]
    assert not is_https(behind, asking("http", "evil.example"))


@staged
async def test_a_plain_cookie_says_nothing_over_https(stage: Stage) -> None:
    plain = asking("https", "agents.example", "interlock=x")

    assert read_cookie(stage.engine, plain, SESSION) == ""
    bound = asking("https", "agents.example", "__Host-interlock=x")
    assert read_cookie(stage.engine, bound, SESSION) == "x"


@staged
async def test_a_cookie_is_set_so_that_only_our_pages_send_it(stage: Stage) -> None:
    response = Response()
    set_cookie(stage.engine, asking("https", "agents.example"), response, SESSION, "v", lasts_s=60)
    drop_cookie(stage.engine, asking("http", "localhost"), response, SESSION)
    kept, gone = response.headers.getlist("set-cookie")

    assert kept == "__Host-interlock=v; HttpOnly; Max-Age=60; Path=/; SameSite=lax; Secure"
    assert gone == 'interlock=""; HttpOnly; Max-Age=0; Path=/; SameSite=lax'


@pytest.mark.parametrize("given", ["", "x", proof("other"), "é", proof("secret")[:-1]])
def test_only_the_proof_made_from_the_secret_is_one(given: str) -> None:
    assert is_proof("secret", proof("secret"))
    assert not is_proof("secret", given)
    assert not is_proof("", proof(""))
    assert "secret" not in proof("secret")
