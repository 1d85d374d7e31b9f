"""Stories about hops: revised, accepted, rejected, repaired, completed, cancelled, deleted."""

from tests.workflows.mission.telling import Story

ASKED = "BUILDING_HOP current=h; h PROPOSED is_asked"
RESOLVING = "BUILDING_HOP current=h; h READY_TO_RESOLVE"
PENDING = "READY_FOR_NEXT_HOP; h PROPOSED"

# fmt: off
LEASES = (
    Story("an agent claims the hop to resolve it", RESOLVING, "agent claim_hop h", "h.holder=a; h.fence=1"),
    Story("an agent claims the hop to revise it", ASKED, "agent claim_hop h", "h.holder=a; h.fence=1"),
    Story("a lapsed lease is taken over", f"{RESOLVING} holder=z fence=1 lapsed", "agent claim_hop h", "h.holder=a; h.fence=2; h.lapsed=False"),
    Story("a live lease is not taken over", f"{RESOLVING} holder=z fence=1", "agent claim_hop h", "WORK_HELD"),
    Story("nothing is to be revised unless changes were asked for", "BUILDING_HOP current=h; h PROPOSED", "agent claim_hop h", "WAITS_FOR_DECISION"),
    Story("a pending proposal is not claimed", PENDING, "agent claim_hop h", "INVALID_TRANSITION"),
    Story("a failed hop is not claimed", "BUILDING_HOP current=h held; h FAILED", "agent claim_hop h", "INVALID_TRANSITION"),
    Story("nothing is claimed in an ended mission", "CANCELLED; h CANCELLED", "agent claim_hop h", "MISSION_TERMINAL"),
    Story("a person claims nothing", RESOLVING, "user claim_hop h", "NOT_ALLOWED"),

    Story("a heartbeat keeps the lease", f"{RESOLVING} holder=a fence=1 lapsed", "agent heartbeat_hop h fence=1", "h.lapsed=False"),
    Story("a zombie's heartbeat is refused", f"{RESOLVING} holder=z fence=2", "agent heartbeat_hop h fence=1", "STALE_LEASE"),
    Story("no heartbeat brings a lease back", f"{RESOLVING} fence=1", "agent heartbeat_hop h fence=1", "STALE_LEASE"),
    Story("a hop at the gate has no heart", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE fence=1", "agent heartbeat_hop h fence=1", "INVALID_TRANSITION"),
    Story("an ended mission has no heart", "FAILED; h FAILED fence=1", "agent heartbeat_hop h fence=1", "MISSION_TERMINAL"),

    Story("a hop is given back", f"{RESOLVING} holder=a fence=1 lapsed", "agent release_hop h fence=1", "h.holder=None; h.lapsed=False"),
    Story("a stranger gives nothing back", f"{RESOLVING} holder=a fence=1", "stranger release_hop h", "STALE_LEASE"),
    Story("what nobody has is not given back", f"{RESOLVING} fence=1", "agent release_hop h fence=1", "STALE_LEASE"),
    Story("a hop at the gate is not given back", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE fence=1", "agent release_hop h fence=1", "INVALID_TRANSITION"),
    Story("a hop of an ended mission is not given back", "FAILED; h FAILED fence=1", "agent release_hop h fence=1", "MISSION_TERMINAL"),

    Story("the lease runs out", f"{RESOLVING} holder=a fence=1", "system lapse_hop h", "h.lapsed=True"),
    Story("a lease runs out once", f"{RESOLVING} holder=a fence=1 lapsed", "system lapse_hop h", "INVALID_TRANSITION"),
    Story("no lease, none runs out", f"{RESOLVING} fence=1", "system lapse_hop h", "STALE_LEASE"),
    Story("a hop at the gate has no lease", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE holder=a", "system lapse_hop h", "INVALID_TRANSITION"),
    Story("no lease outlives the mission", "FAILED; h FAILED", "system lapse_hop h", "MISSION_TERMINAL"),
)

PROPOSALS = (
    Story("an agent revises its pending proposal", PENDING, "agent revise_hop h name=n digest=e", "h.name=n; h.shown=e; h.concept=e"),
    Story("an agent does not say which hop is final", PENDING, "agent revise_hop h is_final=True digest=d", ""),
    Story("a person says which hop is final", PENDING, "user revise_hop h is_final=True digest=d", "h.is_final=True"),
    Story("a revision has other inputs and another output", PENDING, "user revise_hop h inputs=in output=out digest=d", "h.inputs=in; h.output=out"),
    Story("the claimed revision is done and given back", f"{ASKED} holder=a fence=1 lapsed", "agent revise_hop h fence=1 digest=e", "h.shown=e; h.concept=e; h.is_asked=False; h.holder=None; h.lapsed=False"),
    Story("a person revises what an agent has claimed", f"{ASKED} holder=a fence=1", "user revise_hop h goal=g digest=d", "h.goal=g; h.is_asked=False; h.holder=None"),
    Story("a zombie does not revise", f"{ASKED} holder=z fence=2", "agent revise_hop h fence=1 digest=e", "STALE_LEASE"),
    Story("whose lease has ended does not revise", f"{ASKED} fence=1", "agent revise_hop h fence=1 digest=e", "STALE_LEASE"),
    Story("an accepted hop is not revised", RESOLVING, "agent revise_hop h digest=e", "INVALID_TRANSITION"),
    Story("nothing is revised in an ended mission", "CANCELLED; h CANCELLED", "user revise_hop h digest=e", "MISSION_TERMINAL"),

    Story("an agent withdraws its proposal", PENDING, "agent withdraw_hop h", "-h"),
    Story("an accepted hop is not withdrawn", RESOLVING, "agent withdraw_hop h", "INVALID_TRANSITION"),
    Story("a hop that was accepted once is not withdrawn", ASKED, "agent withdraw_hop h", "INVALID_TRANSITION"),
    Story("a cancelled hop is not withdrawn", "READY_FOR_NEXT_HOP; h CANCELLED", "agent withdraw_hop h", "INVALID_TRANSITION"),
    Story("nothing is withdrawn from an ended mission", "CANCELLED; h CANCELLED", "agent withdraw_hop h", "MISSION_TERMINAL"),
    Story("a person rejects instead", PENDING, "user withdraw_hop h", "NOT_ALLOWED"),

    Story("a person accepts the proposal", PENDING, "user accept_hop h digest=d", "unit BUILDING_HOP; unit.current=h; h READY_TO_RESOLVE"),
    Story("a person accepts it as the final hop", PENDING, "user accept_hop h digest=d is_final=True", "unit BUILDING_HOP; unit.current=h; h READY_TO_RESOLVE; h.is_final=True"),
    Story("a person accepts it as not the final hop", f"{PENDING} is_final", "user accept_hop h digest=d is_final=False", "unit BUILDING_HOP; unit.current=h; h READY_TO_RESOLVE; h.is_final=False"),
    Story("with the hop the assets it brings are accepted", f"{PENDING}; out READY", "user accept_hop h digest=d", "unit BUILDING_HOP; unit.current=h; h READY_TO_RESOLVE; +asset2 PENDING; asset2.name=draft; asset2.ttl=60", {"assets": ({"name": "draft", "ttl": 60},)}),
    Story("a revised hop is accepted again", f"{ASKED} holder=a fence=1 lapsed", "user accept_hop h digest=d", "h READY_TO_RESOLVE; h.is_asked=False; h.holder=None; h.lapsed=False"),
    Story("an agent relays the acceptance of a hop", "READY_FOR_NEXT_HOP policy=relay; h PROPOSED", "agent accept_hop h", "unit BUILDING_HOP; unit.current=h; h READY_TO_RESOLVE"),
    Story("an agent does not accept a hop", PENDING, "agent accept_hop h digest=d", "HUMAN_REQUIRED"),
    Story("a proposal that has changed since is not accepted", PENDING, "user accept_hop h digest=old", "STALE_APPROVAL"),
    Story("a cancelled hop is not accepted", "READY_FOR_NEXT_HOP; h CANCELLED", "user accept_hop h digest=d", "INVALID_TRANSITION"),
    Story("no hop of an ended mission is accepted", "CANCELLED; h CANCELLED", "user accept_hop h digest=d", "MISSION_TERMINAL"),

    Story("a person rejects the proposal", PENDING, "user reject_hop h digest=d reason=why", "-h"),
    Story("an agent relays the rejection", "READY_FOR_NEXT_HOP policy=relay; h PROPOSED", "agent reject_hop h reason=why", "-h"),
    Story("an agent does not reject a hop", PENDING, "agent reject_hop h digest=d reason=why", "HUMAN_REQUIRED"),
    Story("a rejection needs a reason", PENDING, "user reject_hop h digest=d", "REASON_REQUIRED"),
    Story("a rejection is of what was shown", PENDING, "user reject_hop h digest=old reason=why", "STALE_APPROVAL"),
    Story("the current hop is not rejected", ASKED, "user reject_hop h digest=d reason=why", "INVALID_TRANSITION"),
    Story("a cancelled hop is not rejected", "READY_FOR_NEXT_HOP; h CANCELLED", "user reject_hop h digest=d reason=why", "INVALID_TRANSITION"),
    Story("nothing is rejected in an ended mission", "CANCELLED; h CANCELLED", "user reject_hop h digest=d reason=why", "MISSION_TERMINAL"),
)

REPAIRS = (
    Story("a hop that failed is repaired; what it completed is kept", "EXECUTING_HOP current=h held recovery=r; h FAILED recoverable; s1 COMPLETED; s2 FAILED; s3 READY_TO_EXECUTE; out ERROR needs=s2", "user fix_hop h reason=why", "unit BUILDING_HOP; unit.held=False; unit.recovery=None; h READY_TO_RESOLVE; h.recoverable=False; s2 READY_TO_CONFIGURE"),
    Story("a hop that was not resolved is repaired", "BUILDING_HOP current=h held recovery=r; h FAILED", "user fix_hop h reason=why", "unit.held=False; unit.recovery=None; h READY_TO_RESOLVE"),
    Story("an agent relays the repair", "BUILDING_HOP current=h held policy=relay; h FAILED", "agent fix_hop h reason=why", "unit.held=False; h READY_TO_RESOLVE"),
    Story("an agent does not repair", "BUILDING_HOP current=h held; h FAILED", "agent fix_hop h reason=why", "HUMAN_REQUIRED"),
    Story("a repair needs a reason", "BUILDING_HOP current=h held; h FAILED", "user fix_hop h", "REASON_REQUIRED"),
    Story("what has not failed is not repaired", "EXECUTING_HOP current=h; h EXECUTING", "user fix_hop h reason=why", "INVALID_TRANSITION"),
    Story("only the hop of a held mission is repaired", "READY_FOR_NEXT_HOP; h FAILED", "user fix_hop h reason=why", "NOT_HELD"),
    Story("nothing is repaired in a failed mission", "FAILED; h FAILED", "user fix_hop h reason=why", "MISSION_TERMINAL"),

    Story("a person says that the hop is done", "EXECUTING_HOP current=h ready=out; h EXECUTING output=out; s1 COMPLETED; s2 READY_TO_EXECUTE; out READY", "user mark_hop_complete h reason=why", "unit READY_FOR_NEXT_HOP; unit.current=None; h COMPLETED; s2 CANCELLED"),
    Story("a person says that the final hop is done", "EXECUTING_HOP current=h ready=out; h EXECUTING output=out is_final; s1 READY_TO_EXECUTE", "user mark_hop_complete h reason=why", "unit COMPLETED; unit.current=None; h COMPLETED; s1 CANCELLED"),
    Story("that needs a reason", "EXECUTING_HOP current=h ready=out; h EXECUTING output=out", "user mark_hop_complete h", "REASON_REQUIRED"),
    Story("a hop whose step runs is not done", "EXECUTING_HOP current=h ready=out; h EXECUTING output=out; s1 EXECUTING", "user mark_hop_complete h reason=why", "STEP_RUNNING"),
    Story("a hop without its output is not done", "EXECUTING_HOP current=h ready=in; h EXECUTING output=out; out PENDING", "user mark_hop_complete h reason=why", "OUTPUTS_MISSING"),
    Story("a hop that does not execute is not done", "HOP_READY_TO_EXECUTE current=h ready=out; h READY_TO_EXECUTE output=out", "user mark_hop_complete h reason=why", "INVALID_TRANSITION"),
    Story("a hop of an ended mission is not done", "FAILED ready=out; h FAILED output=out", "user mark_hop_complete h reason=why", "MISSION_TERMINAL"),
    Story("an agent does not say that a hop is done", "EXECUTING_HOP current=h ready=out policy=relay; h EXECUTING output=out", "agent mark_hop_complete h reason=why", "NOT_ALLOWED"),
)

CANCELLING = (
    Story("a pending proposal is cancelled, the mission goes on", PENDING, "user cancel_hop h reason=why", "h CANCELLED"),
    Story("with the current hop its mission is cancelled: proposed", ASKED, "user cancel_hop h reason=why cascade=True", "unit CANCELLED; unit.current=None; h CANCELLED; h.is_asked=False"),
    Story("with the current hop its mission is cancelled: resolved", f"{RESOLVING}; s1 PROPOSED; s2 READY_TO_CONFIGURE", "user cancel_hop h reason=why cascade=True", "unit CANCELLED; unit.current=None; h CANCELLED; s1 CANCELLED; s2 CANCELLED"),
    Story("with the current hop its mission is cancelled: at the gate", "HOP_READY_TO_EXECUTE current=h; h READY_TO_EXECUTE; s1 READY_TO_EXECUTE", "user cancel_hop h reason=why cascade=True", "unit CANCELLED; unit.current=None; h CANCELLED; s1 CANCELLED"),
    Story("with the current hop its mission is cancelled: executing", "EXECUTING_HOP current=h; h EXECUTING; s1 EXECUTING holder=a fence=1; out IN_PROGRESS needs=s1", "user cancel_hop h reason=why cascade=True", "unit CANCELLED; unit.current=None; h CANCELLED; s1 CANCELLED; s1.holder=None; out PENDING"),
    Story("with the current hop its mission is cancelled: failed", "EXECUTING_HOP current=h held; h FAILED; s1 FAILED; s2 READY_TO_EXECUTE", "user cancel_hop h reason=why cascade=True", "unit CANCELLED; unit.current=None; unit.held=False; h CANCELLED; s2 CANCELLED"),
    Story("whoever cancels the current hop says what that means", RESOLVING, "user cancel_hop h reason=why", "CASCADE_REQUIRED"),
    Story("a person cancels the hop of a failed mission", "FAILED; h FAILED; s1 READY_TO_EXECUTE", "user cancel_hop h reason=why", "h CANCELLED; s1 CANCELLED"),
    Story("no relayed decision cancels the hop of a failed mission", "FAILED policy=relay; h FAILED", "agent cancel_hop h reason=why", "HUMAN_REQUIRED"),
    Story("an agent relays the cancelling of a hop", "READY_FOR_NEXT_HOP policy=relay; h PROPOSED", "agent cancel_hop h reason=why", "h CANCELLED"),
    Story("an agent does not cancel a hop", PENDING, "agent cancel_hop h reason=why", "HUMAN_REQUIRED"),
    Story("cancelling a hop needs a reason", PENDING, "user cancel_hop h", "REASON_REQUIRED"),
    Story("a completed hop is not cancelled", "READY_FOR_NEXT_HOP; h COMPLETED", "user cancel_hop h reason=why", "INVALID_TRANSITION"),

    Story("a cancelled hop is proposed again", "READY_FOR_NEXT_HOP; h CANCELLED is_final", "user reset_hop h reason=why", "h PROPOSED"),
    Story("an agent relays the reset of a hop", "READY_FOR_NEXT_HOP policy=relay; h CANCELLED", "agent reset_hop h reason=why", "h PROPOSED"),
    Story("an agent does not reset a hop", "READY_FOR_NEXT_HOP; h CANCELLED", "agent reset_hop h reason=why", "HUMAN_REQUIRED"),
    Story("a reset needs a reason", "READY_FOR_NEXT_HOP; h CANCELLED", "user reset_hop h", "REASON_REQUIRED"),
    Story("no hop is reset beside another one", "READY_FOR_NEXT_HOP; h CANCELLED; h2 PROPOSED", "user reset_hop h reason=why", "HOP_OPEN"),
    Story("no hop is reset while another one is at work", "BUILDING_HOP current=h2; h CANCELLED; h2 READY_TO_RESOLVE", "user reset_hop h reason=why", "INVALID_TRANSITION"),
    Story("only a cancelled hop is reset", "READY_FOR_NEXT_HOP; h COMPLETED", "user reset_hop h reason=why", "INVALID_TRANSITION"),
    Story("no hop is reset in a cancelled mission", "CANCELLED; h CANCELLED", "user reset_hop h reason=why", "MISSION_TERMINAL"),

    Story("a pending proposal is deleted", PENDING, "user delete_hop h reason=why", "-h"),
    Story("a cancelled hop is deleted beside the current one", "BUILDING_HOP current=h2; h CANCELLED; h2 READY_TO_RESOLVE; s1 CANCELLED; s2 PROPOSED under=h2; x PENDING under=h", "user delete_hop h reason=why", "-h; -s1; -x"),
    Story("a failed hop of a failed mission is deleted", "FAILED; h FAILED; s1 FAILED", "user delete_hop h reason=why", "-h; -s1"),
    Story("the current hop is not deleted", ASKED, "user delete_hop h reason=why", "CURRENT_HOP"),
    Story("deleting needs a reason", PENDING, "user delete_hop h", "REASON_REQUIRED"),
    Story("a completed hop is not deleted", "READY_FOR_NEXT_HOP; h COMPLETED", "user delete_hop h reason=why", "INVALID_TRANSITION"),
    Story("an agent does not delete", "READY_FOR_NEXT_HOP policy=relay; h CANCELLED", "agent delete_hop h reason=why", "NOT_ALLOWED"),

    Story("a completed hop is archived", "READY_FOR_NEXT_HOP; h COMPLETED", "user archive_hop h", "h.is_archived=True"),
    Story("the system archives beside the current hop", "BUILDING_HOP current=h2; h COMPLETED; h2 READY_TO_RESOLVE", "system archive_hop h", "h.is_archived=True"),
    Story("only a completed hop is archived", "READY_FOR_NEXT_HOP; h CANCELLED", "user archive_hop h", "INVALID_TRANSITION"),
)
# fmt: on

STORIES = (*LEASES, *PROPOSALS, *REPAIRS, *CANCELLING)
