"""One request and its answer, repeated where that is safe. Commands are not known here."""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import httpx2

from interlock.client.errors import Refused, Unreachable
from interlock.clock import Clock
from interlock.outside.certificates import certificates
from interlock.wire.envelope import Problem

PREFIX: Final = "/v1"
TIMEOUT: Final = httpx2.Timeout(30.0, connect=5.0)
BACKOFF_S: Final = 0.2
BACKOFF_MAX_S: Final = 10.0
BUSY: Final = frozenset({429, 502, 503, 504})
"""What a server or a proxy says when the same request may succeed later."""

EVERY: Final = frozenset({
    "code", "detail", "fix", "instance", "legal_moves", "message", "retryable", "status", "title",
    "type",
})  # fmt: skip
"""What every error says; the rest belongs to its code."""

Pairs = tuple[tuple[str, str], ...]


class Sent(NamedTuple):
    """A request, ready to be sent once more."""

    method: str
    path: str
    query: Pairs = ()
    body: bytes | None = None
    headers: Mapping[str, str] = {}
    # Whether it may be sent again when nobody knows whether it has arrived.
    is_safe: bool = True


class Wire:
    """A connection to a server, as whoever holds the token."""

    def __init__(self, server: str, token: str, attempts: int, clock: Clock) -> None:
        """Speak to a server; ``attempts`` is how often a request is sent at most."""
        self.server = server.rstrip("/")
        self.http = httpx2.AsyncClient(
            base_url=self.server + PREFIX,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=TIMEOUT,
            verify=certificates(),
        )
        self._attempts = attempts
        self._clock = clock

    async def send(self, sent: Sent) -> httpx2.Response:
        """Send a request until it is answered; raises ``Refused`` or ``Unreachable``."""
        for attempt in range(1, self._attempts + 1):
            is_last = attempt == self._attempts
            try:
                response = await self.http.request(
                    sent.method, sent.path, params=sent.query, content=sent.body,
                    headers=dict(sent.headers),
                )  # fmt: skip
            except httpx2.TransportError as exc:
                has_left = not isinstance(exc, httpx2.ConnectError | httpx2.ConnectTimeout)
                if is_last or (has_left and not sent.is_safe):
                    raise self._unreachable(exc) from exc
            else:
                if response.is_success:
                    return response
                if is_last or response.status_code not in BUSY:
                    raise refused(response)
                await asyncio.sleep(self._said(response, attempt))
                continue
            await asyncio.sleep(self._pause(attempt))
        raise AssertionError("unreachable")  # pragma: no cover

    def _said(self, response: httpx2.Response, attempt: int) -> float:
        """Return how long a server wants us to wait, within reason."""
        given = response.headers.get("retry-after", "")
        return min(float(given), BACKOFF_MAX_S) if given.isdigit() else self._pause(attempt)

    def _pause(self, attempt: int) -> float:
        # Those who lost the same server must not all come back at the same moment.
        return self._clock.jitter(min(BACKOFF_S * 2**attempt, BACKOFF_MAX_S))

    def _unreachable(self, exc: Exception) -> Unreachable:
        message = f"{self.server} does not answer: {str(exc) or type(exc).__name__}."
        return Unreachable(message, fix="See whether the server runs, and the address fits.")


def refused(response: httpx2.Response) -> Refused | Unreachable:
    """Return what a server has said as an error; what is none of our words came from elsewhere."""
    told = _document(response)
    if "code" not in told:
        message = f"The server answered {response.status_code}, and not as Interlock does."
        return Unreachable(message, fix="See whether the address is that of an Interlock server.")
    known = Problem(
        code=str(told["code"]), message=str(told.get("message", told.get("detail", ""))),
        fix=str(told.get("fix", "")), retryable=bool(told.get("retryable")),
        legal_moves=tuple(map(str, told.get("legal_moves", ()))),
    )  # fmt: skip
    details = {name: value for name, value in told.items() if name not in EVERY}
    return Refused(known, response.status_code, tuple(_fields(told.get("errors", ()))), details)


def _fields(errors: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, str]]:
    for one in errors:
        expected = f"expected {one.get('expected')}, found {one.get('found')}"
        yield str(one.get("field", one.get("path", ""))), str(one.get("message", expected))


def _document(response: httpx2.Response) -> dict[str, Any]:
    try:
        found = json.loads(response.content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
