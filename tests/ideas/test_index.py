"""The twelve ideas for tests that others' failures gave us, and where each is tried.

1.  Every pair of a status and an event: only the edges of the tables are taken (tests/spec).
2.  Mission and hop stand in a legal pair after anything that is said in any order.
3.  The final hop completes the mission, another clears the current hop; numbers grow.
4.  No second hop beside an active one, and none before the mission is accepted.
5.  A step may eat what the step before it makes.
6.  A fault in any write of a transition: nothing has changed.
7.  A step that returns not what is mapped fails; tools get everything, never what is shown of it.
8.  Cancel races with completion; what comes late is used for nothing.
9.  What can be repaired is repaired and completed; what cannot is begun anew.
10. Who may send what.
11. A system error fails what is live, and means nothing to what has ended.
12. A mapping by name is refused; all that is wrong with a chain is told at once.
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent

IDEAS = {
    2: ("ideas/test_walk.py", "test_after_every_command_mission_and_hop_fit_together"),
    3: ("ideas/test_course.py", "test_the_final_hop_completes_the_mission_and_no_other_does"),
    4: ("ideas/test_course.py", "test_there_is_one_hop_at_a_time_and_none_before_the_mission_is_accepted"),
    5: ("ideas/test_course.py", "test_a_step_eats_what_the_step_before_it_makes"),
    6: ("crash/test_mission_writes.py", "test_on_sqlite_whichever_write_fails_nothing_has_happened"),
    7: ("ideas/test_tools.py", "test_a_tool_gets_the_whole_content_and_never_what_is_shown_of_it"),
    8: ("races/test_mission_duels.py", "test_in_every_order_there_is_one_outcome_and_the_audit_explains_it"),
    9: ("ideas/test_course.py", "test_what_can_be_repaired_is_repaired_redesigned_run_and_completed"),
    10: ("ideas/test_who.py", "test_who_may_is_as_the_table_says_and_others_change_nothing"),
    11: ("ideas/test_breaking.py", "test_a_system_error_fails_every_live_mission_and_its_active_hop"),
    12: ("ideas/test_tools.py", "test_every_mistake_of_a_chain_is_told_at_once_with_step_field_and_fix"),
}  # fmt: skip
"""Where each is tried, but the first: that one fills a folder of its own."""


@pytest.mark.parametrize("number", IDEAS)
def test_an_idea_is_tried_where_it_is_said(number: int) -> None:
    path, name = IDEAS[number]

    assert f"def {name}(" in (TESTS / path).read_text()


def test_none_of_them_is_left_out() -> None:
    assert [1, *IDEAS] == list(range(1, 13))
