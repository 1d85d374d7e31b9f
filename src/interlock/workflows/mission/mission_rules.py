"""What each event about the mission itself does: accept, propose the next hop, end, reset.

``propose_mission`` is not here: it makes the unit, and there is nothing to decide about it yet.
"""

from collections.abc import Sequence
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, By, Either, Functions, In, Is, Named, Not
from interlock.kernel.rules import USER, Do, Fire, Guard, Rule
from interlock.workflows.guards import REASON
from interlock.workflows.mission.guards import (
    AGENTS,
    CAN_BE_HELD,
    CLOCK,
    DECIDERS,
    EITHER,
    FRESH,
    HELD,
    NO_ACTIVE_HOP,
    OPEN,
    OVER,
    PEOPLE_DECIDE,
    PEOPLE_END,
    PERSON,
    mission_is,
)
from interlock.workflows.mission.machines import LIVE

# -- guards ------------------------------------------------------------------------------------

SOMETHING_DONE: Final = Guard(
    Any("hop", ("COMPLETED",)),
    "NOTHING_DONE",
    "No hop of the mission has completed yet.",
    "Let a hop complete first, or cancel the mission.",
)
OUTPUTS_READY: Final = Guard(
    Named("outputs_are_ready"),
    "OUTPUTS_MISSING",
    "Not every output asset of the mission is ready.",
    "Let a hop make what is missing, or supply it with set_asset.",
)
NOT_DONE: Final = Guard(
    In("unit", (*LIVE, "FAILED")),
    "MISSION_TERMINAL",
    "The mission has been completed or cancelled already.",
    "Nothing is left to cancel; reset_mission starts it anew.",
)
HAS_DEADLINE: Final = Guard(
    Either((By((USER,)), Not(Is("unit", "deadline", (None,))))),
    "NO_DEADLINE",
    "The mission has no deadline for its repair, so only a person gives it up.",
    "Wait for a person.",
)
NOT_SUPERSEDED: Final = Guard(
    Is("unit", "superseded_by", (None,)),
    "ALREADY_RESET",
    "The mission has been reset already; its successor is named in superseded_by.",
    "Go on with the successor.",
)
SUCCESSOR: Final = Guard(
    Not(Is("event", "successor", (None, ""))),
    "SUCCESSOR_REQUIRED",
    "The reset does not name the mission that begins in place of this one.",
    "Make the new mission first and send its id.",
)

# -- functions ---------------------------------------------------------------------------------

CONTENT: Final = ("name", "description", "goal", "success_criteria", "inputs")
HOP_CONTENT: Final = ("name", "description", "goal", "success_criteria", "rationale")
"""What a proposal says; no rule reads it."""


def _edit(draft: Draft) -> None:
    args = draft.event.args
    for name in (*CONTENT, "deadline"):
        if name in args:
            draft.write("unit", name, args[name])
    draft.write("unit", "shown", str(args.get("digest", "")))


def _accept_assets(draft: Draft) -> None:
    """Accept every proposed asset: those of the mission, or those that came with its hop."""
    draft.move_all("asset", "accept")


def _make_hop(draft: Draft) -> None:
    args = draft.event.args
    number = cast("int", draft.unit.fields["hops_made"]) + 1
    draft.write("unit", "hops_made", number)
    known = draft.flow.kind("hop").defaults()
    told = {name: args[name] for name in HOP_CONTENT if name in args}
    fields = {
        **known,
        **told,
        "sequence": number,
        "is_final": bool(args.get("is_final")),
        "inputs": tuple(cast("Sequence[object]", args.get("inputs", ()))),
        "output": args.get("output"),
        "shown": str(args.get("digest", "")),
        "concept": str(args.get("digest", "")),
    }
    draft.create(New("hop", "PROPOSED", fields))


def _outputs_are_ready(draft: Draft) -> bool:
    ready = cast("tuple[object, ...]", draft.unit.fields["ready"])
    outputs = cast("tuple[object, ...]", draft.unit.fields["outputs"])
    return set(outputs) <= set(ready)


