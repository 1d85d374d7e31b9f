"""Five thousand requests from the OpenAPI document, as four callers: nothing breaks, all fits.

What is sent is the same in every run. The document is cut in four, so that the parts can run side
by side, each on a database of its own. ``make proofs-long`` sends ten times as many.
"""

from pathlib import Path
from typing import Final

import pytest
from starlette.responses import Response

from interlock.commands.all import COMMANDS
from interlock.commands.row import Call, Command
from interlock.doors.rest import door
from interlock.service.order import Reply
from interlock.wire.work import Nothing
from tests.doors.rest.fuzzing import CALLERS, Fuzzer, fuzzer, operations

PARTS: Final = 4
REQUESTS: Final = 5_000
EXAMPLES: Final = 6
EXAMPLES_LONG: Final = 60
"""How many requests are thought up for each operation, fitting and not; each is sent four times."""

TURNS_MAX: Final = 3
"""Some operations have little to think up: others have another turn, then."""


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_sent_breaks_the_server_or_its_document(
    tmp_path: Path, request: pytest.FixtureRequest, part: int
) -> None:
    examples = EXAMPLES_LONG if request.config.getoption("--long") else EXAMPLES
    with fuzzer(tmp_path / "fuzzed.db") as found:
        share = operations()[part::PARTS]
        for turn in range(TURNS_MAX):
            for operation in share:
                if found.sent < REQUESTS // PARTS or not turn:
                    found.fuzz(operation, examples, turn)

    told = ", ".join(f"{who} {status}: {count}" for (who, status), count in found.counts.items())
    print(f"{found.sent} requests; {told}")  # noqa: T201  what was covered is half of the verdict
    assert found.wrong == {}
    assert found.sent >= REQUESTS // PARTS
    assert {who for who, _ in found.counts} == set(CALLERS)
    assert sum(count for (_, status), count in found.counts.items() if status < 400) > 50


def planted(tmp_path: Path) -> Fuzzer:
    """Send a few requests to the operation that the tests below break."""
    with fuzzer(tmp_path / "planted.db") as found:
        for operation in operations():
            if operation.path == "/workflows":
                found.fuzz(operation, 1)
    return found


def test_a_server_error_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_down(call: Call, asked: Nothing) -> Reply:
        raise ZeroDivisionError

    row = Command("list_workflows", Nothing, break_down, "read", "work", ".", "GET /workflows")
    monkeypatch.setitem(COMMANDS, "list_workflows", row)
    found = planted(tmp_path)

    assert len(found.wrong) == 3
    assert all("Server error" in what for _, what in found.wrong)


def test_an_answer_that_does_not_fit_the_document_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        door, "answered", lambda *_: Response(b'{"status":1}', media_type="application/json")
    )
    found = planted(tmp_path)

    assert len(found.wrong) == 3
    assert all("schema" in what for _, what in found.wrong)
