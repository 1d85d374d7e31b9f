"""A model's endpoint on loopback, the only thing in these tests that is not real.

It speaks the interfaces of the vendors as far as their clients need it, streams included, and
keeps a log: who asked, and what they were told to call.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from tests.clients.dialects import DIALECTS, Dialect
from tests.clients.script import NOTHING, Call, Script, by_answers, offered_as


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that a client made of the model."""

    path: str
    user_agent: str
    told: str
    """The tool that the client was told to call, or the words it was given."""


@dataclass(slots=True)
class Model:
    """The endpoint: where it is, and what it was asked."""

    url: str
    script: Script = by_answers
    log: list[Asked] = field(default_factory=list)
    heard: str = ""
    """The texts of the last conversation that offered tools."""

    @property
    def calls(self) -> list[str]:
        """The tools that clients were told to call, in order."""
        return [one.told for one in self.log if " " not in one.told]

    def respond(self, path: str, user_agent: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Return the kind and the text of the answer to one request."""
        dialect = _dialect(path)
        if dialect is None:
            self.log.append(Asked(path, user_agent, "no such path"))
            return "application/json", b"{}"
        offered = dialect.offered(body)
        if offered:
            self.heard = dialect.texts(body)
        said = self._next(dialect, body, offered) if offered else NOTHING
        if isinstance(said, Call):
            name = offered_as(said.tool, offered)
            self.log.append(Asked(path, user_agent, name or f"no tool {said.tool}"))
            said = Call(name, said.arguments) if name else f"no tool {said.tool} in {offered}"
        else:
            self.log.append(Asked(path, user_agent, said))
        return dialect.written(body, path, said)

    def _next(self, dialect: Dialect, body: dict[str, Any], offered: list[str]) -> Call | str:
        try:
            return self.script(dialect.calls(body), offered)
        except (KeyError, TypeError, ValueError) as exc:
            # Said as the last words, so that the client ends instead of asking again and again.
            return f"The script cannot go on: {exc!r}"


def _dialect(path: str) -> Dialect | None:
    return next((one for one in DIALECTS if one.serves(path)), None)


@contextmanager
def model(script: Script = by_answers) -> Iterator[Model]:
    """Run an endpoint for as long as this is open."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size) or b"{}")
            agent = self.headers.get("User-Agent", "")
            kind, text = made.respond(urlsplit(self.path).path, agent, body)
            self._send(200, kind, text)

        def do_GET(self) -> None:
            self._send(404, "application/json", b"{}")

        def do_HEAD(self) -> None:
            self._send(200, "application/json", b"")

        def log_message(self, *_: object) -> None:
            """Say nothing: what matters is in the log of the model."""

        def _send(self, status: int, kind: str, text: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made = Model(f"http://127.0.0.1:{server.server_port}", script)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
