"""Somebody who asks a server again and again whether it is ready, as a load balancer does."""

import json
import time
import urllib.error
import urllib.request
from threading import Event, Thread
from typing import Final, Self

EVERY_S: Final = 0.5
ANSWER_S: Final = 10.0
PATIENCE_S: Final = 60.0


class Readiness:
    """Asks in a thread of its own; ``with Readiness(url)`` begins and ends it."""

    def __init__(self, url: str) -> None:
        """Take where the server is."""
        # What was said: how often each status. Between two primaries it may be ready with nobody
        # but the new one to keep what it acknowledges, and says so.
        self.ready = 0
        self.degraded = 0
        self.not_ready = 0
        self.odd: set[str] = set()
        self._url = f"{url}/readyz"
        self._stop = Event()
        self._thread = Thread(target=self._ask_on, name="readiness")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def is_ready_again(self) -> bool:
        """Wait until it says once more that it is ready and keeps everything; say if it did."""
        until, before = time.monotonic() + PATIENCE_S, self.ready
        while self.ready == before:
            if time.monotonic() > until:
                return False
            time.sleep(EVERY_S / 10)
        return True

    def _ask_on(self) -> None:
        while not self._stop.wait(EVERY_S):
            self._ask()

    def _ask(self) -> None:
        try:
            with urllib.request.urlopen(self._url, timeout=ANSWER_S) as answer:  # noqa: S310 (ours)
                told = json.load(answer)
        except urllib.error.HTTPError as no:
            if no.code == 503:
                self.not_ready += 1
            else:
                self.odd.add(f"/readyz answers {no.code}")
        except OSError as error:
            self.odd.add(f"/readyz does not answer: {error!r}")
        else:
            if told["durability"] == "full":
                self.ready += 1
            else:
                self.degraded += 1
