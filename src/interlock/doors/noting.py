"""What every door does beside a call: notes it in the log of calls, and what nobody foresaw.

Neither can fail a call. Whoever meets what nobody foresaw is given a reference; the story goes to
the log of the server.
"""

import logging
from typing import Final, Protocol

from interlock.clock import Clock
from interlock.errors import InterlockError
from interlock.service.calls import ToolCall

UNLOGGED: Final = "ping"
"""The command that is no news, however often it is called."""


class CallLog(Protocol):
    """Where calls are written down."""

    def put(self, call: ToolCall) -> None:
        """Take a call at once, or drop it; whoever calls does not wait."""


def write_down(calls: CallLog | None, log: logging.Logger, done: ToolCall) -> None:
    """Note a call."""
    if calls is None or done.tool == UNLOGGED:
        return
    try:
        calls.put(done)
    except Exception:
        # A log that fails must never fail a call.
        log.exception("the call log did not take a call of %s", done.tool)


def unforeseen(clock: Clock, log: logging.Logger, what: str, bug: Exception) -> InterlockError:
    """Write down what nobody foresaw; return what the caller is told."""
    reference = clock.new_id("ref")
    log.error("%s failed: %s", what, reference, exc_info=bug)
    message = f"Something went wrong in the server; it was written down as {reference}."
    fix = "See how things stand before you try again; tell who runs the server the reference."
    return InterlockError(message, fix=fix)
