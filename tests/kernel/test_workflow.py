"""A workflow: its rows by name, and that one which exists can be run."""

from dataclasses import replace

import pytest

from interlock.kernel.machine import Machine, Status
from interlock.kernel.refusal import Legal
from interlock.kernel.rules import Rule
from interlock.kernel.workflow import Field, InvalidWorkflow, PartKind, lease
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASE, CASES, HANDS, ITEM, ITEM_KIND, added


def test_rules_kinds_and_machines_are_found_by_name() -> None:
    assert CASES.rule("finish") is CASES.rules[1]
    assert CASES.rule("xyzzy") is None
    assert CASES.kind("item") is ITEM_KIND
    assert (CASES.machine("case"), CASES.machine("item")) == (CASE, ITEM)
    assert CASES.machines() == (CASE, ITEM)


@pytest.mark.parametrize("name", ["case", "itme"])
def test_a_kind_of_part_that_is_none_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError, match=name):
        CASES.kind(name)


def test_defaults_are_what_a_new_thing_carries() -> None:
    assert CASES.defaults() == {"shown": "", "most": None}
    assert ITEM_KIND.defaults() == {"holder": None, "fence": 0, "lapsed": False, "note": ""}


def test_a_lease_ends_with_its_statuses_and_leaves_its_number() -> None:
    assert lease("held") == (
        Field("holder", during=("held",)),
        Field("fence", 0),
        Field("lapsed", default=False, during=("held",)),
    )


def test_what_is_legal_is_told_by_status_and_kind() -> None:
    assert CASES.legal("busy", "case") == (
        Legal("ask", "", ("agent",)),
        Legal("drop", "drop the case", ("user",)),
    )
    assert [row.event for row in CASES.legal("busy", "item", "held")] == [
        "claim",
        "finish",
        "give_back",
        "lapse",
    ]
    assert CASES.legal("closed", "case") == ()


def test_the_nearest_event_is_named_or_none() -> None:
    assert CASES.nearest("finnish") == "finish"
    assert CASES.nearest("xyzzy") == ""


def test_its_shape_is_told_from_the_unit_down() -> None:
    assert CASES.shape() == "case > item"
    assert SHELVES.shape() == "shelf > box > item"
    assert WORKFLOWS["mission"].shape() == "mission > hop > asset, tool_step"


def test_what_has_parts_of_its_own_is_told_before_what_has_none() -> None:
    lid = PartKind(Machine("lid", "on", (Status("on"),), ()))

    assert added(flow=SHELVES, parts=(lid, *SHELVES.parts)).shape() == "shelf > box > item, lid"
    bag = PartKind(Machine("bag", "on", (Status("on"),), ()))
    assert added(flow=SHELVES, parts=(bag, *SHELVES.parts)).shape() == "shelf > box > item, bag"


def test_rows_that_do_not_fit_together_make_no_workflow() -> None:
    with pytest.raises(InvalidWorkflow) as caught:
        added(Rule("x", "itme", HANDS))

    assert (caught.value.code, caught.value.http) == ("INVALID_WORKFLOW", 422)
    assert caught.value.fix == "Mend the rows named in the message."


def test_two_workflows_of_the_same_rows_are_equal_and_have_tables_of_their_own() -> None:
    other = replace(CASES)

    assert other == CASES
    assert other.table is not CASES.table


def test_what_is_legal_is_the_same_when_it_is_asked_again_and_names_the_command() -> None:
    flow = replace(CASES)
    first = flow.legal("busy", "item", "held")

    assert flow.legal("busy", "item", "held") is first
    assert [
        row.command for row in flow.legal("open", "item", "waiting") if row.event == "claim"
    ] == ["take the next item"]
    assert flow.legal("open", "item") == flow.legal("open", "item", "")


def test_a_timer_is_found_by_whose_it_is() -> None:
    mission = WORKFLOWS["mission"]
    timed = [kind for kind in mission.parts if kind.timer is not None]

    assert timed
    assert mission.timer_of(mission.unit.name) is mission.timer
    assert [mission.timer_of(kind.name) for kind in timed] == [kind.timer for kind in timed]
