"""The whole mission workflow: kinds, rules, and the interlock between mission, hop, step, asset.

At most one hop of a mission is active, at most one of its tool steps runs, and every asset in
the making is made by that one; so what follows a move can speak of all hops, steps or assets of
a mission where the spec says "its". The pairs hold that true.

Where the spec is silent: a hop that fails leaves its tool steps that have not started as they
are, for the repair; an ended mission's assets neither change nor expire; a failed mission, and
the hops of an ended one, are left by people only, whatever the policy; a piece of work that is
proved by a lease must have been claimed.
"""

from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import All, Any, Both, Either, Functions, In, Is, Named, Not
from interlock.kernel.lease import LEASE_FUNCTIONS
from interlock.kernel.rules import Cascade, Lift, Pair
from interlock.kernel.timer import Timer
from interlock.kernel.workflow import Field, PartKind, Workflow, lease
from interlock.workflows.mission import (
    asset_rules,
    failures,
    guards,
    hop_rules,
    mission_rules,
    resolution_rules,
    tool_rules,
)
from interlock.workflows.mission.machines import (
    ACTIVE_HOP,
    ASSET,
    ENDED,
    HOP,
    MISSION,
    TOOL_STEP,
    WITH_HOP,
)
from interlock.workflows.mission.waiting import waiting


def _content(*names: str) -> tuple[Field, ...]:
    """Return fields that people and agents write for each other, and no rule reads."""
    return tuple(Field(name, is_read=False) for name in names)


def _active_hops(draft: Draft) -> int:
    return sum(draft.counts("hop").get(status, 0) for status in ACTIVE_HOP)


def _one_hop_at_most(draft: Draft) -> bool:
    return _active_hops(draft) <= 1


def _no_hop_beside_the_current(draft: Draft) -> bool:
    current = draft.live("current")
    is_active = current is not None and current.status in ACTIVE_HOP
    return _active_hops(draft) == int(is_active)


FUNCTIONS: Final[Functions] = {
    **LEASE_FUNCTIONS,
    **guards.FUNCTIONS,
    **failures.FUNCTIONS,
    **mission_rules.FUNCTIONS,
    **hop_rules.FUNCTIONS,
    **resolution_rules.FUNCTIONS,
    **tool_rules.FUNCTIONS,
    **asset_rules.FUNCTIONS,
    "one_active_hop_at_most": _one_hop_at_most,
    "no_active_hop_beside_the_current": _no_hop_beside_the_current,
}

# -- kinds -------------------------------------------------------------------------------------

FIELDS: Final = (
    Field("current", during=WITH_HOP),
    Field("held", default=False, during=("BUILDING_HOP", "EXECUTING_HOP")),
    Field("policy", "human"),
    Field("tries_max", failures.TRIES_MAX),
    # For how many seconds it is held at most.
    Field("deadline"),
    # Ids of assets: what the mission is to deliver, and what of its assets is ready.
    Field("outputs", ()),
    Field("ready", ()),
    Field("shown", ""),
    Field("superseded_by"),
    Field("hops_made", 0, is_read=False),
    Field("reset_of", is_read=False),
    Field("attempt", 1, is_read=False),
    Field("recovery", is_read=False, during=WITH_HOP),
    *_content(*mission_rules.CONTENT),
)

# Assets come first, so that in a snapshot without ids those of the mission keep their places.
ASSET_KIND: Final = PartKind(
    machine=ASSET,
    fields=(Field("ttl"), *_content("name", "description", "schema", "content")),
    parent="hop",
    closed=frozenset({"READY"}),
    timer=Timer(
        field="ttl",
        event="expire_asset",
        during=("PENDING", "IN_PROGRESS", "READY"),
        anew=("PENDING", "READY"),
        renewed=("set_asset",),
    ),
)