def _name_successor(draft: Draft) -> None:
    draft.write("unit", "superseded_by", draft.event.args["successor"])


FUNCTIONS: Final[Functions] = {
    "edit_proposal": _edit,
    "accept_assets": _accept_assets,
    "make_hop": _make_hop,
    "outputs_are_ready": _outputs_are_ready,
    "name_successor": _name_successor,
}

# -- rules -------------------------------------------------------------------------------------

SHOWN: Final = "sha256:shown"
"""The digest that examples name."""

DECIDED: Final = ({"digest": SHOWN},)
BECAUSE: Final = ({"reason": "no longer wanted"},)
# Names of assets in examples are places: of the mission's input and of its output.
PROPOSED: Final = (
    {"digest": SHOWN, "inputs": (0,), "output": 1},
    {"digest": SHOWN, "inputs": (0,), "output": 1, "is_final": True},
)

# fmt: off
RULES: Final = (
    Rule(
        "edit_mission", "mission", EITHER, command="edit_mission",
        doc="Change what is proposed; whoever decides must look at it again.",
        guards=(OPEN, mission_is("PROPOSED")),
        walk=(Do("edit_proposal"),),
        examples=DECIDED,
    ),
    Rule(
        "accept_mission", "mission", DECIDERS, command="accept_mission",
        doc="The mission begins; its assets are wanted from now on.",
        guards=(OPEN, mission_is("PROPOSED"), PEOPLE_DECIDE, FRESH),
        walk=(Fire("unit", "accept_mission"), Do("accept_assets")),
        sees=("gate",), examples=DECIDED,
    ),
    Rule(
        "propose_hop", "mission", AGENTS, command="propose_hop",
        doc="Propose the next hop; of two proposals the first wins.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), NO_ACTIVE_HOP),
        walk=(Do("make_hop"),),
        examples=PROPOSED,
    ),
    Rule(
        "create_hop", "mission", PERSON, command="create_hop",
        doc="A person writes the next hop; it is decided about like any other.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), NO_ACTIVE_HOP),
        walk=(Do("make_hop"),),
        examples=PROPOSED,
    ),
    Rule(
        "complete_early", "mission", PERSON, command="complete_early",
        doc="The goal is reached without a final hop; a pending proposal is cancelled.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), REASON, SOMETHING_DONE, OUTPUTS_READY),
        walk=(Fire("unit", "complete_early"),),
        examples=BECAUSE,
    ),
    Rule(
        "abandon_recovery", "mission", PERSON | CLOCK, command="abandon_recovery",
        doc="Give up repairing the failed hop; the deadline does the same.",
        guards=(OPEN, CAN_BE_HELD, HELD, REASON, HAS_DEADLINE),
        walk=(Fire("unit", "abandon_recovery"),),
        examples=BECAUSE,
    ),
    Rule(
        "system_error", "mission", CLOCK,
        doc="Something broke that nobody can repair: the mission fails, its active hop with it.",
        guards=(OPEN,),
        walk=(Fire("unit", "system_error"),),
    ),
    Rule(
        "cancel_mission", "mission", DECIDERS, command="cancel",
        doc="End the mission, its active hop and that hop's tool steps; a failed one only by a person.",
        guards=(NOT_DONE, PEOPLE_DECIDE, PEOPLE_END, REASON),
        walk=(Fire("unit", "cancel_mission"),),
        examples=BECAUSE,
    ),
    Rule(
        "reset_mission", "mission", DECIDERS, command="reset_mission",
        doc="Name the new mission that begins in place of this one; this one keeps its status.",
        guards=(OVER, PEOPLE_DECIDE, REASON, NOT_SUPERSEDED, SUCCESSOR),
        walk=(Do("name_successor"),),
        examples=({"reason": "once more", "successor": "the new mission"},),
    ),
)
# fmt: on
