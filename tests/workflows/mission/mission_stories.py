"""Stories about the mission itself: it is accepted, gets its next hop, ends, is reset."""

from tests.workflows.mission.telling import Story

# fmt: off
ACCEPTING = (
    Story("a person accepts the mission and what it is to use and make", "PROPOSED; in PROPOSED; out PROPOSED", "user accept_mission digest=d", "unit READY_FOR_NEXT_HOP; in PENDING; out PENDING"),
    Story("an agent relays the acceptance where the policy allows it", "PROPOSED policy=relay", "agent accept_mission digest=d", "unit READY_FOR_NEXT_HOP"),
    Story("a relayed acceptance needs no digest", "PROPOSED policy=relay", "agent accept_mission", "unit READY_FOR_NEXT_HOP"),
    Story("an agent does not accept a mission", "PROPOSED", "agent accept_mission digest=d", "HUMAN_REQUIRED"),
    Story("the system never accepts a mission", "PROPOSED policy=relay", "system accept_mission digest=d", "NOT_ALLOWED"),
    Story("a mission that has changed since is not accepted", "PROPOSED", "user accept_mission digest=old", "STALE_APPROVAL"),
    Story("a person says what was shown", "PROPOSED", "user accept_mission", "STALE_APPROVAL"),
    Story("an accepted mission is not accepted again", "READY_FOR_NEXT_HOP", "user accept_mission digest=d", "INVALID_TRANSITION"),
    Story("a cancelled mission is not accepted", "CANCELLED", "user accept_mission digest=d", "MISSION_TERMINAL"),
    Story("a proposal is edited and must be looked at again", "PROPOSED", "agent edit_mission goal=better digest=e", "unit.goal=better; unit.shown=e"),
    Story("a person edits a proposal", "PROPOSED", "user edit_mission name=new digest=d", "unit.name=new"),
    Story("an accepted mission is not edited", "READY_FOR_NEXT_HOP", "user edit_mission name=new digest=d", "INVALID_TRANSITION"),
    Story("an ended mission is not edited", "FAILED", "user edit_mission name=new digest=d", "MISSION_TERMINAL"),
)

PROPOSING = (
    Story("an agent proposes the first hop", "READY_FOR_NEXT_HOP", "agent propose_hop name=n inputs=in output=out digest=d", "+hop0 PROPOSED; hop0.name=n; hop0.inputs=in; hop0.output=out; hop0.shown=d; hop0.concept=d; hop0.sequence=1; unit.hops_made=1"),
    Story("a person creates the next hop, the final one", "READY_FOR_NEXT_HOP hops_made=1; h COMPLETED", "user create_hop is_final=True output=out digest=d", "+hop1 PROPOSED; hop1.is_final=True; hop1.output=out; hop1.shown=d; hop1.concept=d; hop1.sequence=2; unit.hops_made=2"),
    Story("a number is never used again", "READY_FOR_NEXT_HOP hops_made=4; h CANCELLED", "worker propose_hop", "+hop1 PROPOSED; hop1.sequence=5; unit.hops_made=5"),
    Story("the second proposal is refused", "READY_FOR_NEXT_HOP; h PROPOSED", "agent propose_hop", "HOP_OPEN"),
    Story("a person's second proposal is refused", "READY_FOR_NEXT_HOP; h PROPOSED", "user create_hop", "HOP_OPEN"),
    Story("no hop is proposed before the mission is accepted", "PROPOSED", "agent propose_hop", "INVALID_TRANSITION"),
    Story("no hop is created before the mission is accepted", "PROPOSED", "user create_hop", "INVALID_TRANSITION"),
    Story("no hop is proposed while the mission is held", "BUILDING_HOP current=h held; h FAILED", "agent propose_hop", "INVALID_TRANSITION"),
    Story("no hop is proposed to an ended mission", "COMPLETED; h COMPLETED", "agent propose_hop", "MISSION_TERMINAL"),
    Story("no hop is created in an ended mission", "COMPLETED; h COMPLETED", "user create_hop", "MISSION_TERMINAL"),
    Story("a person creates, an agent proposes", "READY_FOR_NEXT_HOP", "user propose_hop", "NOT_ALLOWED"),
)