HOP_KIND: Final = PartKind(
    machine=HOP,
    fields=(
        *lease("PROPOSED", "READY_TO_RESOLVE"),
        Field("is_final", default=False),
        Field("is_asked", default=False, during=("PROPOSED",)),
        Field("inputs", ()),
        Field("output"),
        Field("shown", ""),
        # The digest of the proposal, which is shown again where a design goes back so far.
        Field("concept", ""),
        Field("sequence", 0, is_read=False),
        Field("is_resolved", default=False, is_read=False, during=("READY_TO_EXECUTE", "EXECUTING", "COMPLETED")),
        Field("approved", is_read=False, during=("READY_TO_EXECUTE", "EXECUTING", "COMPLETED")),
        Field("recoverable", default=False, is_read=False, during=("FAILED",)),
        Field("is_archived", default=False, is_read=False),
        *_content(*mission_rules.HOP_CONTENT, "error"),
    ),
    is_ordered=False,
    claim="claim_hop",
    claimable=Both(
        (
            In("unit", ("BUILDING_HOP",)),
            Either(
                (
                    In("part", ("READY_TO_RESOLVE",)),
                    Both((In("part", ("PROPOSED",)), Is("part", "is_asked"))),
                )
            ),
            Named("lease_is_takeable"),
        )
    ),
    verbs={
        "submit": "complete_resolution",
        "heartbeat": "heartbeat_hop",
        "release": "release_hop",
        "fail": "resolution_failed",
        "lapse": "lapse_hop",
    },
    alone=frozenset(ACTIVE_HOP),
)  # fmt: skip

TOOL_STEP_KIND: Final = PartKind(
    machine=TOOL_STEP,
    fields=(
        *lease("EXECUTING"),
        Field("tries", 0, during=("EXECUTING",)),
        Field("makes", ()),
        # How attempts have failed, the last ones.
        Field("attempts", (), is_read=False),
        *_content(*resolution_rules.STEP_CONTENT, *tool_rules.OUTCOME),
    ),
    parent="hop",
    closed=frozenset({"COMPLETED", "CANCELLED"}),
    claim="claim_tool_step",
    claimable=Both(
        (In("unit", ("EXECUTING_HOP",)), Is("unit", "held", (False,)), tool_rules.STEP_TO_RUN)
    ),
    verbs={
        "submit": "submit_tool_result",
        "heartbeat": "heartbeat_tool_step",
        "release": "release_tool_step",
        "fail": "submit_tool_result",
        "lapse": "lapse_tool_step",
    },
    alone=frozenset({"EXECUTING"}),
    # Whoever dies with a tool step is noticed soon: to wait is all that others can do meanwhile.
    lease_ms=2 * 60 * 1000,
)

# -- interlock ---------------------------------------------------------------------------------

# fmt: off
LIFTS: Final = (
    Lift("every tool step completed", All("tool_step", ("COMPLETED",), "children"), "complete", who="parent"),
    Lift("a tool step failed", Any("tool_step", ("FAILED",), "children"), "step_failed", who="parent"),
    Lift("the final hop completed", Both((In("current", ("COMPLETED",)), Is("current", "is_final"))), "final_hop_completed"),
    Lift("a hop completed", Both((In("current", ("COMPLETED",)), Is("current", "is_final", (False,)))), "hop_completed"),
    Lift("the hop failed beyond repair", Both((In("current", ("FAILED",)), Is("unit", "held", (False,)))), "hop_failed"),
    Lift("the current hop was cancelled", In("current", ("CANCELLED",)), "cancel_mission"),
)

