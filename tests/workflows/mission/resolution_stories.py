"""Stories about resolution: the chain is submitted, sent back, approved and executed."""

from tests.workflows.mission.telling import Story

CLAIMED = "BUILDING_HOP current=h; h READY_TO_RESOLVE holder=a fence=1"
WAITING = "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE"
RESOLVED = "unit HOP_READY_TO_EXECUTE; h READY_TO_EXECUTE; h.holder=None; h.is_resolved=True"
ONE = {"steps": ({"tool": "fetch", "uses": ("in",), "makes": ("out",)},)}
TWO = {"steps": ({"uses": ("in",), "ttl": 60}, {"takes": (0,), "makes": ("out",)})}
THROWN_AWAY = {"steps": ({"uses": ("in",), "discard": True},)}

# fmt: off
SUBMITTING = (
    Story("a chain of one step is submitted", f"{CLAIMED}; in READY; out PENDING", "agent complete_resolution h fence=1 digest=e", f"{RESOLVED}; h.shown=e; +tool_step3 READY_TO_EXECUTE under h; tool_step3.tool=fetch; tool_step3.makes=out; tool_step3.needs=in; out.needs=tool_step3", ONE),
    Story("what one step makes for the next is scratch", f"{CLAIMED}; in READY; out PENDING", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; +tool_step3 READY_TO_EXECUTE under h; tool_step3.needs=in; +asset4 PENDING under h; asset4.ttl=60; asset4.needs=tool_step3; +tool_step5 READY_TO_EXECUTE under h; tool_step5.needs=asset4; tool_step5.makes=out; out.needs=tool_step5", TWO),
    Story("a result that is discarded needs no asset", f"{CLAIMED}; in READY", "worker complete_resolution h fence=1 digest=d", f"{RESOLVED}; +tool_step2 READY_TO_EXECUTE under h; tool_step2.needs=in", THROWN_AWAY),
    Story("completed steps stand, unfinished ones that are left out are gone", f"{CLAIMED}; in READY; s1 COMPLETED; s2 READY_TO_CONFIGURE; s3 READY_TO_EXECUTE; s4 PROPOSED; x1 READY under=h needs=s1; x2 ERROR under=h needs=s2; x3 PENDING under=h; x4 EXPIRED under=h; out PENDING", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; -s2; -s3; -s4; -x2; -x3; -x4; +tool_step5 READY_TO_EXECUTE under h; tool_step5.needs=in", THROWN_AWAY),
    Story("scratch that no completed step has made is gone too", f"{CLAIMED}; in READY; s1 READY_TO_EXECUTE; x READY under=h needs=s1", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; -s1; -x; +tool_step2 READY_TO_EXECUTE under h; tool_step2.needs=in", THROWN_AWAY),
    Story("unfinished steps that are kept are configured", f"{CLAIMED}; s1 COMPLETED; s2 READY_TO_CONFIGURE; s3 PROPOSED; s4 READY_TO_EXECUTE; x PENDING under=h needs=s2", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; s2 READY_TO_EXECUTE; s3 READY_TO_EXECUTE", {"keeps": True}),
    Story("an earlier error is forgotten", f"{CLAIMED} error=bad; in READY", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; h.error=None; +tool_step2 READY_TO_EXECUTE under h; tool_step2.needs=in", THROWN_AWAY),
    Story("a chain that is not valid is refused", CLAIMED, "agent complete_resolution h fence=1 digest=d", "VALIDATION_FAILED", {**ONE, "errors": ("step 1: no such tool",)}),
    Story("a chain has steps", CLAIMED, "agent complete_resolution h fence=1 digest=d", "EMPTY_CHAIN", {"steps": ()}),
    Story("a chain has steps that are still to be run", f"{CLAIMED}; s1 COMPLETED", "agent complete_resolution h fence=1 digest=d", "EMPTY_CHAIN", {"keeps": True}),
    Story("a zombie's chain is refused", "BUILDING_HOP current=h; h READY_TO_RESOLVE holder=z fence=2", "agent complete_resolution h fence=1 digest=d", "STALE_LEASE", ONE),
    Story("a chain comes from whoever claimed the hop", "BUILDING_HOP current=h; h READY_TO_RESOLVE", "agent complete_resolution h digest=d", "STALE_LEASE", ONE),
    Story("a lease that lapsed is good until somebody else claims", f"{CLAIMED} lapsed; in READY", "agent complete_resolution h fence=1 digest=d", f"{RESOLVED}; h.lapsed=False; +tool_step2 READY_TO_EXECUTE under h; tool_step2.needs=in", THROWN_AWAY),
    Story("a hop that waits is not resolved again", f"{WAITING} holder=a fence=1", "agent complete_resolution h fence=1 digest=d", "INVALID_TRANSITION", ONE),
    Story("a concept is not resolved", "BUILDING_HOP current=h; h PROPOSED holder=a fence=1", "agent complete_resolution h fence=1 digest=d", "INVALID_TRANSITION", ONE),
    Story("a chain belongs to a mission that builds", "READY_FOR_NEXT_HOP; h READY_TO_RESOLVE holder=a fence=1", "agent complete_resolution h fence=1 digest=d", "INVALID_TRANSITION", ONE),
    Story("nothing is resolved in an ended mission", "CANCELLED; h CANCELLED fence=1", "agent complete_resolution h fence=1 digest=d", "MISSION_TERMINAL", ONE),
    Story("a person does not resolve", CLAIMED, "user complete_resolution h digest=d", "NOT_ALLOWED", ONE),
)

FAILING = (
    Story("a resolution that a person can repair holds the mission", f"{CLAIMED}; s1 READY_TO_CONFIGURE; s2 PROPOSED", "agent resolution_failed h fence=1 failure=user_correctable error=which", "h FAILED; h.holder=None; h.error=which; h.recoverable=True; unit.held=True; unit.recovery=held_in:BUILDING_HOP,resumes_in:BUILDING_HOP,failed:h; s1 FAILED"),
    Story("what cannot be configured can be repaired", CLAIMED, "agent resolution_failed h fence=1 failure=configuration", "h FAILED; h.holder=None; h.recoverable=True; unit.held=True; unit.recovery=held_in:BUILDING_HOP,resumes_in:BUILDING_HOP,failed:h"),
    Story("a resolution that nobody can repair fails the mission", CLAIMED, "agent resolution_failed h fence=1 failure=system", "unit FAILED; unit.current=None; h FAILED; h.holder=None"),
    Story("a failure of no known class is not repaired", CLAIMED, "agent resolution_failed h fence=1 failure=odd", "unit FAILED; unit.current=None; h FAILED; h.holder=None"),
    Story("the system gives a resolution up", f"{CLAIMED}", "system resolution_failed h failure=validation", "h FAILED; h.holder=None; h.recoverable=True; unit.held=True; unit.recovery=held_in:BUILDING_HOP,resumes_in:BUILDING_HOP,failed:h"),
    Story("the system gives up what nobody has claimed", "BUILDING_HOP current=h; h READY_TO_RESOLVE", "system resolution_failed h failure=unhandled", "unit FAILED; unit.current=None; h FAILED"),
    Story("a zombie does not give up", "BUILDING_HOP current=h; h READY_TO_RESOLVE holder=z fence=2", "agent resolution_failed h fence=1 failure=system", "STALE_LEASE"),
    Story("whose lease has ended does not give up", "BUILDING_HOP current=h; h READY_TO_RESOLVE fence=1", "agent resolution_failed h fence=1 failure=system", "STALE_LEASE"),
    Story("a resolved hop is not given up", f"{WAITING} holder=a fence=1", "agent resolution_failed h fence=1 failure=system", "INVALID_TRANSITION"),
    Story("a concept is not given up", "BUILDING_HOP current=h; h PROPOSED holder=a fence=1", "agent resolution_failed h fence=1 failure=system", "INVALID_TRANSITION"),
    Story("only a mission that builds gives a resolution up", "READY_FOR_NEXT_HOP; h READY_TO_RESOLVE holder=a fence=1", "agent resolution_failed h fence=1 failure=system", "INVALID_TRANSITION"),
    Story("an ended mission gives nothing up", "CANCELLED; h CANCELLED", "system resolution_failed h failure=system", "MISSION_TERMINAL"),
)

CHANGES = (
    Story("a person wants another concept: all steps are gone, the lease has ended", "BUILDING_HOP current=h; h READY_TO_RESOLVE holder=a fence=1 lapsed shown=e; s1 COMPLETED; s2 PROPOSED; x READY under=h; out PENDING", "user request_changes h reason=why", "h PROPOSED; h.shown=d; h.holder=None; h.lapsed=False; h.is_asked=True; -s1; -s2; -x"),
    Story("a person wants another design", f"{WAITING} is_resolved approved=d; s1 COMPLETED; s2 READY_TO_EXECUTE", "user request_changes h digest=d reason=why", "unit BUILDING_HOP; h READY_TO_RESOLVE; h.is_resolved=False; h.approved=None; s2 PROPOSED"),
    Story("an agent relays that", "HOP_READY_TO_EXECUTE current=h policy=relay; h READY_TO_EXECUTE", "agent request_changes h reason=why", "unit BUILDING_HOP; h READY_TO_RESOLVE"),
    Story("an agent wants no changes", WAITING, "agent request_changes h digest=d reason=why", "HUMAN_REQUIRED"),
    Story("changes need a reason", WAITING, "user request_changes h digest=d", "REASON_REQUIRED"),
    Story("changes are to the design that was shown", WAITING, "user request_changes h digest=old reason=why", "STALE_APPROVAL"),
    Story("a hop that runs is not changed", "EXECUTING_HOP current=h; h EXECUTING", "user request_changes h digest=d reason=why", "INVALID_TRANSITION"),
    Story("nothing is changed in an ended mission", "FAILED; h FAILED", "user request_changes h digest=d reason=why", "MISSION_TERMINAL"),
)

EXECUTING = (
    Story("a design is approved", WAITING, "user approve_design h digest=d", "h.approved=d"),
    Story("an agent relays the approval", "HOP_READY_TO_EXECUTE current=h policy=relay; h READY_TO_EXECUTE", "agent approve_design h digest=d", "h.approved=d"),
    Story("an agent does not approve", WAITING, "agent approve_design h digest=d", "HUMAN_REQUIRED"),
    Story("only the design that was shown is approved", WAITING, "user approve_design h digest=old", "STALE_APPROVAL"),
    Story("a concept is not a design", "BUILDING_HOP current=h; h READY_TO_RESOLVE", "user approve_design h digest=d", "INVALID_TRANSITION"),
    Story("nothing is approved in an ended mission", "CANCELLED; h CANCELLED", "user approve_design h digest=d", "MISSION_TERMINAL"),

    Story("the design is no longer valid", f"{WAITING} is_resolved approved=d; s1 COMPLETED; s2 READY_TO_EXECUTE", "system validation_failed h errors=gone", "unit BUILDING_HOP; h READY_TO_RESOLVE; h.is_resolved=False; h.approved=None; h.error=gone; s2 READY_TO_CONFIGURE"),
    Story("what runs is not validated", "EXECUTING_HOP current=h; h EXECUTING", "system validation_failed h", "INVALID_TRANSITION"),
    Story("nothing is validated in an ended mission", "CANCELLED; h CANCELLED", "system validation_failed h", "MISSION_TERMINAL"),
    Story("a person does not say what is valid", WAITING, "user validation_failed h", "NOT_ALLOWED"),

    Story("executing a design approves it", "HOP_READY_TO_EXECUTE current=h ready=in; h READY_TO_EXECUTE inputs=in; s1 READY_TO_EXECUTE", "user execute_hop h digest=d", "unit EXECUTING_HOP; h EXECUTING; h.approved=d"),
    Story("executing says which hop is final", WAITING, "user execute_hop h digest=d is_final=True", "unit EXECUTING_HOP; h EXECUTING; h.approved=d; h.is_final=True"),
    Story("an agent relays the order", "HOP_READY_TO_EXECUTE current=h policy=relay; h READY_TO_EXECUTE", "agent execute_hop h", "unit EXECUTING_HOP; h EXECUTING"),
    Story("a design that is not valid any more goes back", f"{WAITING} is_resolved; s1 READY_TO_EXECUTE", "user execute_hop h digest=d errors=gone", "unit BUILDING_HOP; h READY_TO_RESOLVE; h.is_resolved=False; h.error=gone; s1 READY_TO_CONFIGURE"),
    Story("a hop whose input is missing goes back", "HOP_READY_TO_EXECUTE current=h ready=out; h READY_TO_EXECUTE inputs=in; s1 READY_TO_EXECUTE; in EXPIRED", "user execute_hop h digest=d", "unit BUILDING_HOP; h READY_TO_RESOLVE; s1 READY_TO_CONFIGURE"),
    Story("an agent does not execute", WAITING, "agent execute_hop h digest=d", "HUMAN_REQUIRED"),
    Story("the system never executes", "HOP_READY_TO_EXECUTE current=h policy=relay; h READY_TO_EXECUTE", "system execute_hop h digest=d", "NOT_ALLOWED"),
    Story("only the design that was shown is executed", WAITING, "user execute_hop h digest=old", "STALE_APPROVAL"),
    Story("what runs is not executed again", "EXECUTING_HOP current=h; h EXECUTING", "user execute_hop h digest=d", "INVALID_TRANSITION"),
    Story("nothing is executed in an ended mission", "CANCELLED; h CANCELLED", "user execute_hop h digest=d", "MISSION_TERMINAL"),
)
# fmt: on

STORIES = (*SUBMITTING, *FAILING, *CHANGES, *EXECUTING)
