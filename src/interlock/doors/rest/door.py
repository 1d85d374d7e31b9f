"""The door itself: a request finds its place, its caller a name, and what comes of it an answer.

Nothing is kept between two requests but the streams that are open. Whatever goes wrong is told as
a problem; what nobody foresaw gets a reference.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from time import monotonic
from typing import Final
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from interlock.commands.all import COMMANDS
from interlock.commands.row import AnyCommand
from interlock.commands.verbs import LocalVerbs
from interlock.doors.http import challenge, problem_of, told, who
from interlock.doors.noting import CallLog, unforeseen, write_down
from interlock.doors.requests import ROUTE
from interlock.doors.rest import openapi
from interlock.doors.rest.answer import ALWAYS, JSON, answered, document, is_seen
from interlock.doors.rest.asked import Pairs, asked_of, query_of
from interlock.doors.rest.events import MEDIA_TYPE, Stream, Streams, wanted_of
from interlock.doors.rest.fields import as_asked
from interlock.doors.rest.own import get_bytes, get_drawing
from interlock.doors.rest.places import CONTENT, EVENTS, OPENAPI, PREFIX, Places
from interlock.doors.rest.refusals import WrongMethod
from interlock.doors.waiting import while_there
from interlock.errors import InterlockError
from interlock.service.access import require
from interlock.service.calls import ToolCall
from interlock.service.engine import Engine, Principal
from interlock.service.errors import InvalidInput, Unauthenticated
from interlock.service.feed import Feed
from interlock.service.seal import seal_of

CHANNEL: Final = "rest"
SAFE: Final = "/%:@!$&'()*+,;=~-._"

log = logging.getLogger("interlock.rest")


@dataclass(slots=True)
class _Noted:
    """One call: what was found in its address, and what the log of calls is told of it."""

    params: Mapping[str, str]
    pairs: Pairs
    arguments: Mapping[str, object] = field(default_factory=dict)
    reply: Mapping[str, object] = field(default_factory=dict)
    is_error: bool = True


class RestHttp:
    """The door: its routes, and what is behind them."""

    def __init__(
        self,
        engine: Engine,
        body_bytes_max: int,
        durability: Callable[[], str] = lambda: "full",
        calls: CallLog | None = None,
        streams: Streams | None = None,
    ) -> None:
        """Take what the commands run on, and where calls are written down."""
        self.streams = streams or Streams(Feed(engine.store))
        self._engine = engine
        self._body_bytes_max = body_bytes_max
        self._durability = durability
        self._calls = calls
        self._places = Places(COMMANDS.values())

    @cached_property
    def _document(self) -> bytes:
        """The document, made when somebody first asks for it: it takes a tenth of a second."""
        return json.dumps(openapi.document(), ensure_ascii=False).encode()

    def close(self) -> None:
        """End the streams that are open, so that nobody has to wait for them."""
        self.streams.feed.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        answer: ASGIApp
        try:
            answer = await self._answer(request)
        except ClientDisconnect:
            return  # who leaves before all was said gets no answer
        except InterlockError as error:
            answer = _refused(error, request)
        except Exception as bug:  # noqa: BLE001  whatever it is, it is written down, and told as ours
            what = f"{request.method} {request.url.path}"
            answer = _refused(unforeseen(self._engine.clock, log, what, bug), request)
        if request.method == "HEAD" and isinstance(answer, Response):
            answer.body = b""
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> ASGIApp:
        found = self._places.find(_path_of(request))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": ", ".join(found.methods)})
        place = found.places.get("GET" if request.method == "HEAD" else request.method)
        if place is None:
            message = f"There is something at this path, but not for {request.method[:20]}."
            fix = f"It can be called by {', '.join(found.methods)}."
            raise WrongMethod(message, fix=fix, allow=found.methods)
        request.scope[ROUTE] = PREFIX + place.path
        pairs = query_of(request)
        if place.path == OPENAPI:
            return self._openapi(request)
        caller = replace(await who(self._engine, request), channel=CHANNEL)
        if place.row is not None:
            noted = _Noted(found.params, pairs)
            return await self._call(place.row, noted, request, caller)
        if self._engine.rates is not None:
            self._engine.rates.take(caller.tenant, caller.id)
        if place.path == EVENTS:
            return await self._stream(pairs, request, caller)
        if pairs:
            raise InvalidInput("There are no parameters here.", fix="Leave the query out.")
        get = get_bytes if place.path == CONTENT else get_drawing
        return await get(self._engine, caller, found.params, request.headers)

    async def _call(
        self, row: AnyCommand, noted: _Noted, request: Request, caller: Principal
    ) -> Response:
        """Call a command, and note that it was called, whatever comes of it."""
        begun = monotonic()
        noted.arguments = noted.params
        try:
            return await self._run(row, request, caller, noted)
        except InterlockError as error:
            noted.reply = problem_of(error)
            raise
        except ClientDisconnect:
            noted.reply = {"code": "GONE"}
            raise
        except Exception as bug:
            internal = unforeseen(self._engine.clock, log, row.name, bug)
            noted.reply = problem_of(internal)
            raise internal from bug
        finally:
            session = noted.arguments.get("session_id")
            known = replace(caller, session=session) if isinstance(session, str) else caller
            elapsed = (monotonic() - begun) * 1000
            write_down(self._calls, log, ToolCall(
                row.name, noted.arguments, noted.reply, elapsed, noted.is_error, known, CHANNEL,
            ))  # fmt: skip

    async def _run(
        self, row: AnyCommand, request: Request, caller: Principal, noted: _Noted
    ) -> Response:
        asked = await asked_of(row, noted.params, noted.pairs, request, self._body_bytes_max)
        noted.arguments = asked.arguments
        verbs = LocalVerbs(self._engine, caller, self._durability())
        try:
            call = verbs.call(row.name, asked.arguments, asked.version)
            is_waiting = bool(asked.arguments.get("wait_s"))
            told = document(await (while_there(request, call) if is_waiting else call))
        except InvalidInput as wrong:
            wrong.fields = as_asked(row, wrong.fields)
            raise
        answer = answered(row, told, request.headers)
        noted.reply, noted.is_error = told, False
        return answer

    async def _stream(self, pairs: Pairs, request: Request, caller: Principal) -> ASGIApp:
        require(caller, "read", "Following what happens")
        wanted = wanted_of(pairs)
        seal = await seal_of(self._engine, caller.tenant)
        # A browser that comes back by itself asks as it did at first, and says what it heard since.
        told = request.headers.get("last-event-id", "") or wanted.after
        after = seal.open(told) if told else ""
        if not told and not wanted.is_from_start:
            after = await self._engine.store.feed_end(caller.tenant)
        if request.method == "HEAD":
            return Response(media_type=MEDIA_TYPE, headers=ALWAYS)

        async def ask() -> Principal:
            found = await who(self._engine, request)
            require(found, "read", "Following what happens")
            return found

        self.streams.enter(caller)
        return Stream(self.streams, caller, wanted, after, seal, ask)

    def _openapi(self, request: Request) -> Response:
        tag = f'"{sha256(self._document).hexdigest()[:16]}"'
        headers = {**ALWAYS, "ETag": tag}
        if is_seen(tag, request.headers):
            return Response(status_code=304, headers=headers)
        return Response(self._document, headers=headers, media_type=JSON)


def _raw_path(request: Request) -> str:
    raw: bytes = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    return raw.decode("latin-1").partition("?")[0]


def _path_of(request: Request) -> str:
    """Return what comes after the version in the path, as it was sent."""
    return _raw_path(request).removeprefix(PREFIX)


def _refused(error: InterlockError, request: Request) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    if isinstance(error, WrongMethod):
        headers["Allow"] = ", ".join(error.allow)
    if isinstance(error, Unauthenticated):
        headers |= challenge(has_token="authorization" in request.headers)
    return told(error, headers, quote(_raw_path(request), safe=SAFE))
