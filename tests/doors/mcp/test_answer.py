"""Answers and errors as results: the same document twice."""

import json

from mcp_types import CallToolResult, TextContent

from interlock.doors.mcp.answer import answered, document, refused
from interlock.outside.marks import Marks
from interlock.wire.envelope import Envelope, Problem


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def test_structure_and_text_tell_the_same_and_marks_are_explained_first() -> None:
    told = document(Envelope(status="executing", data={"title": "T"}, durability=None), Marks("ab"))
    result = answered(told)

    assert json.loads(text(result)) == result.structured_content == told
    assert next(iter(told)) == "untrusted"
    assert told["data"] == {"title": "<untrusted-ab>T</untrusted-ab>"}
    assert not result.is_error


def test_a_warning_may_repeat_what_was_stored() -> None:
    told = document(
        Envelope(status="ok", warnings=("The condition 'x' is gone.",), durability=None),
        Marks("ab"),
    )

    assert told["warnings"] == ["<untrusted-ab>The condition 'x' is gone.</untrusted-ab>"]


def test_where_nothing_was_stored_nothing_is_explained() -> None:
    told = document(Envelope(status="ok", data={"id": "a"}, durability=None), Marks("ab"))

    assert told == {
        "status": "ok", "next_action": "", "legal_moves": [], "data": {"id": "a"}, "warnings": [],
    }  # fmt: skip


def test_an_error_says_what_to_do_in_both_forms() -> None:
    result = refused(Problem(code="NOPE", message="No.", fix="Ask.", retryable=True))

    assert result.is_error
    assert json.loads(text(result)) == result.structured_content
    assert result.structured_content == {
        "status": "error", "code": "NOPE", "message": "No.", "fix": "Ask.", "retryable": True,
        "legal_moves": [],
    }  # fmt: skip


def test_an_error_that_repeats_what_is_no_text_can_still_be_sent() -> None:
    result = refused(Problem(code="NOPE", message="There is no \udcff."))

    assert text(result).encode()
