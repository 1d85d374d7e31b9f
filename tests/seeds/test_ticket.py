"""The checker finds the hole of the ticket document: blocked, with nothing to go back to."""

from dataclasses import replace

from interlock.kernel.check.explore import explore
from interlock.kernel.check.judge import judge
from interlock.kernel.rules import Rule
from tests.seeds.planting import with_rule
from tests.seeds.reading import calls, found
from tests.seeds.ticket import WORKFLOW, scope


def test_ticket_blocked_without_previous_status_can_never_succeed() -> None:
    walk = explore(scope())
    finding = found(walk, "HOPELESS", "ticket BLOCKED_ERROR")

    assert calls(walk, finding) == ["start", "snapshot_is_corrupt"]


def test_remembering_the_phase_on_every_way_in_closes_the_hole() -> None:
    remembers = WORKFLOW.rule("phase_failed")

    assert remembers is not None
    mended = with_rule(WORKFLOW, "snapshot_is_corrupt", lambda rule: _like(rule.event, remembers))

    assert judge(explore(scope(mended))) == ()


def _like(event: str, rule: Rule) -> Rule:
    return replace(rule, event=event)
