"""What may happen next to a unit or a part: each move with what it does, who may, and its form."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from interlock.commands.all import COMMANDS
from interlock.kernel.rules import SYSTEM, USER
from interlock.kernel.why import Call
from interlock.kernel.workflow import Workflow

WHO: Final = {"agent": "agents", "worker": "workers", USER: "people", SYSTEM: "the clock"}
MOVES_MAX: Final = 30
PULLS: Final = "get_next"
"""How commands begin that hand out work: whoever works calls those."""

FORMS: Final = {
    "edit_ticket": "#edit", "start": "#start", "answer_batch": "#answers",
    "skip_question": "#answers", "edit_answer": "#said", "skip_all": "#skip-all",
    "save_artifact": "#approval", "retry": "#retry", "regenerate_setup_plan": "#regenerate",
}  # fmt: skip
"""Commands that have a form of their own on the page of the unit."""

REVIEWED: Final = {
    "interview": "interview", "prd": "prd", "beads": "beads", "setup": "execution_setup_plan",
}  # fmt: skip
"""What is reopened on a page of its own, and the document that is."""


class Move(NamedTuple):
    """One thing that may happen; ``path`` leads to the form for it, where there is one."""

    label: str
    doc: str
    who: str
    effects: tuple[str, ...]
    path: str


def moves(
    flow: Workflow, unit: str, calls: Iterable[Call], gate: str, *, may: bool
) -> tuple[Move, ...]:
    """Tell each event once, as it was tried first."""
    first: dict[str, Call] = {}
    for call in calls:
        first.setdefault(call.event, call)
    return tuple(_move(flow, unit, call, gate if may else "", may=may) for call in first.values())[
        :MOVES_MAX
    ]


def _move(flow: Workflow, unit: str, call: Call, gate: str, *, may: bool) -> Move:
    rule = flow.rule(call.event)
    is_held = rule is not None and rule.lease
    # What is decided at a gate is decided where it is shown.
    is_decision = rule is not None and "gate" in rule.sees
    path = ""
    if may and USER in call.actors:
        path = path_of(unit, call, gate, is_held=is_held, is_decision=is_decision)
    return Move(
        call.event.replace("_", " "),
        "" if rule is None else rule.doc,
        ", ".join(WHO[actor] for actor in call.actors),
        tuple(move.replace("->", "→") for move in call.moves),
        path,
    )


def path_of(unit: str, call: Call, gate: str, *, is_held: bool, is_decision: bool = False) -> str:
    """Return where the form for a call is; empty where only programs send it."""
    command, _, action = call.command.partition(" ")
    part = "" if call.part is None else str(call.part)
    if gate and is_decision:
        return f"/gates/{gate}"
    own = _own(command, action, part)
    if own:
        return f"/units/{unit}{own}"
    row = COMMANDS.get(command)
    if row is None or not row.takes_version or is_held or command.startswith(PULLS):
        return ""
    return f"/units/{unit}/act/{command}" + (f"?part={part}" if part else "")


def _own(command: str, action: str, part: str) -> str:
    """Return the place of a form that is made for a command, behind the address of the unit."""
    if command == "modify_plan":
        about = f"&step={part}" if part else ""
        return f"/modify?action={action}{about}"
    if command == "take_over_step":
        return f"/parts/{part.rpartition('.')[2]}#take-over"
    if command == "reopen" and action in REVIEWED:
        return f"/documents/{REVIEWED[action]}#reopen"
    return FORMS.get(command, "")
