"""Stories about tool steps: they run in order, are tried again, complete, fail, come too late."""

from tests.workflows.mission.telling import Story

READY = "EXECUTING_HOP current=h ready=in,out; h EXECUTING; s1 READY_TO_EXECUTE needs=in makes=out"
RUNNING = "EXECUTING_HOP current=h ready=in; h EXECUTING; s1 EXECUTING holder=a fence=1 needs=in makes=out"
ASSETS = "in READY; out IN_PROGRESS needs=s1"
HELD_BY_STEP = "h FAILED; h.recoverable=True; unit.held=True; unit.recovery=held_in:EXECUTING_HOP,resumes_in:BUILDING_HOP,failed:s1"
GIVEN_UP = f"s1 FAILED; s1.holder=None; out ERROR; {HELD_BY_STEP}"
ENDED = "s1 FAILED; s1.holder=None; out ERROR; h FAILED; unit FAILED; unit.current=None"

# fmt: off
CLAIMING = (
    Story("a step starts, its output is in the making", f"{READY}; in READY; out PENDING needs=s1", "worker claim_tool_step s1", "s1 EXECUTING; s1.holder=w; s1.fence=1; out IN_PROGRESS; unit.ready=in"),
    Story("an output that is there is made anew", f"{READY}; in READY; out READY needs=s1", "agent claim_tool_step s1", "s1 EXECUTING; s1.holder=a; s1.fence=1; out IN_PROGRESS; unit.ready=in"),
    Story("an output that was broken is made again", f"{READY}; in READY; out ERROR needs=s1", "agent claim_tool_step s1", "s1 EXECUTING; s1.holder=a; s1.fence=1; out IN_PROGRESS; unit.ready=in"),
    Story("an output that has expired is made again", f"{READY}; in READY; out EXPIRED needs=s1", "agent claim_tool_step s1", "s1 EXECUTING; s1.holder=a; s1.fence=1; out IN_PROGRESS; unit.ready=in"),
    Story("only what the step makes is in the making", f"{READY}; in READY; other PENDING", "agent claim_tool_step s1", "s1 EXECUTING; s1.holder=a; s1.fence=1; unit.ready=in"),
    Story("a step that lost its holder is claimed as it stands", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING fence=1 tries=1; out IN_PROGRESS needs=s1", "agent claim_tool_step s1", "s1.holder=a; s1.fence=2"),
    Story("what somebody supplied meanwhile stays ready", "EXECUTING_HOP current=h ready=out; h EXECUTING; s1 EXECUTING fence=1 makes=out; out READY needs=s1", "agent claim_tool_step s1", "s1.holder=a; s1.fence=2"),
    Story("a step without its input fails at the start and holds the mission", f"{READY}; in EXPIRED; out PENDING needs=s1", "agent claim_tool_step s1", f"s1 FAILED; out ERROR; unit.ready=in; {HELD_BY_STEP}; s1.error=1:validation; s1.attempts=1:validation"),
    Story("a step that is held is not handed out", f"{RUNNING}; {ASSETS}", "stranger claim_tool_step s1", "WORK_HELD"),
    Story("steps run one after the other", f"{RUNNING}; s2 READY_TO_EXECUTE; {ASSETS}", "agent claim_tool_step s2", "WORK_HELD"),
    Story("a completed step is not handed out", "EXECUTING_HOP current=h; h EXECUTING; s1 COMPLETED; s2 READY_TO_EXECUTE", "agent claim_tool_step s1", "INVALID_TRANSITION"),
    Story("nothing is run while the mission is held", "EXECUTING_HOP current=h held; h FAILED; s1 FAILED; s2 READY_TO_EXECUTE", "agent claim_tool_step s2", "MISSION_HELD"),
    Story("nothing is run before the hop is executed", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE; s1 READY_TO_EXECUTE", "agent claim_tool_step s1", "INVALID_TRANSITION"),
    Story("nothing is run in an ended mission", "FAILED; h FAILED; s1 READY_TO_EXECUTE", "agent claim_tool_step s1", "MISSION_TERMINAL"),
    Story("a person runs no tools", f"{READY}; in READY", "user claim_tool_step s1", "NOT_ALLOWED"),
)

LEASES = (
    Story("a heartbeat of a step changes nothing", f"{RUNNING}; {ASSETS}", "agent heartbeat_tool_step s1 fence=1", ""),
    Story("a stranger's heartbeat is refused", f"{RUNNING}; {ASSETS}", "stranger heartbeat_tool_step s1 fence=0", "STALE_LEASE"),
    Story("what nobody runs has no heart", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING fence=1", "agent heartbeat_tool_step s1 fence=1", "STALE_LEASE"),
    Story("a step that has not started has no heart", f"{READY}; in READY", "agent heartbeat_tool_step s1", "INVALID_TRANSITION"),
    Story("no heart beats in an ended mission", "CANCELLED; h CANCELLED; s1 CANCELLED", "agent heartbeat_tool_step s1", "MISSION_TERMINAL"),

    Story("a step is given back as it stands", f"{RUNNING}; {ASSETS}", "agent release_tool_step s1 fence=1", "s1.holder=None"),
    Story("a stranger gives no step back", f"{RUNNING}; {ASSETS}", "stranger release_tool_step s1", "STALE_LEASE"),
    Story("a step that nobody has is not given back", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING fence=1", "agent release_tool_step s1 fence=1", "STALE_LEASE"),
    Story("a step that has not started is not given back", f"{READY}; in READY", "agent release_tool_step s1", "INVALID_TRANSITION"),
    Story("nothing is given back to an ended mission", "CANCELLED; h CANCELLED; s1 CANCELLED", "agent release_tool_step s1", "MISSION_TERMINAL"),

    Story("a lease that ran out counts as a try", f"{RUNNING}; {ASSETS}", "system lapse_tool_step s1", "s1.holder=None; s1.tries=1; s1.error=1:transient; s1.attempts=1:transient"),
    Story("the last lease that ran out fails the step", f"EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1 tries=2; {ASSETS}", "system lapse_tool_step s1", f"{GIVEN_UP}; s1.tries=0; s1.error=3:transient; s1.attempts=3:transient"),
    Story("the number of tries is the mission's", f"EXECUTING_HOP current=h tries_max=1; h EXECUTING; s1 EXECUTING holder=a fence=1; {ASSETS}", "system lapse_tool_step s1", f"{GIVEN_UP}; s1.error=1:transient; s1.attempts=1:transient"),
    Story("without a lease none runs out", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING fence=1", "system lapse_tool_step s1", "STALE_LEASE"),
    Story("a step that has not started has no lease", f"{READY} holder=a; in READY", "system lapse_tool_step s1", "INVALID_TRANSITION"),
    Story("no lease of a step outlives the mission", "CANCELLED; h CANCELLED; s1 CANCELLED", "system lapse_tool_step s1", "MISSION_TERMINAL"),
    Story("an agent is not the clock", f"{RUNNING}; {ASSETS}", "agent lapse_tool_step s1", "NOT_ALLOWED"),
)

RESULTS = (
    Story("a result completes the step, the next one is to be run", f"{RUNNING}; s2 READY_TO_EXECUTE; {ASSETS}", "agent submit_tool_result s1 fence=1 result=r", "s1 COMPLETED; s1.holder=None; s1.result=r; out READY; unit.ready=in,out"),
    Story("the last result completes the hop", f"{RUNNING}; s0 COMPLETED; {ASSETS}", "agent submit_tool_result s1 fence=1", "s1 COMPLETED; s1.holder=None; out READY; h COMPLETED; unit READY_FOR_NEXT_HOP; unit.current=None; unit.ready=in,out"),
    Story("the last result of the final hop completes the mission", f"EXECUTING_HOP current=h; h EXECUTING is_final; s1 EXECUTING holder=w fence=1; {ASSETS}", "worker submit_tool_result s1", "s1 COMPLETED; s1.holder=None; out READY; h COMPLETED; unit COMPLETED; unit.current=None"),
    Story("an output that expired in the making is refreshed", f"{RUNNING}; s2 READY_TO_EXECUTE; in READY; out EXPIRED needs=s1", "agent submit_tool_result s1 fence=1", "s1 COMPLETED; s1.holder=None; out READY; unit.ready=in,out"),
    Story("a result replaces what somebody supplied", f"{RUNNING}; s2 READY_TO_EXECUTE; in READY; out READY needs=s1", "agent submit_tool_result s1 fence=1", "s1 COMPLETED; s1.holder=None; unit.ready=in,out"),
    Story("scratch becomes ready, the mission does not list it", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1; s2 READY_TO_EXECUTE; x IN_PROGRESS under=h needs=s1", "agent submit_tool_result s1 fence=1", "s1 COMPLETED; s1.holder=None; x READY"),
    Story("a transient failure is tried again in place", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=transient error=timeout", "s1.tries=1; s1.error=timeout; s1.attempts=1:transient"),
    Story("the last try fails the step and holds the mission", f"EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1 tries=2; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=transient", f"{GIVEN_UP}; s1.tries=0; s1.attempts=3:transient"),
    Story("a resource that is down leaves nothing to repair", f"EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1 tries=2; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=transient resource_down=True", f"{ENDED}; s1.tries=0; s1.attempts=3:resource_unavailable"),
    Story("a validation failure holds the mission at once", f"{RUNNING}; {ASSETS}; s2 READY_TO_EXECUTE", "agent submit_tool_result s1 fence=1 failure=validation", f"{GIVEN_UP}; s1.attempts=1:validation"),
    Story("a wrong configuration holds the mission", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=configuration", f"{GIVEN_UP}; s1.attempts=1:configuration"),
    Story("what a user can correct holds the mission", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=user_correctable", f"{GIVEN_UP}; s1.attempts=1:user_correctable"),
    Story("a missing resource fails the mission", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=resource_unavailable", f"{ENDED}; s1.attempts=1:resource_unavailable"),
    Story("a system failure fails the mission", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=system", f"{ENDED}; s1.attempts=1:system"),
    Story("an unhandled exception fails the mission", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=unhandled", f"{ENDED}; s1.attempts=1:unhandled"),
    Story("an exception that nobody knows is unhandled", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=KeyError", f"{ENDED}; s1.attempts=1:unhandled"),
    Story("an error without a class is unhandled", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 error=boom", f"{ENDED}; s1.error=boom; s1.attempts=1:unhandled"),
    Story("a resource that is down is waited for like all that passes", f"{RUNNING}; {ASSETS}", "agent submit_tool_result s1 fence=1 failure=transient resource_down=True", "s1.tries=1; s1.attempts=1:transient"),
    Story("a zombie's result is refused", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=z fence=2", "agent submit_tool_result s1 fence=1", "STALE_LEASE"),
    Story("a result after the lease ran out is refused", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING fence=1 tries=1", "agent submit_tool_result s1 fence=1", "STALE_LEASE"),
    Story("a result after a cancel is discarded", "CANCELLED; h CANCELLED; s1 CANCELLED fence=1", "agent submit_tool_result s1 fence=1", "LATE_RESULT"),
    Story("a result after the failure is discarded", "EXECUTING_HOP current=h held; h FAILED; s1 FAILED fence=1", "agent submit_tool_result s1 fence=1", "LATE_RESULT"),
    Story("a person submits no results", f"{RUNNING}; {ASSETS}", "user submit_tool_result s1", "NOT_ALLOWED"),
)
# fmt: on

STORIES = (*CLAIMING, *LEASES, *RESULTS)
