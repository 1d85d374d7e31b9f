"""What each event about a hop does: revise, accept, reject, repair, cancel, reset, delete.

How an accepted hop becomes a chain of tool steps is in ``resolution_rules``. The hop that a
mission works on is its current one; a proposed hop that is not current is a pending proposal.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from interlock.kernel.draft import Draft
from interlock.kernel.entries import New
from interlock.kernel.forms import Any, By, Either, Functions, In, Is, Named, Not
from interlock.kernel.rules import USER, Do, Fire, Guard, Rule
from interlock.workflows.guards import REASON
from interlock.workflows.mission.guards import (
    AGENTS,
    CASCADE_SAID,
    CLOCK,
    DECIDERS,
    EITHER,
    FRESH,
    HELD,
    LEASE_STANDS,
    LEASED,
    MINE,
    NO_ACTIVE_HOP,
    NOT_CURRENT,
    OPEN,
    PEOPLE_DECIDE,
    PEOPLE_END,
    PERSON,
    TAKEABLE,
    mission_is,
    part_is,
)
from interlock.workflows.mission.machines import ACTIVE_HOP
from interlock.workflows.mission.mission_rules import HOP_CONTENT, SHOWN

# -- guards ------------------------------------------------------------------------------------

WANTED: Final = Guard(
    Either((In("part", ("READY_TO_RESOLVE",)), Is("part", "is_asked"))),
    "WAITS_FOR_DECISION",
    "The proposal waits for a decision; nobody has asked for changes.",
    "Call get_next_work for other work.",
)
NOTHING_RUNS: Final = Guard(
    Not(Any("tool_step", ("EXECUTING",))),
    "STEP_RUNNING",
    "A tool step is still running.",
    "Wait until it has ended.",
)
OUTPUT_READY: Final = Guard(
    Named("output_is_ready"),
    "OUTPUTS_MISSING",
    "The output asset of the hop is not ready.",
    "Supply it with set_asset, or let the hop go on.",
)
NOT_LAPSED: Final = Guard(Is("part", "lapsed", (False,)))

# -- functions ---------------------------------------------------------------------------------


def _set_final(draft: Draft) -> None:
    is_final = draft.event.args.get("is_final")
    if is_final is not None:
        draft.write("part", "is_final", bool(is_final))


def _revise(draft: Draft) -> None:
    args = draft.event.args
    for name in (*HOP_CONTENT, "output"):
        if name in args:
            draft.write("part", name, args[name])
    if "inputs" in args:
        draft.write("part", "inputs", tuple(cast("Sequence[object]", args["inputs"])))
    for name in ("shown", "concept"):
        draft.write("part", name, str(args.get("digest", "")))
    draft.write("part", "is_asked", value=False)


def _make_current(draft: Draft) -> None:
    """Go on with the hop: from now on only its assets and the mission's outputs matter.

    Whoever accepts says which of these are ready; without that all are kept, and ``ready`` would
    grow with every hop.
    """
    draft.write("unit", "current", draft.event.part)
    if "ready" in draft.event.args:
        ready = cast("Sequence[object]", draft.event.args["ready"])
        draft.write("unit", "ready", tuple(sorted(ready, key=str)))


def _make_assets(draft: Draft) -> None:
    """Make the assets that the hop brings along; a chain's scratch comes with the chain."""
    known = draft.flow.kind("asset").defaults()
    for row in cast("Sequence[Mapping[str, object]]", draft.event.args.get("assets", ())):
        fields = {**known, **{name: row[name] for name in known if name in row}}
        draft.create(New("asset", "PROPOSED", fields))


def _delete(draft: Draft) -> None:
    draft.drop_all("tool_step", children=True, reason="hop_deleted")
    draft.drop_all("asset", children=True, reason="hop_deleted")
    draft.drop("part", "hop_deleted")


def _fix_steps(draft: Draft) -> None:
    draft.move_all("tool_step", "fix", reason="fix_hop")


def _output_is_ready(draft: Draft) -> bool:
    ready = cast("tuple[object, ...]", draft.unit.fields["ready"])
    return draft.part.fields["output"] in ready


def _archive(draft: Draft) -> None:
    draft.write("part", "is_archived", value=True)


FUNCTIONS: Final[Functions] = {
    "set_final": _set_final,
    "revise_proposal": _revise,
    "make_current": _make_current,
    "make_assets": _make_assets,
    "delete_hop": _delete,
    "fix_steps": _fix_steps,
    "output_is_ready": _output_is_ready,
    "archive": _archive,
}

# -- rules -------------------------------------------------------------------------------------

DECIDED: Final = ({"digest": SHOWN, "reason": "not what was meant"},)
BECAUSE: Final = ({"reason": "not what was meant"},)
FINAL_OR_NOT: Final = ({"digest": SHOWN}, {"digest": SHOWN, "is_final": True})
# The pairs ask about the current hop, which these rules are about themselves where there is one.
SEES: Final = ("part",)
BESIDE: Final = ("part", "current")

