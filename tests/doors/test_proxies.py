"""Behind a proxy: ours are believed, nobody else."""

import asyncio

import pytest
from starlette.types import Message, Scope

from interlock.doors.proxies import Proxies

OURS = "10.0.0.7/32,10.1.0.0/16,::1/128"


def through(client: str | None, **headers: str) -> tuple[str, str, str]:
    """Send a request through; return who called, by which scheme and host."""
    seen: list[Scope] = []

    async def app(scope: Scope, receive: object, send: object) -> None:
        seen.append(scope)

    async def receive() -> Message:
        return {}

    async def send(_: Message) -> None:
        return

    raw = [(b"host", b"inner")]
    raw += [(f"x-forwarded-{name}".encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "scheme": "http", "headers": raw,
        "client": None if client is None else (client, 5),
    }  # fmt: skip
    asyncio.run(Proxies(app, OURS)(scope, receive, send))
    (found,) = seen
    return (found["client"] or ("",))[0], found["scheme"], dict(found["headers"])[b"host"].decode()


TOLD = {"for": "203.0.113.9", "proto": "https", "host": "work.example"}


@pytest.mark.parametrize("client", ["10.0.0.7", "10.1.200.3", "::1", "::ffff:10.0.0.7"])
def test_a_proxy_of_ours_is_believed(client: str) -> None:
    assert through(client, **TOLD) == ("203.0.113.9", "https", "work.example")


@pytest.mark.parametrize("client", ["10.0.0.8", "127.0.0.1", "203.0.113.1", "testclient", None])
def test_nobody_else_is(client: str | None) -> None:
    assert through(client, **TOLD) == (client or "", "http", "inner")


@pytest.mark.parametrize(
    ("listed", "caller"),
    [
        ("1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9, 10.1.0.1", "203.0.113.9"),
        ("10.1.0.2, 10.1.0.1", "10.1.0.2"),
        ("nonsense", "nonsense"),
        ("", "10.0.0.7"),
    ],
)
def test_the_caller_is_the_last_that_is_no_proxy_of_ours(listed: str, caller: str) -> None:
    assert through("10.0.0.7", **{"for": listed})[0] == caller


def test_a_scheme_that_is_none_changes_nothing() -> None:
    assert through("10.0.0.7", proto="gopher")[1] == "http"
