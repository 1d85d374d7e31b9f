"""The four machines of missions: statuses, edges, and nothing else.

The words here are the ones people read on pages and in the audit, hence upper case. A status
that merely stays (a hop accepted again while it is being built) is no edge.
"""

from typing import Final

from interlock.kernel.machine import Machine, Status, edges

# fmt: off
MISSION: Final = Machine(
    name="mission",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED",             "gate",     "Proposed",             group="needs you"),
        Status("READY_FOR_NEXT_HOP",   "active",   "Ready for next hop",   group="in progress"),
        Status("BUILDING_HOP",         "active",   "Building hop",         group="in progress"),
        Status("HOP_READY_TO_EXECUTE", "gate",     "Hop ready to execute", group="needs you"),
        Status("EXECUTING_HOP",        "active",   "Executing hop",        group="in progress"),
        Status("COMPLETED",            "terminal", "Completed",            group="done", is_success=True),
        Status("FAILED",               "terminal", "Failed",               group="done"),
        Status("CANCELLED",            "terminal", "Cancelled",            group="done"),
    ),
    edges=edges(
        # from                       signal                 to
        ("PROPOSED",                 "accept_mission",      "READY_FOR_NEXT_HOP"),
        ("READY_FOR_NEXT_HOP",       "accept_hop",          "BUILDING_HOP"),
        ("READY_FOR_NEXT_HOP",       "complete_early",      "COMPLETED"),
        ("BUILDING_HOP",             "complete_resolution", "HOP_READY_TO_EXECUTE"),
        ("HOP_READY_TO_EXECUTE",     "reject_design",       "BUILDING_HOP"),
        ("HOP_READY_TO_EXECUTE",     "validation_failed",   "BUILDING_HOP"),
        ("HOP_READY_TO_EXECUTE",     "execute_hop",         "EXECUTING_HOP"),
        ("EXECUTING_HOP",            "hop_completed",       "READY_FOR_NEXT_HOP"),
        ("EXECUTING_HOP",            "final_hop_completed", "COMPLETED"),
        ("EXECUTING_HOP",            "fix_hop",             "BUILDING_HOP"),
        ("BUILDING_HOP EXECUTING_HOP", "hop_failed",        "FAILED"),
        ("BUILDING_HOP EXECUTING_HOP", "abandon_recovery",  "FAILED"),
        ("PROPOSED READY_FOR_NEXT_HOP BUILDING_HOP HOP_READY_TO_EXECUTE EXECUTING_HOP",
                                     "system_error",        "FAILED"),
        ("PROPOSED READY_FOR_NEXT_HOP BUILDING_HOP HOP_READY_TO_EXECUTE EXECUTING_HOP FAILED",
                                     "cancel_mission",      "CANCELLED"),
    ),
)

HOP: Final = Machine(
    name="hop",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED",         "gate",     "Proposed"),
        Status("READY_TO_RESOLVE", "active",   "Ready to resolve"),
        Status("READY_TO_EXECUTE", "gate",     "Ready to execute"),
        Status("EXECUTING",        "active",   "Executing"),
        Status("COMPLETED",        "terminal", "Completed", is_success=True),
        Status("FAILED",           "terminal", "Failed"),
        Status("CANCELLED",        "terminal", "Cancelled"),
    ),
    edges=edges(
        # from              signal                 to
        ("PROPOSED",         "accept_hop",          "READY_TO_RESOLVE"),
        ("READY_TO_RESOLVE", "request_changes",     "PROPOSED"),
        ("READY_TO_RESOLVE", "complete_resolution", "READY_TO_EXECUTE"),
        ("READY_TO_RESOLVE", "resolution_failed",   "FAILED"),
        ("READY_TO_EXECUTE", "request_changes",     "READY_TO_RESOLVE"),
        ("READY_TO_EXECUTE", "validation_failed",   "READY_TO_RESOLVE"),
        ("READY_TO_EXECUTE", "execute_hop",         "EXECUTING"),
        ("EXECUTING",        "complete",            "COMPLETED"),
        ("EXECUTING",        "step_failed",         "FAILED"),
        ("FAILED",           "fix_hop",             "READY_TO_RESOLVE"),
        ("CANCELLED",        "reset_hop",           "PROPOSED"),
        ("PROPOSED READY_TO_RESOLVE READY_TO_EXECUTE EXECUTING FAILED", "cancel_hop", "CANCELLED"),
        # What a hop does when its mission ends.
        ("PROPOSED READY_TO_RESOLVE READY_TO_EXECUTE EXECUTING", "mission_failed", "FAILED"),
        ("PROPOSED READY_TO_RESOLVE READY_TO_EXECUTE EXECUTING", "mission_ended",  "CANCELLED"),
    ),
)