ENDING = (
    Story("a mission is completed early", "READY_FOR_NEXT_HOP outputs=out ready=in,out; h COMPLETED; out READY", "user complete_early reason=why", "unit COMPLETED"),
    Story("with the mission its pending proposal is over", "READY_FOR_NEXT_HOP; h1 COMPLETED; h2 PROPOSED", "user complete_early reason=why", "unit COMPLETED; h2 CANCELLED"),
    Story("an agent may only suggest that", "READY_FOR_NEXT_HOP policy=relay; h COMPLETED", "agent complete_early reason=why", "NOT_ALLOWED"),
    Story("an early end needs a reason", "READY_FOR_NEXT_HOP; h COMPLETED", "user complete_early", "REASON_REQUIRED"),
    Story("an early end needs a completed hop", "READY_FOR_NEXT_HOP; h CANCELLED", "user complete_early reason=why", "NOTHING_DONE"),
    Story("an early end needs every output", "READY_FOR_NEXT_HOP outputs=out ready=in; h COMPLETED; out EXPIRED", "user complete_early reason=why", "OUTPUTS_MISSING"),
    Story("a mission at work is not completed early", "BUILDING_HOP current=h2; h COMPLETED; h2 READY_TO_RESOLVE", "user complete_early reason=why", "INVALID_TRANSITION"),
    Story("an ended mission is not completed early", "FAILED; h COMPLETED", "user complete_early reason=why", "MISSION_TERMINAL"),

    Story("a person gives up a hop that was not resolved", "BUILDING_HOP current=h held; h FAILED", "user abandon_recovery reason=why", "unit FAILED; unit.current=None; unit.held=False"),
    Story("a person gives up a hop that failed", "EXECUTING_HOP current=h held; h FAILED", "user abandon_recovery reason=why", "unit FAILED; unit.current=None; unit.held=False"),
    Story("the deadline gives it up", "EXECUTING_HOP current=h held deadline=9; h FAILED", "system abandon_recovery reason=deadline", "unit FAILED; unit.current=None; unit.held=False"),
    Story("without a deadline only a person gives up", "EXECUTING_HOP current=h held; h FAILED", "system abandon_recovery reason=deadline", "NO_DEADLINE"),
    Story("giving up needs a reason", "EXECUTING_HOP current=h held; h FAILED", "user abandon_recovery", "REASON_REQUIRED"),
    Story("only a held mission is given up", "EXECUTING_HOP current=h; h EXECUTING", "user abandon_recovery reason=why", "NOT_HELD"),
    Story("an ended mission is not given up", "FAILED; h FAILED", "user abandon_recovery reason=why", "MISSION_TERMINAL"),
    Story("an agent does not give up", "EXECUTING_HOP current=h held policy=relay; h FAILED", "agent abandon_recovery reason=why", "NOT_ALLOWED"),

    Story("a system error fails a proposed mission", "PROPOSED", "system system_error", "unit FAILED"),
    Story("a system error fails a waiting mission and its pending proposal", "READY_FOR_NEXT_HOP; h PROPOSED", "system system_error", "unit FAILED; h FAILED"),
    Story("a system error fails a mission and the hop that is resolved", "BUILDING_HOP current=h; h READY_TO_RESOLVE holder=a fence=1; s1 PROPOSED", "system system_error", "unit FAILED; unit.current=None; h FAILED; h.holder=None"),
    Story("a system error fails a mission and the hop that waits", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE; s1 READY_TO_EXECUTE", "system system_error", "unit FAILED; unit.current=None; h FAILED"),
    Story("a system error fails a mission, its hop, the running step and what it made", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1 tries=1; s2 READY_TO_EXECUTE; out IN_PROGRESS needs=s1", "system system_error", "unit FAILED; unit.current=None; h FAILED; s1 FAILED; s1.holder=None; s1.tries=0; out ERROR"),
    Story("a system error fails a held mission", "EXECUTING_HOP current=h held; h FAILED", "system system_error", "unit FAILED; unit.current=None; unit.held=False"),
    Story("nothing fails twice", "FAILED", "system system_error", "MISSION_TERMINAL"),
    Story("a person makes no system error", "PROPOSED", "user system_error", "NOT_ALLOWED"),
)

CANCELLING = (
    Story("a proposed mission is cancelled", "PROPOSED; in PROPOSED", "user cancel_mission reason=why", "unit CANCELLED"),
    Story("a waiting mission is cancelled with its pending proposal", "READY_FOR_NEXT_HOP; h1 COMPLETED; h2 PROPOSED", "user cancel_mission reason=why", "unit CANCELLED; h2 CANCELLED"),
    Story("a mission is cancelled while its hop is resolved", "BUILDING_HOP current=h; h READY_TO_RESOLVE; s1 PROPOSED; s2 READY_TO_CONFIGURE", "user cancel_mission reason=why", "unit CANCELLED; unit.current=None; h CANCELLED; s1 CANCELLED; s2 CANCELLED"),
    Story("a mission is cancelled at the gate", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE; s1 COMPLETED; s2 READY_TO_EXECUTE", "user cancel_mission reason=why", "unit CANCELLED; unit.current=None; h CANCELLED; s2 CANCELLED"),
    Story("a mission is cancelled while a step runs", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1; s2 READY_TO_EXECUTE; in READY; out IN_PROGRESS needs=s1", "user cancel_mission reason=why", "unit CANCELLED; unit.current=None; h CANCELLED; s1 CANCELLED; s1.holder=None; s2 CANCELLED; out PENDING"),
    Story("a held mission is cancelled, its failed hop stays failed", "EXECUTING_HOP current=h held; h FAILED; s1 FAILED", "user cancel_mission reason=why", "unit CANCELLED; unit.current=None; unit.held=False"),
    Story("a person cancels a failed mission", "FAILED; h FAILED", "user cancel_mission reason=why", "unit CANCELLED"),
    Story("an agent relays the cancelling of a live mission", "READY_FOR_NEXT_HOP policy=relay", "agent cancel_mission reason=why", "unit CANCELLED"),
    Story("no relayed decision leaves a failed mission", "FAILED policy=relay", "agent cancel_mission reason=why", "HUMAN_REQUIRED"),
    Story("an agent does not cancel a mission", "READY_FOR_NEXT_HOP", "agent cancel_mission reason=why", "HUMAN_REQUIRED"),
    Story("cancelling a mission needs a reason", "READY_FOR_NEXT_HOP", "user cancel_mission", "REASON_REQUIRED"),
    Story("a completed mission is not cancelled", "COMPLETED; h COMPLETED", "user cancel_mission reason=why", "MISSION_TERMINAL"),
    Story("a cancelled mission is not cancelled again", "CANCELLED", "user cancel_mission reason=why", "MISSION_TERMINAL"),
)

RESETTING = (
    Story("a completed mission is reset and keeps its status", "COMPLETED; h COMPLETED", "user reset_mission reason=why successor=m2", "unit.superseded_by=m2"),
    Story("a failed mission is reset", "FAILED; h FAILED", "user reset_mission reason=why successor=m2", "unit.superseded_by=m2"),
    Story("an agent relays the reset of a cancelled mission", "CANCELLED policy=relay", "agent reset_mission reason=why successor=m2", "unit.superseded_by=m2"),
    Story("a mission is reset once", "CANCELLED superseded_by=m2", "user reset_mission reason=why successor=m3", "ALREADY_RESET"),
    Story("a live mission is not reset", "READY_FOR_NEXT_HOP", "user reset_mission reason=why successor=m2", "MISSION_LIVE"),
    Story("an agent does not reset a mission", "CANCELLED", "agent reset_mission reason=why successor=m2", "HUMAN_REQUIRED"),
    Story("a reset of the mission needs a reason", "CANCELLED", "user reset_mission successor=m2", "REASON_REQUIRED"),
    Story("a reset names the new mission", "CANCELLED", "user reset_mission reason=why", "SUCCESSOR_REQUIRED"),
)
# fmt: on

STORIES = (*ACCEPTING, *PROPOSING, *ENDING, *CANCELLING, *RESETTING)
