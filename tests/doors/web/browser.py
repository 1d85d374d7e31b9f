"""A browser for tests: keeps cookies, reads the forms of a page, sends them as a person would.

It speaks to the pages in this process, behind the same guard as in a server.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import urlsplit

import httpx2
from starlette.applications import Starlette

from interlock.doors.http import Guard
from interlock.doors.web.door import Web
from interlock.service.engine import Engine

HTTPS: Final = "https://agents.example"
HTTP: Final = "http://localhost"
FORM: Final = re.compile(r"<form[^>]*?(?:action=\"([^\"]*)\")?>(.*?)</form>", re.DOTALL)
FIELD: Final = re.compile(r"<input[^>]*? name=\"([^\"]*)\"[^>]*? value=\"([^\"]*)\"")


@dataclass(slots=True)
class Browser:
    """One browser, with its cookies."""

    client: httpx2.AsyncClient
    page: httpx2.Response | None = None
    visited: list[str] = field(default_factory=list)

    @classmethod
    def on(cls, engine: Engine, base: str = HTTPS, web: Web | None = None) -> Self:
        """Open a browser on the pages of an engine."""
        app = Guard(Starlette(routes=(web or Web(engine)).routes()), ["agents.example"])
        return cls(httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=base))

    @property
    def text(self) -> str:
        """What the page says."""
        return "" if self.page is None else self.page.text

    @property
    def status(self) -> int:
        """How the page was answered."""
        return 0 if self.page is None else self.page.status_code

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        """Open a page; where it leads elsewhere within us, go there."""
        self.page = await self.client.get(path, headers=dict(headers or {}))
        return await self._follow()

    async def post(
        self, path: str, fields: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """Send a form as it is given, and go where that leads."""
        origin = {"origin": str(self.client.base_url).rstrip("/")}
        self.page = await self.client.post(
            path, data=dict(fields), headers={**origin, **(headers or {})}
        )
        return await self._follow()

    async def send(self, **fields: str) -> httpx2.Response:
        """Fill in the form of the page that has these fields, and send it."""
        assert self.page is not None
        path = urlsplit(str(self.page.url)).path
        for action, body in FORM.findall(self.page.text):
            if action == "/logout" or any(f'name="{name}"' not in body for name in fields):
                continue
            return await self.post(html.unescape(action) or path, {**hidden(body), **fields})
        message = f"no form has {sorted(fields)}"
        raise AssertionError(message)

    async def log_out(self) -> httpx2.Response:
        """Press the button that logs out."""
        found = [body for action, body in FORM.findall(self.text) if action == "/logout"]
        return await self.post("/logout", hidden(found[0]))

    async def _follow(self) -> httpx2.Response:
        assert self.page is not None
        while self.page.status_code == 303 and self.page.headers["location"].startswith("/"):
            self.visited.append(self.page.headers["location"])
            self.page = await self.client.get(self.page.headers["location"])
        return self.page

    def cookie(self, name: str) -> str:
        """Return what a cookie holds; nothing where there is none."""
        return self.client.cookies.get(name) or ""


def hidden(form: str) -> dict[str, str]:
    """Return the fields that a form has filled in itself."""
    return {name: html.unescape(value) for name, value in FIELD.findall(form)}
