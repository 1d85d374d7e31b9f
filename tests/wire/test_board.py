"""The shape of what is asked of a board."""

import pytest
from pydantic import ValidationError

from interlock.wire.board import GetBoard


def test_all_of_it_is_asked_for_unless_something_is_said() -> None:
    asked = GetBoard()

    assert (asked.workflow, asked.q, asked.column, asked.tag) == ("", "", "", "")
    assert (asked.cursor, asked.limit) == (None, 30)


@pytest.mark.parametrize("wrong", [{"column": "later"}, {"limit": 0}, {"limit": 201}, {"x": 1}])
def test_what_no_board_has_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        GetBoard.model_validate(wrong)
