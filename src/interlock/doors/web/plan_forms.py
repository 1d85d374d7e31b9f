"""How a plan can be changed by a person: for each way a form, and what is sent for it.

Only fields are described and read here; the page around them is ``plan_change``.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from interlock.doors.web.csrf import Form
from interlock.service.errors import InvalidInput

Kind = Literal["line", "text", "number", "choice", "step", "order", "steps"]
Sent = dict[str, object]

TYPES: Final = ("custom", "search", "extract", "analyze", "critique", "synthesize", "checkpoint")


class Field(NamedTuple):
    """One field of a form; ``step`` and ``order`` choose a step, ``steps`` sorts all of them."""

    name: str
    label: str
    kind: Kind = "line"
    hint: str = ""
    choices: tuple[str, ...] = ()
    is_needed: bool = False


class Change(NamedTuple):
    """A way to change a plan."""

    title: str
    hint: str
    fields: tuple[Field, ...]
    read: Callable[[Form], Sent]


def number(form: Form, name: str) -> int | None:
    """Return a number that was entered; raises ``InvalidInput`` for anything else."""
    text = form.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        message = f"{name.replace('_', ' ')} is no number."
        raise InvalidInput(message, fix="Enter digits only.", fields=((name, "is no number"),))
    return int(text[:12])


def words(form: Form, *names: str) -> Sent:
    """Return what was entered under these names; what is blank is left out."""
    return {name: form[name] for name in names if form.get(name, "").strip()}


def _added(form: Form) -> Sent:
    step = {"instructions": form.get("instructions", "")}
    step |= {str(k): str(v) for k, v in words(form, "title", "acceptance", "step_type").items()}
    return {"steps": [step], "insert_after_order": number(form, "insert_after_order")}


def _ordered(form: Form) -> Sent:
    lines = form.get("step_ids", "").splitlines()
    return {"step_ids": [line.split()[0] for line in lines if line.strip()]}


def _condition(form: Form) -> Sent:
    row: Sent = {"after_step_order": number(form, "after_step_order") or 0}
    row |= words(form, "expression", "reason")
    row["action"] = form.get("branch", "")
    row["target_step_order"] = number(form, "target_step_order")
    if form.get("added", "").strip():
        lines = form["added"].splitlines()
        row["steps"] = [{"instructions": line.strip()} for line in lines if line.strip()]
    return {"condition": {name: value for name, value in row.items() if value is not None}}


def _dropped(form: Form) -> Sent:
    return {**words(form, "step_id"), "condition_number": number(form, "condition_number")}


def _settings(form: Form) -> Sent:
    said = words(form, "name", "output_formatting_notes", "review_policy")
    numbers = {name: number(form, name) for name in ("stall_after", "max_parallel_steps")}
    return said | {name: value for name, value in numbers.items() if value is not None}


_STEP: Final = Field("step_id", "Which step", "step", is_needed=True)

# fmt: off
CHANGES: Final[Mapping[str, Change]] = {
    "add_steps": Change("Add a step", "It is put after the step you name, else at the end.", (
        Field("title", "Title"),
        Field("instructions", "Instructions", "text", "What the agent is told.", is_needed=True),
        Field("acceptance", "How to tell that it is done", "text"),
        Field("step_type", "Sort", "choice", choices=TYPES),
        Field("insert_after_order", "After", "order"),
    ), _added),
    "update_step_instructions": Change("Change a step", "What is left blank stays as it is.", (
        _STEP, Field("title", "Title"), Field("instructions", "Instructions", "text"),
        Field("acceptance", "How to tell that it is done", "text"),
    ), lambda form: words(form, "step_id", "title", "instructions", "acceptance")),
    "remove_step": Change("Remove a step", "Only one that has not been begun.", (_STEP,),
                          lambda form: words(form, "step_id")),
    "reorder_steps": Change("Put in another order", "", (
        Field("step_ids", "The steps, one a line, in their new order", "steps",
              "Move whole lines; only the first word of each counts.", is_needed=True),
    ), _ordered),
    "fail_step": Change("Give a step up", "It counts as failed; the plan goes on without it.", (
        _STEP, Field("reason", "Reason", "text", is_needed=True),
    ), lambda form: words(form, "step_id", "reason")),
    "retry_step": Change("Try a failed step again", "", (
        _STEP, Field("reason", "Reason", "text"),
    ), lambda form: words(form, "step_id", "reason")),
    "add_condition": Change("Add a branch", "Asked once the step has completed.", (
        Field("after_step_order", "After", "order", is_needed=True),
        Field("expression", "If", hint="Such as: confidence < 0.6", is_needed=True),
        Field("branch", "Then", "choice", choices=("add_steps", "skip_to", "fail", "continue")),
        Field("added", "Steps to add, one a line", "text", "For add_steps."),
        Field("target_step_order", "Step to skip to", "order", "For skip_to."),
        Field("reason", "Reason", hint="For fail."),
    ), _condition),
    "remove_condition": Change("Remove a branch", "", (
        _STEP, Field("condition_number", "Which of its branches, from 1", "number", is_needed=True),
    ), _dropped),
    "update_plan": Change("Settings", "What is left blank stays as it is.", (
        Field("name", "Name"),
        Field("output_formatting_notes", "How the outcome is to look", "text"),
        Field("review_policy", "Who decides at a review", "choice", choices=("", "human", "relay")),
        Field("stall_after", "Seconds without a sign of life until it counts as stalled", "number"),
        Field("max_parallel_steps", "Steps at once", "number"),
    ), _settings),
}
# fmt: on
