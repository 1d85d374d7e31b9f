"""What every door does beside a call, and that neither fails one."""

import logging

import pytest

from interlock.doors.noting import unforeseen, write_down
from interlock.service.calls import ToolCall
from tests.stage import ADA
from tests.still import StillClock

LOG = logging.getLogger("test.noting")


class Log:
    """A log of calls that may be broken."""

    def __init__(self, *, fails: bool = False) -> None:
        self.taken: list[ToolCall] = []
        self._fails = fails

    def put(self, call: ToolCall) -> None:
        """Take a call, or break."""
        if self._fails:
            raise ZeroDivisionError
        self.taken.append(call)


def made(tool: str) -> ToolCall:
    return ToolCall(tool, {}, {}, 1, is_error=False, principal=ADA)


def test_every_call_but_ping_is_noted() -> None:
    log = Log()
    for tool in ("ping", "list_units"):
        write_down(log, LOG, made(tool))
        write_down(None, LOG, made(tool))

    assert [call.tool for call in log.taken] == ["list_units"]


def test_a_log_that_fails_fails_no_call(caplog: pytest.LogCaptureFixture) -> None:
    write_down(Log(fails=True), LOG, made("list_units"))

    assert "did not take" in caplog.text


def test_what_nobody_foresaw_is_told_by_a_reference_alone(caplog: pytest.LogCaptureFixture) -> None:
    bug = ZeroDivisionError("a secret of the server")

    error = unforeseen(StillClock(), LOG, "ping", bug)

    assert (error.code, error.http, error.retryable) == ("INTERNAL", 500, False)
    assert "secret" not in error.message
    assert "ref-" in error.message
    assert "a secret of the server" in caplog.text
    assert "ref-" in caplog.messages[0]
