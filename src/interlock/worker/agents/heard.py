"""What was heard from an agent's program so far: its last words, its tokens, and what went wrong.

Each dialect feeds this from its own events. What an agent says and does is passed on as it comes,
but for its last words: those are its answer, and whoever asked tells them.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from interlock.worker.agents.agent import FAILED, TRANSIENT

Event = Mapping[str, Any]

DEED_MAX: Final = 400
MESSAGE_MAX: Final = 600
DOLLARS_MAX: Final = 1_000_000
"""Nobody has spent more in one session: whoever says so is not believed."""

IN_A_MOMENT: Final = re.compile(
    r"\b(408|409|425|429|500|502|503|504|52[0-9])\b|overloaded|rate.?limit|too many requests"
    r"|timed?.?out|temporar|unavailable|econn|enotfound|eai_again|socket|network|connection"
    r"|stream disconnected|fetch failed",
    re.IGNORECASE,
)
"""What is said of failures that may be gone in a moment."""


@dataclass(slots=True)
class Heard:
    """What one session has said."""

    tell: Callable[[str], None]
    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0
    error: str = ""
    # Whether anything was heard that the dialect knows; else the program speaks another one.
    is_known: bool = False
    _is_told: bool = field(default=True, repr=False)

    def says(self, text: str) -> None:
        """Take a whole message."""
        if text.strip():
            self._pass_on()
            self.text, self._is_told = text, False

    def adds(self, text: str) -> None:
        """Take a piece of a message."""
        self.text = text if self._is_told else self.text + text
        self._is_told = False

    def does(self, tool: str, given: object = None) -> None:
        """Take the use of a tool: what was said before it were not the last words."""
        self._pass_on()
        what = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        line = " ".join(f"> {tool} {'' if given is None else what}".split())
        self.tell(line if len(line) <= DEED_MAX else f"{line[:DEED_MAX]} ...")

    def fails(self, message: str) -> None:
        """Take what went wrong."""
        self.error = " ".join(message.split())[:MESSAGE_MAX] or "it does not say why"

    def _pass_on(self) -> None:
        if not self._is_told:
            for line in self.text.splitlines():
                self.tell(line)
        self._is_told = True


def failure_of(message: str) -> str:
    """Return the class of a failure by what is said of it."""
    return TRANSIENT if IN_A_MOMENT.search(message) else FAILED


def micros(dollars: object) -> int:
    """Return an amount in millionths; what is no amount is nothing."""
    if isinstance(dollars, bool) or not isinstance(dollars, int | float):
        return 0
    return round(dollars * 1_000_000) if 0 < dollars < DOLLARS_MAX else 0


def count(event: Event, *names: str) -> int:
    """Return the sum of the counts in an event that are there."""
    found = (event.get(name) for name in names)
    return sum(one for one in found if isinstance(one, int) and not isinstance(one, bool))


def part(event: Event, *names: str) -> Event:
    """Return what lies within an event; empty where it is not there."""
    for name in names:
        found = event.get(name)
        event = found if isinstance(found, Mapping) else {}
    return event


def word(event: Event, name: str) -> str:
    """Return a text of an event; empty where it is none."""
    found = event.get(name)
    return found if isinstance(found, str) else ""
