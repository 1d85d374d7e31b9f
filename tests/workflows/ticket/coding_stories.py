"""Stories of beads: claims, green and failed attempts, leases, parallel beads. From sections 2 and 7."""

from tests.workflows.ticket.story import Story

BLOCKED = "BLOCKED_ERROR"
MINE = "in_progress@me"
CHAIN = ((), (0,))
TWO = {"parallel": 2}

# fmt: off
CLAIMING = (
    Story("the first bead is begun", "CODING", "claim_bead", "CODING", beads="pending pending", beads_after="in_progress@me pending"),
    Story("a bead is free when what it needs is done", "CODING", "claim_bead", "CODING", beads="done pending", needs=CHAIN, about="b2", beads_after="done in_progress@me"),
    Story("a bead waits for what it needs", "CODING", "claim_bead", beads="pending pending", needs=CHAIN, about="b2", refused="BLOCKED_BY"),
    Story("one bead at a time", "CODING", "claim_bead", beads=f"{MINE} pending", about="b2", refused="LIMIT_REACHED"),
    Story("two beads at a time", "CODING", "claim_bead", "CODING", fields=TWO, beads="in_progress@other pending", about="b2", beads_after="in_progress@other in_progress@me"),
    Story("not three of two", "CODING", "claim_bead", fields=TWO, beads=f"{MINE} {MINE} pending", about="b3", refused="LIMIT_REACHED"),
    Story("a held bead", "CODING", "claim_bead", beads="in_progress@other", refused="BEAD_HELD"),
    Story("a bead left in progress is taken up", "CODING", "claim_bead", "CODING", beads="in_progress# pending", beads_after="in_progress@me pending"),
    Story("what was green once is built anew", "CODING", "claim_bead", "CODING", beads="pending#", own={"green": {"tree": "t"}}, beads_after="in_progress@me", own_after={"green": None}),
    Story("what is green and left in progress is only finished", "CODING", "claim_bead", "CODING", beads="in_progress#", own={"green": {"tree": "t"}}, beads_after="in_progress@me", own_after={"green": {"tree": "t"}}),
    Story("a done bead", "CODING", "claim_bead", beads="done pending", refused="INVALID_TRANSITION"),
    Story("no bead is begun before CODING", "PREPARING_EXECUTION_ENV", "claim_bead", beads="pending", work="offered", refused="INVALID_TRANSITION"),
    Story("no bead is begun while blocked", BLOCKED, "claim_bead", fields={"previous": "CODING"}, beads="in_progress#", refused="INVALID_TRANSITION"),
    Story("people do not code", "CODING", "claim_bead", by="user", beads="pending", refused="NOT_ALLOWED"),
)
ATTEMPTS = (
    Story("a green bead is done", "CODING", "submit_bead", "CODING", "BEAD_COMPLETE", beads=f"{MINE} pending", beads_after="done pending"),
    Story("a green bead leaves its neighbour alone", "CODING", "submit_bead", "CODING", "BEAD_COMPLETE", fields=TWO, beads=f"{MINE} in_progress@other", beads_after="done in_progress@other"),
    Story("the last green bead ends CODING", "CODING", "submit_bead", "RUNNING_FINAL_TEST", "BEAD_COMPLETE ALL_BEADS_DONE", beads=f"done {MINE}", about="b2", work="submitted", beads_after="done done", work_after="offered"),
    Story("a failed attempt is followed by another", "CODING", "fail_bead", "CODING", beads=MINE, args={"reason": "tests_failed"}, beads_after="pending:1"),
    Story("attempts add up", "CODING", "fail_bead", "CODING", beads=f"{MINE}:3", beads_after="pending:4"),
    Story("the fifth attempt was the last", "CODING", "fail_bead", BLOCKED, "BEAD_ERROR", beads=f"{MINE}:4 pending", beads_after="error pending", after={"previous": "CODING"}),
    Story("the second of two attempts was the last", "CODING", "fail_bead", BLOCKED, "BEAD_ERROR", fields={"tries_max": 2}, beads=f"{MINE}:1", beads_after="error"),
    Story("a reset that fails is final", "CODING", "fail_bead", BLOCKED, "BEAD_ERROR", args={"reason": "reset_failed"}, beads=MINE, beads_after="error"),
    Story("a commit that fails is final", "CODING", "fail_bead", BLOCKED, "BEAD_ERROR", args={"reason": "commit_failed"}, beads=MINE, beads_after="error"),
    Story("a bead in error ends its neighbour's lease", "CODING", "fail_bead", BLOCKED, "BEAD_ERROR", args={"reason": "reset_failed"}, fields=TWO, beads=f"{MINE} in_progress@other", beads_after="error in_progress"),
    Story("a lapsed lease is a failed attempt", "CODING", "lapse_bead", "CODING", beads=MINE, beads_after="pending:1"),
    Story("a lapsed lease may be the last attempt", "CODING", "lapse_bead", BLOCKED, "BEAD_ERROR", beads=f"{MINE}:4", beads_after="error"),
    Story("a heartbeat changes nothing", "CODING", "heartbeat_bead", "CODING", beads=MINE),
)
ZOMBIES = tuple(
    story
    for call in ("submit_bead", "fail_bead", "heartbeat_bead")
    for story in (
        Story(f"{call} with an old fence", "CODING", call, beads=MINE, fence=0, refused="STALE_LEASE"),
        Story(f"{call} by a stranger", "CODING", call, beads="in_progress@other", fence=None, refused="STALE_LEASE"),
        Story(f"{call} of a bead that nobody holds any more", "CODING", call, beads="in_progress#", refused="STALE_LEASE"),
        Story(f"{call} of a bead that was given back", "CODING", call, beads="pending#:1", refused="INVALID_TRANSITION"),
        Story(f"{call} while blocked", BLOCKED, call, fields={"previous": "CODING"}, beads="in_progress#", refused="INVALID_TRANSITION"),
        Story(f"{call} by a person", "CODING", call, by="user", beads=MINE, refused="NOT_ALLOWED"),
    )
)
LAPSES = (
    Story("nobody's lease does not lapse", "CODING", "lapse_bead", beads="in_progress#", refused="STALE_LEASE"),
    Story("a waiting bead has no lease", "CODING", "lapse_bead", beads="pending#", refused="INVALID_TRANSITION"),
    Story("no lease lapses while blocked", BLOCKED, "lapse_bead", fields={"previous": "CODING"}, beads="in_progress#", refused="INVALID_TRANSITION"),
    Story("agents do not tell the time", "CODING", "lapse_bead", by="agent", beads=MINE, refused="NOT_ALLOWED"),
)
# fmt: on

CODING = (*CLAIMING, *ATTEMPTS, *ZOMBIES, *LAPSES)
