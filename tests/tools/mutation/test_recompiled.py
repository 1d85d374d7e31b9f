"""What a workflow remembers is gone after it was compiled again, and its table is the same one."""

from hypothesis import Phase, settings

from tests.kernel.tiny import CASES, case, send
from tools.mutation.recompiled import pytest_collection_finish


def test_what_was_compiled_and_remembered_before_is_compiled_anew() -> None:
    table = CASES.table
    rule, lifts = table.rules["claim"], table.lifts
    CASES.legal("open", "case")
    assert table.legal

    pytest_collection_finish()

    assert CASES.table is table
    assert table.rules["claim"] is not rule
    assert table.rules["claim"].row is rule.row
    assert table.lifts is not lifts
    assert table.legal == {}
    assert send(case("busy: waiting"), "claim", "1").entries


def test_examples_are_the_same_every_time_and_none_is_made_smaller() -> None:
    profile = settings.get_profile("mutation")

    assert profile.derandomize
    assert Phase.shrink not in profile.phases
