"""What the rules write beside statuses; the stories play each of them, here are the edges."""

from interlock.kernel.decide import decide
from interlock.kernel.look import look
from interlock.kernel.replay import apply
from interlock.kernel.seen import Event
from interlock.workflows.plan.workflow import WORKFLOW
from interlock.workflows.plan.writing import NOTES_MAX, SETTINGS, WRITING_FUNCTIONS
from tests.workflows.story import OTHER, standing


def test_a_step_remembers_its_last_attempts_only() -> None:
    now = standing(WORKFLOW, "step", "stalled: in_progress!", {})
    for turn in range(NOTES_MAX + 5):
        event = Event("take_over", OTHER, "1", {"reason": f"turn {turn}"})
        now = apply(WORKFLOW, now, decide(WORKFLOW, look(WORKFLOW, now, event), event))
        lapsed = Event("lapse", OTHER._replace(kind="system"), "1")
        now = apply(WORKFLOW, now, decide(WORKFLOW, look(WORKFLOW, now, lapsed), lapsed))
    notes = now.parts[0].fields["notes"]

    assert isinstance(notes, tuple)
    assert len(notes) == NOTES_MAX
    assert notes[-1] == {
        "attempt": NOTES_MAX + 5, "ended_by": "taken_over", "reason": f"turn {NOTES_MAX + 4}",
    }  # fmt: skip


def test_what_update_plan_sets_are_fields_that_a_plan_has() -> None:
    assert set(SETTINGS) <= set(WORKFLOW.defaults())


def test_every_function_has_a_name_of_its_own() -> None:
    assert len(set(WRITING_FUNCTIONS.values())) == len(WRITING_FUNCTIONS)
