"""Pages on loopback, for tests, reached by made-up names: a name stands for this machine.

Only the look-up of names is played; requests, redirects and limits are real.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from urllib.parse import urlsplit

from interlock.outside.address import Target
from interlock.toolbox.fetch import public

SITE = "https://data.example"


@dataclass(slots=True)
class Page:
    """What is answered at a path."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/plain"})
    after_s: float = 0.0


@dataclass(slots=True)
class Site:
    """A server whose names all mean this machine; others are looked up as always."""

    pages: Mapping[str, Page]
    port: int = 0
    heard: list[tuple[str, str]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)

    async def find(self, url: str) -> Target:
        """Look an address up: ours means this machine."""
        self.looked_up.append(url)
        parts = urlsplit(url)
        if not (parts.hostname or "").endswith(".example"):
            return await public(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return Target(f"http://127.0.0.1:{self.port}{path}", parts.hostname or "", parts.netloc)


@contextmanager
def site(**pages: Page) -> Iterator[Site]:
    """Serve pages by the names of their paths."""
    found = Site({f"/{name}": page for name, page in pages.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the library's name
            found.heard.append((self.headers["host"], self.path))
            page = found.pages.get(self.path.partition("?")[0], Page(status=404))
            sleep(page.after_s)
            try:
                self.send_response(page.status)
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page.body)
            except OSError:
                pass  # nobody waits for it any more

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    found.port = server.server_port
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