# fmt: off
RULES: Final = (
    Rule(
        "accept_hop", "hop", DECIDERS, command="accept_hop",
        doc="The concept is right: the hop becomes the current one and is to be resolved.",
        guards=(OPEN, part_is("PROPOSED"), PEOPLE_DECIDE, FRESH),
        walk=(
            Fire("part", "accept_hop"), Fire("unit", "accept_hop", maybe=True), Do("make_current"),
            Do("set_final"), Do("make_assets"), Do("accept_assets"), Do("end_lease"),
        ),
        sees=(*SEES, "gate"), examples=FINAL_OR_NOT,
    ),
    Rule(
        "reject_hop", "hop", DECIDERS, command="reject_hop",
        doc="The pending proposal is deleted; the mission waits for another one.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), part_is("PROPOSED"), PEOPLE_DECIDE, REASON, FRESH),
        walk=(Do("delete_hop"),),
        sees=(*SEES, "children", "gate"), examples=DECIDED,
    ),
    Rule(
        "claim_hop", "hop", AGENTS, command="get_next_work",
        doc="Hand out the current hop, with a lease: to be resolved, or revised where changes were asked for.",
        guards=(OPEN, mission_is("BUILDING_HOP"), part_is("PROPOSED", "READY_TO_RESOLVE"), WANTED, TAKEABLE),
        walk=(Do("grant_lease"),),
        sees=("next",),
    ),
    Rule(
        "revise_hop", "hop", EITHER, command="revise_hop", lease=True,
        doc="Write the proposal anew; whether it is the final hop is a person's to change.",
        guards=(OPEN, part_is("PROPOSED"), MINE, LEASE_STANDS),
        walk=(Do("revise_proposal"), Do("set_final", when=By((USER,))), Do("end_lease")),
        sees=SEES, examples=({"digest": SHOWN}, {"digest": SHOWN, "is_final": True}),
    ),
    Rule(
        "withdraw_hop", "hop", AGENTS, command="withdraw_hop",
        doc="The agent takes its pending proposal back.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), part_is("PROPOSED")),
        walk=(Do("delete_hop"),),
        sees=(*SEES, "children"),
    ),
    Rule(
        "heartbeat_hop", "hop", AGENTS, command="heartbeat_work", lease=True,
        doc="A sign of life: the lease is extended.",
        guards=(OPEN, mission_is("BUILDING_HOP"), part_is("PROPOSED", "READY_TO_RESOLVE"), LEASED, MINE),
        walk=(Do("keep_lease"),),
        sees=SEES,
    ),
    Rule(
        "release_hop", "hop", AGENTS, command="release_work", lease=True,
        doc="Give the hop back; it can be claimed again at once.",
        guards=(OPEN, mission_is("BUILDING_HOP"), part_is("PROPOSED", "READY_TO_RESOLVE"), LEASED, MINE),
        walk=(Do("end_lease"),),
        sees=SEES,
    ),
    Rule(
        "lapse_hop", "hop", CLOCK,
        doc="The clock says that the lease ran out; others may claim the hop.",
        guards=(OPEN, part_is("PROPOSED", "READY_TO_RESOLVE"), LEASED, NOT_LAPSED),
        walk=(Do("lapse_lease"),),
        sees=SEES,
    ),
    Rule(
        "fix_hop", "hop", DECIDERS, command="fix_hop",
        doc="The failed hop of a held mission is resolved anew; what it completed is kept.",
        guards=(OPEN, part_is("FAILED"), HELD, PEOPLE_DECIDE, REASON),
        walk=(
            Fire("part", "fix_hop"), Fire("unit", "fix_hop", maybe=True), Do("fix_steps"),
            Do("close_recovery"),
        ),
        sees=SEES, examples=BECAUSE,
    ),
    Rule(
        "mark_hop_complete", "hop", PERSON, command="mark_hop_complete",
        doc="A person says the hop is done: its output is there, its other tool steps are cancelled.",
        guards=(OPEN, part_is("EXECUTING"), REASON, NOTHING_RUNS, OUTPUT_READY),
        walk=(Fire("part", "complete", reason="mark_hop_complete"),),
        sees=SEES, examples=BECAUSE,
    ),
    Rule(
        "cancel_hop", "hop", DECIDERS, command="cancel",
        doc="Cancel the hop; with the current one its mission is cancelled too.",
        guards=(part_is(*ACTIVE_HOP, "FAILED"), PEOPLE_DECIDE, PEOPLE_END, REASON, CASCADE_SAID),
        walk=(Fire("part", "cancel_hop"),),
        sees=SEES, examples=({"reason": "not needed", "cascade": True},),
    ),
    Rule(
        "reset_hop", "hop", DECIDERS, command="reset_hop",
        doc="A cancelled hop is proposed again.",
        guards=(OPEN, mission_is("READY_FOR_NEXT_HOP"), part_is("CANCELLED"), PEOPLE_DECIDE, REASON, NO_ACTIVE_HOP),
        walk=(Fire("part", "reset_hop"),),
        sees=SEES, examples=BECAUSE,
    ),
    Rule(
        "delete_hop", "hop", PERSON, command="delete_hop",
        doc="Take the hop out of the mission for good, with its tool steps.",
        guards=(part_is("PROPOSED", "FAILED", "CANCELLED"), REASON, NOT_CURRENT),
        walk=(Do("delete_hop"),),
        sees=(*BESIDE, "children"), examples=BECAUSE,
    ),
    Rule(
        "archive_hop", "hop", PERSON | CLOCK, command="archive_hop",
        doc="Put a completed hop out of sight; no status changes.",
        guards=(part_is("COMPLETED"),),
        walk=(Do("archive"),),
        sees=BESIDE,
    ),
)
# fmt: on