TOOL_STEP: Final = Machine(
    name="tool_step",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED",           "active",   "Proposed"),
        Status("READY_TO_CONFIGURE", "active",   "Ready to configure"),
        Status("READY_TO_EXECUTE",   "active",   "Ready to execute"),
        Status("EXECUTING",          "active",   "Executing"),
        Status("COMPLETED",          "terminal", "Completed", is_success=True),
        Status("FAILED",             "terminal", "Failed"),
        Status("CANCELLED",          "terminal", "Cancelled"),
    ),
    edges=edges(
        # from                signal             to
        ("PROPOSED",           "choose_tool",     "READY_TO_CONFIGURE"),
        ("READY_TO_CONFIGURE", "configure",       "READY_TO_EXECUTE"),
        ("READY_TO_CONFIGURE", "request_changes", "PROPOSED"),
        ("READY_TO_CONFIGURE", "give_up",         "FAILED"),
        ("READY_TO_EXECUTE",   "invalidate",      "READY_TO_CONFIGURE"),
        ("READY_TO_EXECUTE",   "start",           "EXECUTING"),
        ("EXECUTING",          "complete",        "COMPLETED"),
        ("EXECUTING",          "fail",            "FAILED"),
        ("FAILED",             "fix",             "READY_TO_CONFIGURE"),
        ("PROPOSED READY_TO_CONFIGURE READY_TO_EXECUTE EXECUTING", "cancel", "CANCELLED"),
    ),
)

ASSET: Final = Machine(
    name="asset",
    initial="PROPOSED",
    statuses=(
        Status("PROPOSED",    "active", "Proposed"),
        Status("PENDING",     "active", "Pending"),
        Status("IN_PROGRESS", "active", "In progress"),
        Status("READY",       "active", "Ready", is_success=True),
        Status("ERROR",       "active", "Error"),
        Status("EXPIRED",     "active", "Expired"),
    ),
    edges=edges(
        # from                      signal    to
        ("PROPOSED",                 "accept",  "PENDING"),
        ("PENDING",                  "supply",  "READY"),
        ("PENDING READY ERROR",      "make",    "IN_PROGRESS"),
        ("IN_PROGRESS",              "finish",  "READY"),
        ("IN_PROGRESS",              "break",   "ERROR"),
        ("IN_PROGRESS",              "stop",    "PENDING"),
        ("ERROR",                    "mend",    "PENDING"),
        ("EXPIRED",                  "refresh", "PENDING"),
        ("PENDING IN_PROGRESS READY", "expire", "EXPIRED"),
    ),
)
# fmt: on

LIVE: Final = (
    "PROPOSED",
    "READY_FOR_NEXT_HOP",
    "BUILDING_HOP",
    "HOP_READY_TO_EXECUTE",
    "EXECUTING_HOP",
)
"""The statuses of a mission that has not ended."""

ENDED: Final = ("COMPLETED", "FAILED", "CANCELLED")

WITH_HOP: Final = ("BUILDING_HOP", "HOP_READY_TO_EXECUTE", "EXECUTING_HOP")
"""The statuses of a mission that has a current hop."""

ACTIVE_HOP: Final = ("PROPOSED", "READY_TO_RESOLVE", "READY_TO_EXECUTE", "EXECUTING")

UNFINISHED_STEP: Final = ("PROPOSED", "READY_TO_CONFIGURE", "READY_TO_EXECUTE", "EXECUTING")
"""The statuses of an active tool step, which cancelling ends."""
