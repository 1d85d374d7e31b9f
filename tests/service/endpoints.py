"""A model's endpoint on loopback, for tests: it says what the test wants, and keeps what it heard."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep

Body = dict[str, object]


@dataclass(slots=True)
class Said:
    """One answer of the endpoint: values, or text that need be no JSON."""

    body: object
    status: int = 200
    after_s: float = 0
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Heard:
    """One request to the endpoint."""

    path: str
    headers: Mapping[str, str]
    body: Body


@dataclass(slots=True)
class Fake:
    """An endpoint that gives its answers in turn, the last one again and again."""

    url: str
    answers: list[Said]
    heard: list[Heard] = field(default_factory=list)


@contextmanager
def endpoint(*answers: object) -> Iterator[Fake]:
    """Serve answers on a port of this machine."""
    said = [one if isinstance(one, Said) else Said(one) for one in answers]
    fake = Fake("", said)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library's name
            size = int(self.headers["content-length"])
            body = json.loads(self.rfile.read(size))
            place = min(len(fake.heard), len(fake.answers) - 1)
            told = {name.lower(): value for name, value in self.headers.items()}
            fake.heard.append(Heard(self.path, told, body))
            one = fake.answers[place]
            sleep(one.after_s)
            content = one.body if isinstance(one.body, str) else json.dumps(one.body)
            try:
                self.send_response(one.status)
                for name, value in one.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content.encode())
            except OSError:
                pass  # nobody waits for it any more

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def openai(text: str, tokens: tuple[int, int] = (3, 5)) -> Body:
    """Return a completion as OpenAI's kind of endpoint says it."""
    counted = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": counted}


def anthropic(text: str, tokens: tuple[int, int] = (3, 5)) -> Body:
    """Return a completion as Anthropic's kind of endpoint says it."""
    counted = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return {"content": [{"type": "text", "text": text}], "usage": counted}


def embedded(*vectors: list[float]) -> Body:
    """Return embeddings as an endpoint says them."""
    data = [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
    return {"data": data, "usage": {"total_tokens": 7}}
