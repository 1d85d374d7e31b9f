"""What each event about a tool step does: it is claimed, run, tried again, completed or given up.

A failure that is retried is retried in place: the step stays EXECUTING and only the number of
its tries grows, because no edge leads back to where it could be started. Whoever reported the
failure keeps the step; when the lease ran out nobody has it, and it is claimed again as it
stands. An attempt begins only when each input is ready: a missing one is found out by the claim,
and fails the step on the spot instead of handing it out.
"""

from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Any, Both, Either, Form, Free, Functions, In, Is, Named, Not
from interlock.kernel.rules import Do, Fire, Guard, Rule
from interlock.workflows.mission.failures import failure_of, keep_attempt
from interlock.workflows.mission.guards import (
    AGENTS,
    CLOCK,
    GOING_ON,
    LEASED,
    MINE,
    OPEN,
    mission_is,
    part_is,
)

STEP_TO_RUN: Final[Form] = Either(
    (
        Both((In("part", ("READY_TO_EXECUTE",)), Not(Any("tool_step", ("EXECUTING",))))),
        Both((In("part", ("EXECUTING",)), Is("part", "holder", (None,)))),
    )
)
"""Steps run strictly in order: one starts when no other runs, or goes on when nobody has it."""

IN_TURN: Final = Guard(
    STEP_TO_RUN,
    "WORK_HELD",
    "Somebody runs a tool step of this hop already.",
    "Call get_next_work for other work.",
)
RUNS: Final = Guard(
    In("part", ("EXECUTING",)),
    "LATE_RESULT",
    "The tool step does not run any more; the result was recorded and discarded.",
    "Call get_next_work for other work.",
)


OUTCOME: Final = ("result", "error")


def _keep_result(draft: Draft) -> None:
    args = draft.event.args
    for name in OUTCOME:
        if name in args:
            draft.write("part", name, args[name])
    if failure_of(draft) is not None:
        keep_attempt(draft, args.get("error"))


def _makes(draft: Draft) -> tuple[object, ...]:
    return cast("tuple[object, ...]", draft.part.fields["makes"])


def _ready(draft: Draft) -> tuple[object, ...]:
    return cast("tuple[object, ...]", draft.unit.fields["ready"])


def _outputs_begun(draft: Draft) -> None:
    makes = _makes(draft)
    draft.write("unit", "ready", tuple(x for x in _ready(draft) if x not in makes))


def _outputs_made(draft: Draft) -> None:
    draft.write("unit", "ready", tuple(sorted({*_ready(draft), *_makes(draft)}, key=str)))


FUNCTIONS: Final[Functions] = {
    "keep_result": _keep_result,
    "outputs_begun": _outputs_begun,
    "outputs_made": _outputs_made,
}

IS_BLOCKED: Final[Form] = Not(Free())
FAILS: Final = Fire("part", "fail", when=Named("is_given_up"))
TRIES_AGAIN: Final = Do("count_try", when=Named("is_retried"))
SEES: Final = ("part", "parent", "children")

# fmt: off
RULES: Final = (
    Rule(
        "claim_tool_step", "tool_step", AGENTS, command="get_next_work",
        doc="Hand out the next tool step of the executing hop, with a lease.",
        guards=(OPEN, mission_is("EXECUTING_HOP"), part_is("READY_TO_EXECUTE", "EXECUTING"), GOING_ON, IN_TURN),
        walk=(
            Fire("part", "start", maybe=True),
            Do("note_blocked", when=IS_BLOCKED), Fire("part", "fail", when=IS_BLOCKED),
            Do("grant_lease", when=Free()),
        ),
        sees=("next", "parent", "children", "dependents"),
    ),
    Rule(
        "heartbeat_tool_step", "tool_step", AGENTS, command="heartbeat_work", lease=True,
        doc="A sign of life: the lease is extended; whoever keeps the time does that.",
        guards=(OPEN, part_is("EXECUTING"), LEASED, MINE),
        sees=SEES,
    ),
    Rule(
        "release_tool_step", "tool_step", AGENTS, command="release_work", lease=True,
        doc="Give the tool step back; it is claimed again as it stands, and no try is counted.",
        guards=(OPEN, part_is("EXECUTING"), LEASED, MINE),
        walk=(Do("end_lease"),),
        sees=SEES,
    ),
    Rule(
        "lapse_tool_step", "tool_step", CLOCK,
        doc="The clock says that the lease ran out, which counts as a transient failure.",
        guards=(OPEN, part_is("EXECUTING"), LEASED),
        walk=(Do("note_lapse"), FAILS, TRIES_AGAIN, Do("end_lease")),
        sees=SEES,
    ),
    Rule(
        "submit_tool_result", "tool_step", AGENTS, command="submit_tool_result", lease=True,
        doc="The tool's result, or the class of its failure.",
        guards=(RUNS, LEASED, MINE),
        walk=(
            Do("keep_result"), FAILS, TRIES_AGAIN,
            Fire("part", "complete", when=Named("has_succeeded")),
        ),
        sees=(*SEES, "dependents"),
        examples=(
            {"result": "what the tool returned"}, {"failure": "transient"},
            {"failure": "validation"}, {"failure": "resource_unavailable"},
        ),
    ),
)
# fmt: on
