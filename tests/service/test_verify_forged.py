"""A log whose hashes were all made anew is still judged: what it tells must have been possible."""

from dataclasses import replace
from pathlib import Path

import pytest

from interlock.kernel.workflow import Workflow
from interlock.service.verify import Finding
from interlock.workflows.built_in import WORKFLOWS
from tests.service.desk import at_desk
from tests.service.test_verify import LAST, at_review, forge, only, tamper, verdict_of

NO_EDGE = "this is no edge of the machine"
NO_STATUS = "this is no status of the machine"
ELSEWHERE = "this moved from where it did not stand"
SAID = "UPDATE audit SET body = replace(body, {!r}, {!r}) WHERE sequence = {}"

# What was done to the log, the entry that is named, and what is said of it.
FORGED = {
    "another target": (
        SAID.format('"target":"awaiting_input"', '"target":"failed"', 10),
        10, NO_EDGE, "", "step in_progress --ask--> failed",
    ),
    "a kind that there is not": (
        SAID.format('"kind":"step"', '"kind":"stop"', 10),
        10, NO_EDGE, "", "stop in_progress --ask--> awaiting_input",
    ),
    "an edge of another kind": (
        SAID.format('"kind":"plan"', '"kind":"step"', 11),
        11, NO_EDGE, "", "step executing --review--> awaiting_review",
    ),
    "another part": (
        "UPDATE audit SET body = replace(body, '.3\"],\"kind', '.2\"],\"kind') WHERE sequence = 10",
        10, ELSEWHERE, "step skipped", "step in_progress --ask--> awaiting_input",
    ),
    "a unit that begins nowhere": (
        SAID.format('"target":"planning"', '"target":"dreaming"', 1),
        1, NO_STATUS, "", "plan dreaming",
    ),
    "a part that begins nowhere": (
        SAID.format('"target":"pending"', '"target":"planning"', 3),
        3, NO_STATUS, "", "step planning",
    ),
    "a part of no kind": (
        SAID.format('"kind":"step"', '"kind":"stop"', 3), 3, NO_STATUS, "", "stop pending",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", FORGED)
def test_what_could_not_have_happened_is_named(tmp_path: Path, how: str) -> None:
    unit = at_desk(tmp_path, at_review)
    statement, *told = FORGED[how]
    tamper(tmp_path, statement)
    forge(tmp_path, unit)

    assert only(tmp_path) == Finding(unit, *told)  # type: ignore[arg-type]  # a row of the table


def test_a_move_that_was_left_out_is_missed(tmp_path: Path) -> None:
    """Each move that is left is an edge, and they end where the unit stands."""
    unit = at_desk(tmp_path, at_review)
    tamper(
        tmp_path,
        "DELETE FROM audit WHERE sequence = 9",
        "UPDATE audit SET sequence = sequence - 1 WHERE sequence = 10",
        "UPDATE audit SET sequence = sequence - 1 WHERE sequence = 11",
        "UPDATE units SET version = 10",
    )
    forge(tmp_path, unit)

    told = "step in_progress --ask--> awaiting_input"
    assert only(tmp_path) == Finding(unit, 9, ELSEWHERE, "step pending", told)


def test_statuses_that_may_not_stand_together_are_named_though_log_and_rows_agree(
    tmp_path: Path,
) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(
        tmp_path,
        "DELETE FROM audit WHERE sequence = 11",
        "UPDATE units SET version = 10, status = 'executing'",
    )
    forge(tmp_path, unit)

    finding = only(tmp_path)

    assert (finding.unit, finding.sequence) == (unit, LAST - 1)
    assert finding.what.startswith("The plan is executing, where it must hold that ")


@pytest.mark.parametrize(
    ("did", "name", "expected", "found"),
    [("UPDATE units SET fields = json_set(fields, '$.extra', 1)", "extra", "", "1"),
     ("UPDATE units SET fields = json_remove(fields, '$.max_steps')", "max_steps", "1000", "")],
    ids=["more", "less"],
)  # fmt: skip
def test_a_field_that_only_one_of_log_and_rows_has_is_shown_against_nothing(
    tmp_path: Path, did: str, name: str, expected: str, found: str
) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, did)

    what = f"the log and the rows differ about the unit's {name}"
    assert only(tmp_path) == Finding(unit, LAST, what, expected, found)


SHAPES = {
    "no fields": "UPDATE audit SET body = json_set(body, '$.fields', json('[]')) WHERE sequence = 3",
    "no writes": "UPDATE audit SET body = json_set(body, '$.set', json('[]')) WHERE sequence = 3",
    "no name": "UPDATE audit SET body = json_set(body, '$.ids', json('[]')) WHERE sequence = 3",
    "no actor": "UPDATE audit SET body = json_set(body, '$.actor.age', 7) WHERE sequence = 3",
}


@pytest.mark.parametrize("how", SHAPES)
def test_an_entry_of_another_shape_is_told_and_not_stumbled_over(tmp_path: Path, how: str) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, SHAPES[how])
    forge(tmp_path, unit)

    finding = only(tmp_path)

    assert (finding.unit, finding.sequence) == (unit, 3)
    assert finding.what.startswith("the entry cannot be read: ")


def _leading(to: str) -> dict[str, Workflow]:
    """Return the workflows, of which a plan's steps are asked about along an edge to a field."""
    plan = WORKFLOWS["plan"]
    (kind,) = (part for part in plan.parts if part.name == "step")
    edges = tuple(
        replace(edge, target=to) if (edge.source, edge.on) == ("in_progress", "ask") else edge
        for edge in kind.machine.edges
    )
    kind = replace(kind, machine=replace(kind.machine, edges=edges))
    return {**WORKFLOWS, "plan": replace(plan, parts=(kind,))}


def test_where_an_edge_leads_to_is_what_the_field_said_then(tmp_path: Path) -> None:
    unit = at_desk(tmp_path, at_review)
    tamper(tmp_path, SAID.format('"shown":""', '"shown":"awaiting_input"', 4))
    forge(tmp_path, unit)

    assert at_desk(tmp_path, verdict_of, _leading("@shown")).findings == []
    (finding,) = at_desk(tmp_path, verdict_of, _leading("@title")).findings
    assert (finding.sequence, finding.what) == (10, NO_EDGE)
