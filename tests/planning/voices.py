"""Models behind an endpoint on loopback who say what the script of the run says.

All that they have is what any model has: which model was asked, and the words of the prompt. So
they find out from the prompt what is asked; one that they do not know is an error.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from interlock.ticketing.prompt import PLACEHOLDER, replaced
from interlock.worker.agents.agent import Task
from interlock.worker.agents.script import TIMEOUT, Script
from tests.service.endpoints import openai

REFUSED: Final = "# An answer was refused"
OPENINGS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(PLACEHOLDER.sub(r"(\\d+)", re.escape(prompt.text).replace(r"\{", "{")
                                     .replace(r"\}", "}").partition(r"\#")[0]))
    for name, prompt in replaced({}).items()
}  # fmt: skip
"""By name how a prompt opens: its words up to the first heading, a number for what is filled in."""


@dataclass
class Voices:
    """What was asked of whom, and what they say."""

    script: Script
    url: str = ""
    # Each request: the model, and the task that was understood.
    heard: list[tuple[str, str]] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)
    _batches: Counter[str] = field(default_factory=Counter)

    def say(self, body: Mapping[str, Any]) -> str:
        """Answer a prompt; whoever is to run out of time waits until all is over."""
        model, prompt = body["model"], body["messages"][-1]["content"]
        task, number = self._understood(model, prompt)
        self.heard.append((model, task.name))
        turn = self.script.turn(task, number)
        if turn.fault == TIMEOUT:
            self.is_over.wait(60)
        if turn.answer is None:
            return turn.text
        return f"Here it is:\n```json\n{json.dumps(turn.answer)}\n```"

    def _understood(self, model: str, prompt: str) -> tuple[Task, int]:
        found = {name: match for name, one in OPENINGS.items() if (match := one.match(prompt))}
        ((name, match),) = found.items()
        domain, _, word = name.rpartition("_")
        number = 1
        if word == "audit":
            number = int(match[1])
        elif word == "batch":
            self._batches[model] += 1
            number = self._batches[model]
        task = Task(
            role="", task=word, domain=domain or "discovery", member=model.removesuffix("-1"),
            model=model, prompt=prompt, schema={}, deadline_s=1, rejected=int(REFUSED in prompt),
        )  # fmt: skip
        return task, number


@contextmanager
def voices(script: Script) -> Iterator[Voices]:
    """Serve models on a port of this machine."""
    found = Voices(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library's name
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            said = json.dumps(openai(found.say(body))).encode()
            try:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(said)
            except OSError:
                pass  # nobody waits for it any more

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield found
    finally:
        found.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()