CASCADES: Final = (
    Cascade("mission cancelled", of="mission", enters=("CANCELLED",), to="hop", fire="mission_ended", reason="mission_cancelled"),
    Cascade("mission completed early", of="mission", enters=("COMPLETED",), to="hop", fire="mission_ended", reason="mission_completed"),
    Cascade("mission failed", of="mission", enters=("FAILED",), to="hop", fire="mission_failed", reason="mission_failed"),
    Cascade("hop failed: hold the mission", of="hop", enters=("FAILED",), do="hold_mission",
            when=Both((In("unit", ("BUILDING_HOP", "EXECUTING_HOP")), Named("failure_is_recoverable")))),
    Cascade("hop failed: its running step", of="hop", enters=("FAILED",), to="tool_step", fire="fail", reason="hop_failed"),
    Cascade("hop cancelled: its steps", of="hop", enters=("CANCELLED",), to="tool_step", fire="cancel", reason="hop_cancelled"),
    Cascade("hop completed: its other steps", of="hop", enters=("COMPLETED",), to="tool_step", fire="cancel", reason="hop_completed"),
    Cascade("step starts: expired outputs", of="tool_step", enters=("EXECUTING", "COMPLETED"), to="asset", fire="refresh", whom="dependents"),
    Cascade("step starts: its outputs", of="tool_step", enters=("EXECUTING", "COMPLETED"), to="asset", fire="make", whom="dependents"),
    Cascade("step starts: what is ready", of="tool_step", enters=("EXECUTING",), do="outputs_begun"),
    Cascade("step completed: what is ready", of="tool_step", enters=("COMPLETED",), do="outputs_made"),
    Cascade("step completed: its outputs", of="tool_step", enters=("COMPLETED",), to="asset", fire="finish", whom="dependents"),
    Cascade("step failed: its outputs", of="tool_step", enters=("FAILED",), to="asset", fire="break"),
    Cascade("step cancelled: its outputs", of="tool_step", enters=("CANCELLED",), to="asset", fire="stop"),
)

PAIRS: Final = (
    Pair("a proposed mission has no hop", ("PROPOSED",), Not(Any("hop", HOP.names()))),
    Pair("the previous hop is completed", ("READY_FOR_NEXT_HOP",),
         Not(Any("hop", ("READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING", "FAILED")))),
    Pair("one pending proposal at most", ("READY_FOR_NEXT_HOP",), Named("one_active_hop_at_most")),
    Pair("a hop is built", ("BUILDING_HOP",), Either((
        Both((Is("unit", "held", (False,)), In("current", ("PROPOSED", "READY_TO_RESOLVE")))),
        Both((Is("unit", "held"), In("current", ("FAILED",)))),
    ))),
    Pair("a hop waits to be executed", ("HOP_READY_TO_EXECUTE",), In("current", ("READY_TO_EXECUTE",))),
    Pair("a hop executes", ("EXECUTING_HOP",), Either((
        Both((Is("unit", "held", (False,)), In("current", ("EXECUTING",)))),
        Both((Is("unit", "held"), In("current", ("FAILED",)))),
    ))),
    Pair("only the current hop is active", WITH_HOP, Named("no_active_hop_beside_the_current")),
    Pair("no hop is current", ("PROPOSED", "READY_FOR_NEXT_HOP", *ENDED), Is("unit", "current", (None,))),
    Pair("an ended mission has no active hop", ENDED, Not(Any("hop", ACTIVE_HOP))),
    Pair("tool steps run in an executing hop", tuple(s for s in MISSION.names() if s != "EXECUTING_HOP"),
         Not(Any("tool_step", ("EXECUTING",)))),
    Pair("assets are made by a running step", MISSION.names(),
         Either((Not(Any("asset", ("IN_PROGRESS",))), Any("tool_step", ("EXECUTING",))))),
)
# fmt: on

WORKFLOW: Final = Workflow(
    name="mission",
    doc="A mission that is worked off hop by hop, each one proposed, resolved, approved and run.",
    unit=MISSION,
    parts=(ASSET_KIND, HOP_KIND, TOOL_STEP_KIND),
    fields=FIELDS,
    rules=(
        *mission_rules.RULES,
        *hop_rules.RULES,
        *resolution_rules.RULES,
        *tool_rules.RULES,
        *asset_rules.RULES,
    ),
    lifts=LIFTS,
    cascades=CASCADES,
    pairs=PAIRS,
    functions=FUNCTIONS,
    held="held",
    timer=Timer(
        field="deadline",
        event="abandon_recovery",
        during=("BUILDING_HOP", "EXECUTING_HOP"),
        when="held",
        reason="Nobody has repaired it in time.",
    ),
    waiting=waiting,
)
