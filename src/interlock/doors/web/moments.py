"""Instants on a page: said in UTC by the server, so that they are right without a script.

A script shows them in the reader's own time; both read the same attribute.
"""

from typing import cast

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from interlock.clock import MINUTE, coming, instant, span, utc


@pass_context
def ago(context: Context, at: int | None) -> Markup | str:
    """Say how long ago an instant was."""
    return "" if at is None else _time("ago", at, past(cast("int", context["now"]) - at))


def past(milliseconds: int) -> str:
    """Say a stretch of time that has passed, in words."""
    return "just now" if milliseconds < MINUTE * 1000 else f"{span(milliseconds)} ago"


@pass_context
def ahead(context: Context, at: int | None) -> str:
    """Say in how long an instant will be."""
    return "" if at is None else coming(at - cast("int", context["now"]))


def clock(at: int | None) -> Markup | str:
    """Say the time of day of an instant."""
    return "" if at is None else _time("clock", at, f"{utc(at):%H:%M}")


def moment(at: int | None) -> Markup | str:
    """Say an instant whole."""
    return "" if at is None else _time("moment", at, instant(at))


def _time(look: str, at: int, text: str) -> Markup:
    stamp = utc(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Markup('<time class="{}" datetime="{}">{}</time>').format(look, stamp, text)
