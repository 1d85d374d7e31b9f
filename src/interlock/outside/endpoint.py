"""Ask an HTTP endpoint of a model for something, within limits, and say in our words what failed.

The key goes into a header and nowhere else: no message of ours holds it, nor anything that the
endpoint has said.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx2

from interlock.errors import InterlockError
from interlock.outside.certificates import certificates

TIMEOUT_S: Final = 60.0
ANSWER_BYTES_MAX: Final = 8 * 1024 * 1024
TOO_MANY: Final = 429
BROKEN: Final = 500
OK: Final = 200
LOCKED: Final = (401, 403)

Body = Mapping[str, object]


class ModelUnavailable(InterlockError):
    """The model's endpoint does not answer, is overloaded, or broken."""

    code = "MODEL_UNAVAILABLE"
    http = 503
    retryable = True
    is_down = False
    """Whether nobody listens there at all."""


class ModelRefused(InterlockError):
    """The model's endpoint does not take our request, or answers in a form we do not know."""

    code = "MODEL_REFUSED"
    http = 502
    is_locked = False
    """Whether it is our key that is not taken."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked, and with which headers."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    timeout_s: float = TIMEOUT_S

    async def post(self, body: Body) -> object:
        """Send a body and return the answer as values; raises where there is none."""
        try:
            async with asyncio.timeout(self.timeout_s):
                status, content = await self._post(body)
        except (TimeoutError, httpx2.HTTPError) as exc:
            message = f"The model's endpoint did not answer ({type(exc).__name__})."
            fix = "Try again in a moment; check that the endpoint runs and its address is right."
            unavailable = ModelUnavailable(message, fix=fix)
            unavailable.is_down = isinstance(exc, httpx2.ConnectError)
            raise unavailable from exc
        if status == TOO_MANY or status >= BROKEN:
            message = f"The model's endpoint is overloaded or broken: it says {status}."
            raise ModelUnavailable(message, fix="Try again in a moment.")
        if status != OK:
            message = f"The model's endpoint refuses our request: it says {status}."
            refused = ModelRefused(message, fix="Check its address, its key and the model's name.")
            refused.is_locked = status in LOCKED
            raise refused
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as exc:
            raise not_understood() from exc

    async def _post(self, body: Body) -> tuple[int, bytes]:
        # A redirect is not followed: it would carry the key elsewhere.
        async with (
            httpx2.AsyncClient(
                timeout=self.timeout_s, follow_redirects=False, verify=certificates()
            ) as client,
            client.stream("POST", self.url, json=body, headers=dict(self.headers)) as answer,
        ):
            content = bytearray()
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > ANSWER_BYTES_MAX:
                    raise not_understood()
            return answer.status_code, bytes(content)


def not_understood() -> ModelRefused:
    """Return what it means that an answer has not the form it should have."""
    message = "The model's endpoint answers in a form we do not know."
    return ModelRefused(message, fix="Check which kind of endpoint the settings name.")


def at(value: object, *path: str | int) -> object:
    """Return what stands at a place of an answer; None where nothing does."""
    for one in path:
        if isinstance(one, int):
            if not isinstance(value, list) or len(value) <= one:
                return None
            value = value[one]
        elif isinstance(value, dict):
            value = value.get(one)
        else:
            return None
    return value


def count_at(value: object, *path: str | int) -> int:
    """Return a count of an answer; 0 where it has none."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0
