"""The shapes of the commands about logs: how much is told at once, and from where on."""

import pytest
from pydantic import ValidationError

from interlock.wire.logs import AppendLog, ReadLogs

LINE = {"at": 1, "text": "x"}


@pytest.mark.parametrize(
    "lines", [[], [LINE] * 501, [{**LINE, "stream": "loud"}], [{**LINE, "text": "x" * 16_385}]]
)
def test_lines_are_few_short_and_of_a_known_stream(lines: object) -> None:
    with pytest.raises(ValidationError):
        AppendLog.model_validate({"part_id": "plan-1.1", "lease": "a.1", "lines": lines})


def test_a_line_is_said_out_loud_unless_it_says_otherwise() -> None:
    told = AppendLog.model_validate({"part_id": "plan-1.1", "lease": "a.1", "lines": [LINE]})

    assert told.lines[0].stream == "out"


def test_reading_begins_with_the_first_line() -> None:
    assert ReadLogs.model_validate({"id": "plan-1"}).after == 0
    with pytest.raises(ValidationError):
        ReadLogs.model_validate({"id": "plan-1", "limit": 1_001})
