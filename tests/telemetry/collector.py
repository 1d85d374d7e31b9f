"""A collector of traces on loopback: takes what is sent over OTLP and keeps it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Span(NamedTuple):
    """A span as it was sent."""

    name: str
    trace: str
    id: str
    parent: str
    service: str


class Collector:
    """What has come in so far."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.spans: list[Span] = []
        self.raw = b""

    def take(self, body: bytes) -> None:
        """Keep what was sent."""
        self.raw += body
        sent = ExportTraceServiceRequest.FromString(body)
        for resource in sent.resource_spans:
            about = {one.key: one.value.string_value for one in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.spans += [
                    Span(
                        one.name, one.trace_id.hex(), one.span_id.hex(),
                        one.parent_span_id.hex(), about.get("service.name", ""),
                    )
                    for one in scope.spans
                ]  # fmt: skip

    def ancestors(self, name: str) -> list[list[str]]:
        """Return for each span of a name the names above it, the nearest first."""
        by_id = {span.id: span for span in self.spans}
        found = []
        for span in self.spans:
            if span.name == name:
                above, parent = [], span.parent
                while parent in by_id:
                    above.append(by_id[parent].name)
                    parent = by_id[parent].parent
                found.append([*above, parent])
        return found


@contextmanager
def collecting() -> Iterator[Collector]:
    """Listen for spans for as long as this is open."""

    class Handler(BaseHTTPRequestHandler):
        """Takes one request."""

        def do_POST(self) -> None:
            """Keep its body."""
            body = self.rfile.read(int(self.headers["content-length"]))
            assert self.path == "/v1/traces"
            collector.take(body)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
