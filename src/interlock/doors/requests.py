"""Every request over HTTP, from the outside: its id, its line in the log, its place in a trace.

What is answered is not known here. Nothing of a query or of a header is written down.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from time import perf_counter
from typing import Final

from opentelemetry import context, propagate, trace
from opentelemetry.trace import Span, SpanKind
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from interlock.clock import Clock
from interlock.doors.http import CALLER
from interlock.telemetry.logs import REQUEST, TOLD, hidden, request_id

HEADER: Final = b"x-request-id"
TRACE_HEADERS: Final = (b"traceparent", b"tracestate")
ROUTE: Final = "interlock.route"
"""Where a request carries the pattern of its path, for names that are not all different."""

SPANNED: Final = "/v1"
"""Below here a request is a span; the SDK of the other door makes its own."""

PATH_MAX: Final = 200
NO_STATUS: Final = 499
"""What stands in the log where nobody waited for the answer."""

SERVER_ERROR: Final = 500

log = logging.getLogger("interlock.access")


class Requests:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp, clock: Clock, tracer: trace.Tracer | None = None) -> None:
        """Take who makes ids, and who records spans where somebody wants them."""
        self._app = app
        self._tracer = tracer
        # One id for all of this process, and a number: drawing one for each would cost more.
        self._serial = clock.new_id("req")
        self._numbers = count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, and write down what has become of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = perf_counter()
        given = b"".join(value for name, value in scope["headers"] if name == HEADER)
        known = request_id(given.decode("latin-1"), f"{self._serial}-{next(self._numbers)}")
        status = NO_STATUS

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (HEADER, known.encode())]
            await send(message)

        token = REQUEST.set(known)
        try:
            if self._tracer is None:
                await self._app(scope, receive, send_on)
            else:
                with _traced(self._tracer, scope, known) as span:
                    await self._app(scope, receive, send_on)
                    if span is not None:
                        _end(span, scope, status)
        finally:
            if log.isEnabledFor(logging.INFO):
                log.info("request", extra={TOLD: _line(scope, status, begun)})
            REQUEST.reset(token)


@contextmanager
def _traced(tracer: trace.Tracer, scope: Scope, known: str) -> Iterator[Span | None]:
    """Go on with the trace of the caller."""
    carrier = {
        name.decode(): value.decode("latin-1")
        for name, value in scope["headers"]
        if name in TRACE_HEADERS
    }
    outer = propagate.extract(carrier)
    if not scope["path"].startswith(SPANNED):
        token = context.attach(outer)
        try:
            yield None
        finally:
            context.detach(token)
        return
    told = {
        "http.request.method": scope["method"][:PATH_MAX],
        "url.path": hidden(path_of(scope)),
        "interlock.request": known,
    }
    # What went wrong is told by its kind: a message may repeat what the caller sent.
    with tracer.start_as_current_span(
        told["http.request.method"], outer, SpanKind.SERVER, told,
        record_exception=False, set_status_on_exception=False,
    ) as span:  # fmt: skip
        try:
            yield span
        except Exception as bug:
            span.set_attribute("error.type", type(bug).__name__)
            span.set_status(trace.StatusCode.ERROR)
            raise


def _end(span: Span, scope: Scope, status: int) -> None:
    span.set_attribute("http.response.status_code", status)
    if CALLER in scope:
        span.set_attribute("interlock.principal", scope[CALLER])
    if ROUTE in scope:
        span.set_attribute("http.route", scope[ROUTE])
        span.update_name(f"{scope['method']} {scope[ROUTE]}")
    if status >= SERVER_ERROR:
        span.set_status(trace.StatusCode.ERROR)


def path_of(scope: Scope) -> str:
    """Return the path of a request as it was sent, without its query; not all of a long one."""
    raw = scope.get("raw_path") or scope["path"].encode()
    return bytes(raw).partition(b"?")[0][:PATH_MAX].decode("latin-1")


def _line(scope: Scope, status: int, begun: float) -> dict[str, object]:
    return {
        "method": scope["method"][:PATH_MAX],
        "path": path_of(scope),
        "status": status,
        "ms": round((perf_counter() - begun) * 1000, 1),
        "principal": scope.get(CALLER, ""),
    }
