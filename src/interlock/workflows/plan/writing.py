"""What the rules write beside statuses: reasons, notes, feedback, instructions and limits.

None of it is read by a rule, so nothing here can change where a plan goes.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import Write, make
from interlock.kernel.forms import Functions
from interlock.kernel.rules import USER
from interlock.workflows.plan.branching import add_rows

NOTES_MAX: Final = 20
"""How many earlier attempts a step remembers; the audit has them all."""

RESULT: Final = (
    ("confidence", "confidence"), ("digest_of_result", "result"),
    ("formatting_notes", "formatting_notes"),
)  # fmt: skip
"""What is kept of a result beside its summary: what the event calls it, and the step."""

ENDED_BY: Final = {
    "claim": "lease_expired", "take_over": "taken_over", "release": "released",
    "retry_step": "failed",
}  # fmt: skip

FEEDBACK: Final = "User feedback:"
RELAYED: Final = "User feedback (relayed by an agent, not confirmed by a person):"
SETTINGS: Final = (
    "name", "formatting_notes", "review_policy", "lease_ms", "max_parallel", "is_shuffled",
)  # fmt: skip
"""What update_plan may set."""


def _told(draft: Draft, name: str) -> str:
    return str(draft.event.args.get(name) or "")


def _note_attempt(draft: Draft) -> None:
    """Remember why an attempt ended without a result, for whoever tries next."""
    fields = draft.part.fields
    ended_by = ENDED_BY.get(draft.event.name, draft.event.name)
    note: dict[str, object] = {"attempt": fields["attempt"], "ended_by": ended_by}
    if fields["failure"]:
        note["failure"] = fields["failure"]
    note |= {name: _told(draft, name) for name in ("note", "reason") if _told(draft, name)}
    notes = cast("tuple[object, ...]", fields["notes"])
    draft.write("part", "notes", (*notes, note)[-NOTES_MAX:])


def _keep_result(draft: Draft) -> None:
    """Keep what a step has come to in short; the result itself is an artifact."""
    args, part = draft.event.args, draft.part
    kept: dict[str, object] = {"summary": _told(draft, "result_summary")}
    kept |= {field: args[name] for name, field in RESULT if name in args}
    # All at once: every submit comes by here.
    part.fields = {**part.fields, **kept}
    draft.entries.extend([make(Write, ("part", part.kind, *one)) for one in kept.items()])


def _keep_reason(draft: Draft) -> None:
    """Keep why a step has failed."""
    draft.write("part", "failure", _told(draft, "reason") or _told(draft, "feedback"))


def _keep_plan_reason(draft: Draft) -> None:
    """Keep why a plan has failed."""
    draft.write("unit", "failure", _told(draft, "reason") or _told(draft, "feedback"))


def _forget_failure(draft: Draft) -> None:
    draft.write("part", "failure", "")


def _append_feedback(draft: Draft) -> None:
    """Add what the reviewer wants to the instructions; an agent's relay is marked as one."""
    label = FEEDBACK if draft.event.actor.kind == USER else RELAYED
    before = str(draft.part.fields["instructions"])
    text = f"{before}\n\n---\n\n{label}\n\n{_told(draft, 'feedback')}"
    draft.write("part", "instructions", text)


def _write_instructions(draft: Draft) -> None:
    args = draft.event.args
    for name in ("instructions", "title", "acceptance"):
        if args.get(name) is not None:
            draft.write("part", name, args[name])


def _write_settings(draft: Draft) -> None:
    args = draft.event.args
    for name in SETTINGS:
        if name in args:
            draft.write("unit", name, args[name])


def _insert_steps(draft: Draft) -> None:
    add_rows(draft, cast("list[dict[str, object]]", draft.event.args.get("steps", [])), "part")


WRITING_FUNCTIONS: Final[Functions] = {
    "note_attempt": _note_attempt,
    "keep_result": _keep_result,
    "keep_reason": _keep_reason,
    "keep_plan_reason": _keep_plan_reason,
    "forget_failure": _forget_failure,
    "append_feedback": _append_feedback,
    "write_instructions": _write_instructions,
    "write_settings": _write_settings,
    "insert_steps": _insert_steps,
}
