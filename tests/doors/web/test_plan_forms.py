"""The forms by which a plan is changed: what each sends."""

from typing import get_args

import pytest

from interlock.doors.web.plan_forms import CHANGES, number
from interlock.service.errors import InvalidInput
from interlock.wire.plan import Change


def test_there_is_a_form_for_every_way_to_change_a_plan() -> None:
    assert set(CHANGES) == set(get_args(Change))


def test_each_sends_what_was_entered_and_leaves_out_what_is_blank() -> None:
    sent = {
        "add_steps": {"instructions": "Do", "title": " ", "insert_after_order": "2"},
        "reorder_steps": {"step_ids": "p.2 2 Two\n\np.1 1 One\n"},
        "add_condition": {"after_step_order": "1", "expression": "n < 3", "branch": "add_steps",
                          "added": "a\n\nb", "target_step_order": "", "reason": ""},
        "remove_condition": {"step_id": "p.1", "condition_number": "1"},
        "update_plan": {"name": "New", "stall_after": "60", "max_parallel_steps": ""},
        "remove_step": {"step_id": "p.1", "other": "x"},
    }  # fmt: skip

    assert {name: CHANGES[name].read(form) for name, form in sent.items()} == {
        "add_steps": {"steps": [{"instructions": "Do"}], "insert_after_order": 2},
        "reorder_steps": {"step_ids": ["p.2", "p.1"]},
        "add_condition": {"condition": {
            "after_step_order": 1, "expression": "n < 3", "action": "add_steps",
            "steps": [{"instructions": "a"}, {"instructions": "b"}],
        }},
        "remove_condition": {"step_id": "p.1", "condition_number": 1},
        "update_plan": {"name": "New", "stall_after": 60},
        "remove_step": {"step_id": "p.1"},
    }  # fmt: skip


def test_what_is_no_number_is_told_beside_its_field() -> None:
    with pytest.raises(InvalidInput) as no:
        number({"stall_after": "soon"}, "stall_after")

    assert no.value.fields == (("stall_after", "is no number"),)
    assert number({}, "stall_after") is None
