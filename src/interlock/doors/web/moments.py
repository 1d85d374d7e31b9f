"""Instants on a page: said in UTC by the server, so that they are right without a script.

A script shows them in the reader's own time; both read the same attribute.
"""

from datetime import UTC, datetime
from typing import Final, cast

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


@pass_context
def ago(context: Context, at: int | None) -> Markup | str:
    """Say how long ago an instant was."""
    return "" if at is None else _time("ago", at, past(cast("int", context["now"]) - at))


def past(milliseconds: int) -> str:
    """Say a stretch of time that has passed, in words."""
    return "just now" if milliseconds < MINUTE * 1000 else f"{span(milliseconds)} ago"


def span(milliseconds: int) -> str:
    """Say how long something took or takes, in its largest unit."""
    seconds = max(milliseconds, 0) // 1000
    if seconds < MINUTE:
        return f"{seconds} s"
    for size, word in ((DAY, "d"), (HOUR, "h")):
        if seconds >= size:
            return f"{seconds // size} {word}"
    return f"{seconds // MINUTE} min"


def clock(at: int | None) -> Markup | str:
    """Say the time of day of an instant."""
    return "" if at is None else _time("clock", at, f"{_utc(at):%H:%M}")


def moment(at: int | None) -> Markup | str:
    """Say an instant whole."""
    return "" if at is None else _time("moment", at, f"{_utc(at):%Y-%m-%d %H:%M} UTC")


def _time(look: str, at: int, text: str) -> Markup:
    stamp = _utc(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Markup('<time class="{}" datetime="{}">{}</time>').format(look, stamp, text)


def _utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)
