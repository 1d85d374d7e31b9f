"""The tool that reads a page of an allowed host: GET only, text or JSON, within limits.

A name is resolved once for each request, all its addresses are checked, and what was checked is
connected to (``outside.address``). A redirect is a request of its own: its host must be allowed,
too, and its addresses are checked again. Nothing is kept between two requests.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx2

from interlock.outside.address import AddressRefused, Target, check_url, resolve
from interlock.outside.certificates import certificates
from interlock.toolbox.around import Around
from interlock.toolbox.tool import (
    CONFIGURATION,
    RESOURCE_UNAVAILABLE,
    TRANSIENT,
    USER_CORRECTABLE,
    VALIDATION,
    ToolFailure,
    tool,
)

HTTP: Final = "http"
BYTES_MAX: Final = 2 * 1024 * 1024
TIMEOUT_S: Final = 30.0
REDIRECTS_MAX: Final = 5
OK: Final = range(200, 300)
MOVED: Final = (301, 302, 303, 307, 308)
TRY_AGAIN: Final = (408, 425, 429)
BROKEN: Final = 500
TEXTS: Final = ("json", "xml", "javascript", "yaml", "csv", "x-www-form-urlencoded")
HEADERS: Final = {"User-Agent": "interlock", "Accept": "*/*", "Accept-Encoding": "identity"}

Find = Callable[[str], Awaitable[Target]]
"""Finds where to connect to for an address, or refuses it."""


class Page(NamedTuple):
    """What one request has brought: a page, or where it has gone to."""

    status: int
    kind: str
    content: bytes
    moved_to: str = ""


@tool(
    name="http_fetch",
    doc=(
        "Read a page over https with GET. Only hosts that the operator allows; never an address"
        " of this machine or its network. Text is returned as text, JSON as a value."
    ),
    parameters={
        "type": "object",
        "properties": {"url": {"type": "string", "description": "As in https://example.org/a."}},
        "required": ["url"],
        "additionalProperties": False,
    },
    result={
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "Where it was found in the end."},
            "status": {"type": "integer"},
            "content_type": {"type": "string"},
            "body": {"description": "JSON as a value, anything else as text."},
        },
        "required": ["url", "status", "content_type", "body"],
    },
    resources=(HTTP,),
)
async def http_fetch(arguments: Mapping[str, object], around: Around) -> object:
    """Return the page."""
    return await fetch(str(arguments["url"]), around.fetch_hosts, public)


async def public(url: str) -> Target:
    """Find an address that everybody can reach; nothing in the settings changes that."""
    return await resolve(url, is_private_allowed=False)


async def fetch(url: str, hosts: tuple[str, ...], find: Find) -> dict[str, object]:
    """Return a page, wherever it has moved to; every place on the way is asked for anew."""
    if not hosts:
        detail = "The operator names the hosts in INTERLOCK_FETCH_HOSTS."
        raise ToolFailure(RESOURCE_UNAVAILABLE, "No host may be fetched from.", detail=detail)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            for _ in range(REDIRECTS_MAX + 1):
                page = await _ask(url, hosts, find)
                if not page.moved_to:
                    return {"url": url, **_read(page)}
                url = _joined(url, page.moved_to)
    except (TimeoutError, OSError, httpx2.HTTPError, httpx2.InvalidURL) as exc:
        is_down = isinstance(exc, httpx2.ConnectError)
        message = f"{_host(url)} did not answer ({type(exc).__name__})."
        raise ToolFailure(TRANSIENT, message, resource_down=is_down) from exc
    raise ToolFailure(USER_CORRECTABLE, f"The page moves more than {REDIRECTS_MAX} times.")


async def _ask(url: str, hosts: tuple[str, ...], find: Find) -> Page:
    try:
        check_url(url)
        _allow(url, hosts)
        target = await find(url)
    except AddressRefused as refused:
        raise _refused(refused, url) from refused
    headers = {**HEADERS, "Host": target.header}
    extensions = {"sni_hostname": target.host}
    async with (
        httpx2.AsyncClient(
            timeout=TIMEOUT_S,
            follow_redirects=False,
            trust_env=False,
            verify=certificates(trust_env=False),
        ) as client,
        client.stream("GET", target.url, headers=headers, extensions=extensions) as answer,
    ):
        kind = answer.headers.get("content-type", "")
        if answer.status_code in MOVED and "location" in answer.headers:
            return Page(answer.status_code, kind, b"", answer.headers["location"])
        if answer.headers.get("content-encoding", "identity") != "identity":
            # It was not asked for, and a little of it can unfold to very much.
            raise ToolFailure(USER_CORRECTABLE, "The page comes compressed, which was not asked.")
        content = bytearray()
        async for piece in answer.aiter_raw():
            content += piece
            if len(content) > BYTES_MAX:
                raise ToolFailure(USER_CORRECTABLE, f"The page has more than {BYTES_MAX:,} bytes.")
        return Page(answer.status_code, kind, bytes(content))


def _joined(url: str, to: str) -> str:
    try:
        return urljoin(url, to)
    except ValueError as exc:
        raise ToolFailure(USER_CORRECTABLE, "The page moves to what is no address.") from exc


def _allow(url: str, hosts: tuple[str, ...]) -> None:
    """Raise unless the host is in the list; one that begins with a dot stands for all below it."""
    host = _host(url)
    for allowed in hosts:
        name = allowed.lower().rstrip(".")
        if host == name or (name.startswith(".") and host.endswith(name)):
            return
    detail = "The operator names the hosts in INTERLOCK_FETCH_HOSTS."
    raise ToolFailure(CONFIGURATION, f"{host} is not among the allowed hosts.", detail=detail)


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").rstrip(".")


def _refused(refused: AddressRefused, url: str) -> ToolFailure:
    cause = refused.__cause__
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
        return ToolFailure(TRANSIENT, f"The name of {_host(url)} cannot be looked up just now.")
    return ToolFailure(USER_CORRECTABLE, refused.message, detail=f"It was {url[:200]}")


def _read(page: Page) -> dict[str, object]:
    if page.status not in OK:
        is_passing = page.status in TRY_AGAIN or page.status >= BROKEN
        failure = TRANSIENT if is_passing else USER_CORRECTABLE
        raise ToolFailure(failure, f"The answer was {page.status}.")
    kind, _, options = page.kind.partition(";")
    kind = kind.strip().lower()
    word = kind.rpartition("/")[2].rpartition("+")[2]
    if not kind.startswith("text/") and word not in TEXTS:
        raise ToolFailure(USER_CORRECTABLE, f"The page is {kind or 'of no kind'}, and no text.")
    body: object = _text(page.content, options)
    if word == "json":
        try:
            body = json.loads(str(body))
        except (ValueError, RecursionError) as exc:
            raise ToolFailure(VALIDATION, "The page says that it is JSON, and is none.") from exc
    return {"status": page.status, "content_type": kind, "body": body}


def _text(content: bytes, options: str) -> str:
    charset = "utf-8"
    for option in options.split(";"):
        name, _, value = option.strip().partition("=")
        charset = value.strip("\"' ") if name.lower() == "charset" else charset
    try:
        return content.decode(charset, "replace")
    except (LookupError, ValueError):
        return content.decode("utf-8", "replace")
