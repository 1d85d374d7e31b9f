"""The client: a server's commands as methods, its events, and content that was stored."""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from pydantic import BaseModel, ValidationError

from interlock.client.errors import Refused, Unreachable
from interlock.client.events import Event, follow
from interlock.client.http import Sent, Wire
from interlock.client.methods import Methods
from interlock.client.places import PLACES
from interlock.clock import Clock, SystemClock
from interlock.wire.envelope import Envelope, Problem

ATTEMPTS: Final = 5
IN_PATH: Final = re.compile(r"\{(\w+)\}")
FILTERS: Final = ("unit", "workflow", "type")


class Client(Methods):
    """A server, as whoever holds the token. Use it as a context; it holds connections open."""

    def __init__(
        self,
        server: str,
        token: str = "",
        *,
        session: str = "",
        attempts: int = ATTEMPTS,
        clock: Clock | None = None,
    ) -> None:
        """Speak to the server at an address.

        ``session`` names the conversation that calls; ``attempts`` is how often a request is sent
        at most when the network fails or the server is busy.
        """
        self._clock = clock or SystemClock()
        self._wire = Wire(server, token, attempts, self._clock)
        self._session = session
        self._attempts = attempts

    async def __aenter__(self) -> Self:
        """Nothing is sent before the first call."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the connections."""
        await self._wire.http.aclose()

    async def call(self, command: str, arguments: Mapping[str, object]) -> Envelope:
        """Call a command by its name; raises ``Refused`` or ``Unreachable``.

        What is None was not given. A call that changes something gets a request id of its own
        unless it has one, so that sending it again has no second effect.
        """
        response = await self._wire.send(self._sent(command, _plain(arguments)))
        try:
            told = json.loads(response.content)
            known = {name: told[name] for name in Envelope.model_fields if name in told}
            return Envelope.model_validate(known)
        except (ValueError, TypeError, ValidationError) as exc:
            message = f"{self._wire.server} gave an answer that is none of Interlock's."
            fix = "See whether the address is that of an Interlock server."
            raise Unreachable(message, fix=fix) from exc

    def _sent(self, command: str, arguments: dict[str, object]) -> Sent:
        place = PLACES.get(command)
        if place is None:
            raise Refused(_unknown(command), 400)
        if place.has_session and self._session:
            arguments.setdefault("session_id", self._session)
        if place.is_keyed and not place.is_repeatable:
            arguments.setdefault("request_id", self._clock.new_id("request"))
        path = place.path
        for name in IN_PATH.findall(path):
            said = str(arguments.pop(name, ""))
            if not said:
                raise Refused(_nameless(command, name), 400, ((name, "must be given"),))
            path = path.replace(f"{{{name}}}", quote(said, safe=""))
        if place.method == "GET":
            return Sent(place.method, path, tuple(_flat(arguments)))
        body = json.dumps(arguments, ensure_ascii=False).encode(errors="surrogatepass")
        headers = {"Content-Type": "application/json"}
        return Sent(
            place.method, path, (), body, headers, is_safe=place.is_keyed or place.is_repeatable
        )

    async def content(self, unit_id: str, digest: str) -> bytes:
        """Read the bytes of an artifact by their SHA-256."""
        names = (quote(name, safe="") for name in (unit_id, digest))
        path = "/units/{}/artifacts/{}/content".format(*names)
        return (await self._wire.send(Sent("GET", path))).content

    def events(
        self,
        *,
        after: str = "",
        from_start: bool = False,
        unit: Sequence[str] = (),
        workflow: Sequence[str] = (),
        type: Sequence[str] = (),
    ) -> AsyncGenerator[Event, None]:
        """Follow what happens, from now on, from the start or from after an event's id.

        What is given narrows it down. It goes on until it is left; a stream that breaks is opened
        again where it broke, and nothing is missed or told twice.
        """
        given = zip(FILTERS, (unit, workflow, type), strict=True)
        query = [(name, value) for name, values in given for value in values]
        if from_start:
            query.append(("from", "start"))
        return follow(self._wire, tuple(query), after, self._attempts)


def _unknown(command: str) -> Problem:
    nearest = get_close_matches(command[:80], PLACES, n=1)
    hint = f"Did you mean {nearest[0]}?" if nearest else "See the methods of Client."
    message = f"There is no command {command[:80]!r}."
    return Problem(code="INVALID_INPUT", message=message, fix=hint)


def _nameless(command: str, name: str) -> Problem:
    message = f"{command} cannot be called like that: {name}: must be given."
    return Problem(code="INVALID_INPUT", message=message, fix="Say which one is meant.")


def _plain(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return what is given as JSON has it."""
    return {name: _json(value) for name, value in arguments.items() if value is not None}


def _json(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=True, by_alias=True)
    if isinstance(value, Mapping):
        return {name: _json(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_json(one) for one in value]
    return value


def _flat(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a query: a list is repeated, a shape within a shape laid flat."""
    for name, value in arguments.items():
        if isinstance(value, Mapping):
            yield from _flat({key: one for key, one in value.items() if one is not None})
        elif isinstance(value, list):
            yield from ((name, _said(one)) for one in value)
        else:
            yield name, _said(value)


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
