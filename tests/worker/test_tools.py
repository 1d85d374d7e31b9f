"""A tool step becomes a call in a real child, and its outcome what is handed in."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from interlock.clock import SystemClock
from interlock.toolbox.around import Around
from interlock.toolbox.child import Outcome
from interlock.wire.envelope import Envelope
from interlock.worker.tools import SMALLER, Retries, Tools, call_of, fitting, submitted
from interlock.worker.work import Work

AROUND = Around(modules=("tests.worker.acts",))
Said = list[tuple[str, Mapping[str, object]]]


def ran(call: object, *standing: str) -> tuple[str, Said]:
    """Run a tool step; the server says in turn where it stands. Return how it went, what was said."""
    said: Said = []
    statuses = iter(standing)

    async def hand_in(command: str, arguments: Mapping[str, object]) -> Envelope:
        said.append((command, arguments))
        return Envelope(status="x", data={"tool_step": {"status": next(statuses)}})

    work = Work("mission-1", "mission-1.3", "tool_step", "a.1", 1.0, {"call": call})
    tools = Tools(AROUND, SystemClock(), Retries(0.01, 0.02))
    return asyncio.run(tools.run(work, hand_in)), said


def test_what_a_tool_returns_is_handed_in_by_its_names(tmp_path: Path) -> None:
    arguments = {"book": str(tmp_path / "book"), "text": "so"}
    how, said = ran({"tool": "note", "arguments": arguments}, "COMPLETED")

    assert said == [("submit_tool_result", {"outputs": {"text": "so"}})]
    assert how.startswith("note done in ")


def test_as_long_as_the_server_says_so_it_is_tried_again(tmp_path: Path) -> None:
    arguments = {"book": str(tmp_path / "book"), "fails": 9}
    how, said = ran({"tool": "note", "arguments": arguments}, "EXECUTING", "EXECUTING", "FAILED")

    told = {"failure": "transient", "error": {"message": "not yet"}, "resource_down": False}
    assert said == [("submit_tool_result", told)] * 3
    assert "note transient" in how
    assert how.endswith("attempt 3")


def test_it_ends_when_it_takes_too_long(tmp_path: Path) -> None:
    arguments = {"book": str(tmp_path / "book"), "until": str(tmp_path / "never")}
    call = {"tool": "note", "arguments": arguments, "deadline_s": 2}
    _, said = ran(call, "FAILED")

    assert said[0][1]["failure"] == "transient"


def test_a_call_that_is_wrong_already_is_not_run(tmp_path: Path) -> None:
    error = {"failure": "validation", "message": "nothing at a.b"}
    book = tmp_path / "book"
    call = {"tool": "note", "arguments": {"book": str(book)}, "error": error}
    _, said = ran(call, "FAILED")

    assert not book.exists()
    assert said[0][1]["failure"] == "validation"
    assert said[0][1]["error"] == {"message": "nothing at a.b"}


def test_pauses_double_to_a_limit() -> None:
    class Longest(SystemClock):
        def jitter(self, limit_s: float) -> float:
            return limit_s

    tools = Tools(AROUND, Longest(), Retries(1, 60))

    assert [tools.pause_s(attempt) for attempt in (1, 2, 3, 7, 99)] == [1, 2, 4, 60, 60]


def test_a_server_that_says_nothing_of_the_call_is_not_guessed_about() -> None:
    with pytest.raises(TypeError):
        call_of({"fields": {}})


def test_what_is_handed_in_fits_what_the_server_takes() -> None:
    long = Outcome(failure="unhandled", message="m" * 99_999, detail="d" * 999_999)
    error = submitted(long)["error"]
    assert isinstance(error, dict)

    assert len(error["message"]) == 2_000
    assert len(error["detail"]) == 8_000
    assert submitted(Outcome(failure="system"))["error"] == {"message": "system"}
    assert submitted(Outcome(result=[1])) == {"outputs": {}}


def test_a_result_that_the_server_does_not_take_is_a_failure_that_says_what_to_do(
    tmp_path: Path,
) -> None:
    arguments = {"book": str(tmp_path / "book"), "text": "ü", "times": 50}
    call = {"tool": "note", "arguments": arguments, "result_bytes_max": 112}
    _, said = ran(call, "COMPLETED")
    assert said[0][1] == {"outputs": {"text": "ü" * 50}}

    _, said = ran(call | {"result_bytes_max": 111}, "FAILED")
    told = said[0][1]
    assert told["failure"] == "validation"
    message = "The result of the tool has 112 bytes, and 111 can be handed in."
    assert told["error"] == {"message": message, "detail": SMALLER}
    assert fitting(Outcome(failure="system"), 0).failure == "system"
