"""Every row of a workflow's tables by name, and the workflow without it."""

from collections import Counter
from dataclasses import replace

import pytest

from interlock.kernel.rows import rows
from interlock.kernel.rules import Guard
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS
from tests.kernel.boxes import SHELVES
from tests.kernel.tiny import CASES, added, case_is

EVERY = [*WORKFLOWS.values(), CASES]


def counted(flow: Workflow) -> Counter[str]:
    """Count the rows of a workflow by hand."""
    edges = [edge for machine in flow.machines() for edge in machine.edges]
    return Counter(
        edge=len(edges),
        guard=sum(len(e.guards) for e in edges) + sum(len(r.guards) for r in flow.rules),
        walk=sum(len(rule.walk) for rule in flow.rules),
        lift=len(flow.lifts),
        cascade=len(flow.cascades),
        pair=len(flow.pairs),
    )


@pytest.mark.parametrize("flow", EVERY, ids=lambda flow: flow.name)
def test_every_row_is_listed(flow: Workflow) -> None:
    listed = Counter(row.kind for row in rows(flow))

    assert listed == +counted(flow)


@pytest.mark.parametrize("flow", EVERY, ids=lambda flow: flow.name)
def test_a_workflow_without_a_row_lacks_that_row_and_nothing_else(flow: Workflow) -> None:
    before = counted(flow)
    # Making a workflow checks all of it: of long tables a part will do.
    for row in rows(flow)[:: max(1, len(rows(flow)) // 120)]:
        missing = before - counted(row.without())
        # The guards of an edge go with it.
        gone = missing.pop("guard", 0) if row.kind == "edge" else 0

        assert missing == Counter({row.kind: 1}), row.name
        assert gone == 0 or row.kind == "edge"


def test_rows_have_names_that_tell_which_they_are() -> None:
    names = [row.name for row in rows(CASES)]

    assert names[:2] == ["edge case open begin", "edge case busy ask"]
    assert "guard finish NOT_YOURS lease is mine" in names
    assert "walk claim 4 grant_lease" in names
    assert "walk claim 1 unit begin" in names
    assert names[-4:] == [
        "lift every item is over",
        "cascade a dropped case voids its items",
        "pair an ended case has no open item",
        "pair an open case has not begun",
    ]


@pytest.mark.parametrize("flow", EVERY, ids=lambda flow: flow.name)
def test_every_row_has_a_name_of_its_own(flow: Workflow) -> None:
    names = Counter(row.name for row in rows(flow))

    assert [name for name, count in names.items() if count > 1] == []


def test_the_guard_of_an_edge_is_a_row_too() -> None:
    edges = tuple(
        replace(e, guards=(case_is("busy"),)) if e.on == "ask" else e for e in CASES.unit.edges
    )
    flow = added(unit=replace(CASES.unit, edges=edges))
    [row] = [row for row in rows(flow) if row.name.startswith("edge case busy ask guard")]

    assert row.kind == "guard"
    assert row.without().unit.edges == CASES.unit.edges


def test_without_an_edge_of_one_kind_of_part_the_other_kinds_keep_theirs() -> None:
    [row] = [row for row in rows(SHELVES) if row.name == "edge item loose pack"]
    without = row.without()

    assert len(without.machine("item").edges) == len(SHELVES.machine("item").edges) - 1
    assert without.machine("box") is SHELVES.machine("box")


def test_of_two_equal_guards_only_one_is_taken_out() -> None:
    twice = (case_is("busy"), Guard(case_is("busy").test))
    rules = tuple(replace(r, guards=twice) if r.event == "ask" else r for r in CASES.rules)
    flow = replace(CASES, rules=rules)
    first = next(row for row in rows(flow) if row.name.startswith("guard ask"))
    rule = first.without().rule("ask")

    assert rule is not None
    assert len(rule.guards) == 1
