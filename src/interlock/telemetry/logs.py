"""Logs: one line for each thing worth telling, as JSON for machines or as text for people.

Every line knows which request it belongs to. Whatever looks like a secret is hidden before a line
is written, wherever it came from; who writes one should still not put any in.
"""

import json
import logging
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final, TextIO

REQUEST: Final[ContextVar[str]] = ContextVar("request", default="")
"""The id of the request that is being answered; empty between two of them."""

TOLD: Final = "told"
"""The name under which a record carries facts beside its message."""

HIDDEN: Final = "(hidden)"
ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What an id looks like that somebody else has made: plain and short."""

_SECRET: Final = re.compile(
    r"il_[0-9a-zA-Z]{8,}|(?i:\b(?:bearer|basic)\s+[^\s\"']+)"
    r"|(?i:\b(?:lease|token|password|secret)[\"']?\s*[=:]\s*[\"']?[^\s,)}\"'&]+)"
    r"|(?<=://)[^/\s@]*:[^/\s@]*(?=@)"
    # A signed link lets whoever has it decide.
    r"|(?<=/decide/)[^\s\"'/?]+"
)


def hidden(text: str) -> str:
    """Return a text without what looks like a secret."""
    return _SECRET.sub(HIDDEN, text)


def request_id(given: str, made: str) -> str:
    """Return the id of a request: what the caller calls it, if that may stand in a log."""
    return given if ID.fullmatch(given) and not _SECRET.search(given) else made


class JsonLines(logging.Formatter):
    """One JSON document a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        line: dict[str, object] = {
            "at": _at(record),
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
        }
        if request := REQUEST.get():
            line["request"] = request
        line |= _told(record)
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # Hidden value by value: the line as a whole has to stay JSON.
        safe = {
            name: value if isinstance(value, int | float) else hidden(str(value))
            for name, value in line.items()
        }
        return json.dumps(safe, ensure_ascii=False)


class TextLines(logging.Formatter):
    """A line that people read; only what went wrong takes more than one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        words = [_at(record), record.levelname, record.name, record.getMessage()]
        words += [f"{name}={value}" for name, value in _told(record).items()]
        if request := REQUEST.get():
            words.append(f"request={request}")
        # What others have sent may hold what moves a terminal's cursor, or begins a line.
        line = "".join(one if one.isprintable() else "?" for one in " ".join(words))
        story = "\n" + self.formatException(record.exc_info) if record.exc_info else ""
        return hidden(line + story)


def set_up(kind: str, level: str, stream: TextIO | None = None) -> None:
    """Send what is told to standard error: as asked for, else as fits who reads it."""
    target = sys.stderr if stream is None else stream
    is_json = kind == "json" or (not kind and not target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(JsonLines() if is_json else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Libraries tell of every little thing; we want to hear of them when something is wrong.
    root.setLevel(max(logging.WARNING, _level(level)))
    logging.getLogger("interlock").setLevel(_level(level))


def _level(name: str) -> int:
    return logging.getLevelNamesMapping()[name.upper()]


def _at(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _told(record: logging.LogRecord) -> Mapping[str, object]:
    found = getattr(record, TOLD, None)
    return found if isinstance(found, Mapping) else {}
