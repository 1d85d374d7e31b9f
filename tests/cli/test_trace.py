"""The picture of a finding: a machine with the way there marked, or the status in question."""

from dataclasses import replace

import pytest

from interlock.cli.bounds import ImpossibleBounds
from interlock.cli.trace import picture_of
from interlock.kernel.check.explore import explore
from interlock.kernel.check.report import report
from interlock.kernel.check.walk import Walk
from interlock.kernel.forms import In
from interlock.kernel.rules import Guard
from interlock.picture import svg
from interlock.workflows.plan.scope import scope
from interlock.workflows.plan.workflow import WORKFLOW
from tests.cli.terminal import UNFINISHED

NEVER = Guard(In("unit", ("completed",)))
NEVER_SKIPS = replace(
    WORKFLOW,
    rules=tuple(
        replace(rule, guards=(NEVER, *rule.guards)) if rule.event == "skip" else rule
        for rule in WORKFLOW.rules
    ),
)


@pytest.fixture(scope="module")
def walk() -> Walk:
    return explore(scope(1, UNFINISHED))


def _marked(drawn: str, words: str) -> list[str]:
    """Return the statuses whose nodes carry these words."""
    lines = (line.strip() for line in drawn.splitlines() if f">{words}<" in line)
    return [line.split('"')[1].partition(".")[2] for line in lines]


def test_the_way_to_a_finding_is_marked_status_by_status(walk: Walk) -> None:
    found = report(walk)
    kinds = [one.finding.kind for one in found.findings]
    number = kinds.index("ILLEGAL_PAIR") + 1
    drawn = picture_of(walk.graph, found, number)

    assert found.findings[number - 1].standing.startswith("planning")
    assert _marked(drawn, "visit 1") == ["planning"]
    assert _marked(drawn, "here") == ["planning"]
    assert svg(drawn).startswith("<svg")


def test_a_longer_way_counts_its_places(walk: Walk) -> None:
    found = report(walk)
    standings = [one.standing.split(" ")[0] for one in found.findings]
    drawn = picture_of(walk.graph, found, standings.index("awaiting_review") + 1)
    visits = [_marked(drawn, f"visit {place}") for place in (1, 2, 3)]

    assert visits == [["planning"], ["executing"], ["awaiting_review"]]
    assert _marked(drawn, "here") == ["awaiting_review"]


@pytest.mark.parametrize("number", [0, -1, 99])
def test_a_finding_that_is_not_there_cannot_be_drawn(walk: Walk, number: int) -> None:
    found = report(walk)
    with pytest.raises(ImpossibleBounds) as caught:
        picture_of(walk.graph, found, number)

    assert caught.value.message == f"There is no finding {number}."
    assert caught.value.fix == f"Say --picture 1 to {len(found.findings)}."


def test_without_findings_there_is_nothing_to_draw() -> None:
    sound = explore(scope(1))
    with pytest.raises(ImpossibleBounds, match="no findings, so none can be drawn"):
        picture_of(sound.graph, report(sound), 1)


@pytest.mark.parametrize(
    ("where", "marked"), [("step awaiting_input skip", ["awaiting_input"]), ("step skip", [])]
)
def test_a_finding_about_a_row_is_drawn_on_its_machine(where: str, marked: list[str]) -> None:
    bent = explore(replace(scope(1, NEVER_SKIPS), is_wide=True))
    found = report(bent)
    wheres = [one.finding.where for one in found.findings]
    drawn = picture_of(bent.graph, found, wheres.index(where) + 1)

    assert _marked(drawn, "here") == marked
    assert '"step.pending"' in drawn
