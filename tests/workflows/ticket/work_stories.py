"""Stories of assignments: outcomes, rounds of the council, audits, leases, deadlines. Sections 2-5."""

from tests.workflows.ticket.story import DIGEST, Story

ANSWERS = "WAITING_INTERVIEW_ANSWERS"
SETUP = "WAITING_EXECUTION_SETUP_APPROVAL"
BLOCKED = "BLOCKED_ERROR"
THREE = {"members": 3, "quorum": 2}
MINE = "claimed@me"
GAPS = {"outcome": "GAPS_FOUND", "digest": DIGEST}
CLEAN = {"outcome": "COVERAGE_CLEAN", "digest": DIGEST}
WITH_BEADS = {"beads": [{"title": "a"}, {"title": "b", "needs": [0]}]}
DONE = "done done"


def _says(outcome: str) -> dict[str, object]:
    return {"outcome": outcome, "digest": DIGEST}


# fmt: off
# phase, outcome, phase afterwards, beads, work afterwards
OUTCOMES = (
    ("DRAFT",                   "START",                      "SCANNING_RELEVANT_FILES",      "",        "offered"),
    ("SCANNING_RELEVANT_FILES", "RELEVANT_FILES_READY",       "COUNCIL_DELIBERATING",         "",        "offered"),
    ("COMPILING_INTERVIEW",     "READY",                      ANSWERS,                        "",        "offered"),
    (ANSWERS,                   "INTERVIEW_COMPLETE",         "VERIFYING_INTERVIEW_COVERAGE", "",        "offered"),
    ("REFINING_PRD",            "REFINED",                    "VERIFYING_PRD_COVERAGE",       "",        "offered"),
    ("REFINING_BEADS",          "REFINED",                    "VERIFYING_BEADS_COVERAGE",     "",        "offered"),
    ("PRE_FLIGHT_CHECK",        "CHECKS_PASSED",              SETUP,                          "pending", "offered"),
    (SETUP,                     "EXECUTION_SETUP_PLAN_READY", SETUP,                          "pending", "submitted"),
    ("PREPARING_EXECUTION_ENV", "EXECUTION_SETUP_READY",      "CODING",                       "pending", "submitted"),
    ("RUNNING_FINAL_TEST",      "TESTS_PASSED",               "INTEGRATING_CHANGES",          DONE,      "offered"),
    ("INTEGRATING_CHANGES",     "INTEGRATION_DONE",           "CREATING_PULL_REQUEST",        DONE,      "offered"),
    ("CREATING_PULL_REQUEST",   "PULL_REQUEST_READY",         "WAITING_PR_REVIEW",            DONE,      "submitted"),
    ("WAITING_PR_REVIEW",       "MERGE_COMPLETE",             "CLEANING_ENV",                 DONE,      "offered"),
    ("CLEANING_ENV",            "CLEANUP_DONE",               "COMPLETED",                    DONE,      "submitted"),
)
# phase, what its failure fires, beads
FAILURES = (
    ("DRAFT",                        "INIT_FAILED",                 ""),
    ("SCANNING_RELEVANT_FILES",      "ERROR",                       ""),
    ("COMPILING_INTERVIEW",          "ERROR",                       ""),
    (ANSWERS,                        "ERROR",                       ""),
    ("VERIFYING_INTERVIEW_COVERAGE", "ERROR",                       ""),
    ("REFINING_PRD",                 "ERROR",                       ""),
    ("VERIFYING_PRD_COVERAGE",       "ERROR",                       ""),
    ("REFINING_BEADS",               "ERROR",                       ""),
    ("VERIFYING_BEADS_COVERAGE",     "ERROR",                       ""),
    ("PRE_FLIGHT_CHECK",             "CHECKS_FAILED",               "pending"),
    (SETUP,                          "EXECUTION_SETUP_PLAN_FAILED", "pending"),
    ("PREPARING_EXECUTION_ENV",      "EXECUTION_SETUP_FAILED",      "pending"),
    ("RUNNING_FINAL_TEST",           "TESTS_FAILED",                DONE),
    ("INTEGRATING_CHANGES",          "ERROR",                       DONE),
    ("CREATING_PULL_REQUEST",        "ERROR",                       DONE),
    ("WAITING_PR_REVIEW",            "ERROR",                       DONE),
    ("CLEANING_ENV",                 "ERROR",                       DONE),
)
# phase, what a round that is over fires, phase afterwards
ROUNDS = (
    ("COUNCIL_DELIBERATING",     "QUESTIONS_READY", "COUNCIL_VOTING_INTERVIEW"),
    ("COUNCIL_VOTING_INTERVIEW", "WINNER_SELECTED", "COMPILING_INTERVIEW"),
    ("DRAFTING_PRD",             "DRAFTS_READY",    "COUNCIL_VOTING_PRD"),
    ("COUNCIL_VOTING_PRD",       "WINNER_SELECTED", "REFINING_PRD"),
    ("DRAFTING_BEADS",           "DRAFTS_READY",    "COUNCIL_VOTING_BEADS"),
    ("COUNCIL_VOTING_BEADS",     "WINNER_SELECTED", "REFINING_BEADS"),
)
ALONE = (
    ("COUNCIL_DELIBERATING", "QUESTIONS_READY WINNER_SELECTED", "COMPILING_INTERVIEW"),
    ("DRAFTING_PRD",         "DRAFTS_READY WINNER_SELECTED",    "REFINING_PRD"),
    ("DRAFTING_BEADS",       "DRAFTS_READY WINNER_SELECTED",    "REFINING_BEADS"),
)

ANSWERING = (
    *(
        Story(f"{outcome} leaves {phase}", phase, "submit_work", then, outcome, args=_says(outcome), beads=beads, work=MINE, work_after=after)
        for phase, outcome, then, beads, after in OUTCOMES
    ),
    Story("a council of three is asked", "SCANNING_RELEVANT_FILES", "submit_work", "COUNCIL_DELIBERATING", "RELEVANT_FILES_READY", args=_says("RELEVANT_FILES_READY"), fields=THREE, work=MINE, work_after="offered offered offered"),
    Story("a batch waits for the user", ANSWERS, "submit_work", ANSWERS, args=_says("BATCH_READY"), work=MINE, work_after="submitted", after={"batch": True}),
    Story("a plan waits for the user", SETUP, "submit_work", SETUP, "EXECUTION_SETUP_PLAN_READY", args=_says("EXECUTION_SETUP_PLAN_READY"), beads="pending", work=MINE, work_after="submitted", after={"setup_ready": True, "shown": DIGEST}),
    Story("a report of checks is not what is approved", "PRE_FLIGHT_CHECK", "submit_work", SETUP, "CHECKS_PASSED", args=_says("CHECKS_PASSED"), beads="pending", work=MINE, work_after="offered", after={"setup_ready": False, "shown": ""}),
    Story("a batch is for the interview only", "COMPILING_INTERVIEW", "submit_work", args=_says("BATCH_READY"), work=MINE, refused="BAD_OUTCOME"),
    Story("an outcome of another phase", "REFINING_PRD", "submit_work", args=_says("READY"), work=MINE, refused="BAD_OUTCOME"),
    Story("an answer without its outcome", "REFINING_PRD", "submit_work", work=MINE, refused="BAD_OUTCOME"),
    Story("a council's answer has no outcome", "DRAFTING_PRD", "submit_work", args=_says("DRAFTS_READY"), work=MINE, refused="BAD_OUTCOME"),
    Story("a worker does not set the limit", "VERIFYING_PRD_COVERAGE", "submit_work", args=_says("COVERAGE_LIMIT_REACHED"), work=MINE, refused="BAD_OUTCOME"),
    Story("a worker does not decide for the user", "WAITING_PR_REVIEW", "submit_work", args=_says("CLOSE_UNMERGED_COMPLETE"), beads=DONE, work=MINE, refused="BAD_OUTCOME"),
    Story("a worker does not answer for the user", ANSWERS, "submit_work", args=_says("BATCH_ANSWERED"), work=MINE, refused="BAD_OUTCOME"),
    Story("failing is not an outcome", "PRE_FLIGHT_CHECK", "submit_work", args=_says("CHECKS_FAILED"), beads="pending", work=MINE, refused="BAD_OUTCOME"),
    Story("people do not answer for workers", "REFINING_PRD", "submit_work", by="user", args=_says("REFINED"), work=MINE, refused="NOT_ALLOWED"),
)
FAILING = (
    *(
        Story(f"failed work fires {signal} in {phase}", phase, "fail_work", BLOCKED, signal, beads=beads, work=MINE, work_after="failed", after={"previous": phase})
        for phase, signal, beads in FAILURES
    ),
    *(
        Story(f"a deadline fires {signal} in {phase}", phase, "deadline", BLOCKED, signal, beads=beads, work="offered", work_after="cancelled", after={"previous": phase})
        for phase, signal, beads in FAILURES
    ),
    Story("a deadline ends claimed work", "REFINING_PRD", "deadline", BLOCKED, "ERROR", work=MINE, work_after="cancelled"),
    Story("nothing is due where nothing is open", "WAITING_PRD_APPROVAL", "deadline", work="submitted", refused="NOTHING_DUE"),
    Story("nothing is due while coding", "CODING", "deadline", beads="in_progress@me", work="submitted", refused="NOTHING_DUE"),
    Story("agents do not tell the time", "REFINING_PRD", "deadline", by="agent", work=MINE, refused="NOT_ALLOWED"),
)
NOBODY = ("", "", "")
COUNCIL = (
    Story("a draft is kept by its place, and its member has completed", "DRAFTING_PRD", "submit_work", "DRAFTING_PRD", args={"digest": "d"}, fields={**THREE, "outcomes": NOBODY}, work=f"{MINE} offered offered", work_after="submitted offered offered", after={"drafts": ("d", "", ""), "outcomes": ("completed", "", "")}),
    Story("points are added up", "COUNCIL_VOTING_PRD", "submit_work", "COUNCIL_VOTING_PRD", args={"scores": (1, 2, 3)}, fields={**THREE, "totals": (10, 0, 1)}, work=f"{MINE} offered offered", work_after="submitted offered offered", after={"totals": (11, 2, 4)}),
    Story("the highest sum wins, and of equal ones the first", "COUNCIL_VOTING_PRD", "submit_work", "REFINING_PRD", "WINNER_SELECTED", args={"scores": (0, 2, 0)}, fields={**THREE, "drafts": ("", "b", "c"), "totals": (9, 3, 5)}, work=f"submitted submitted {MINE}", about="w3", work_after="offered", after={"winner": 1}),
    Story("an answer that is no good is its member's outcome", "DRAFTING_PRD", "reject_work", "DRAFTING_PRD", args={"failure": "invalid_output"}, fields={**THREE, "structured_retries": 0, "outcomes": NOBODY}, work=f"{MINE} offered offered", work_after="failed offered offered", after={"outcomes": ("invalid_output", "", "")}),
    Story("who is out of time has timed out", "DRAFTING_PRD", "deadline", BLOCKED, "ERROR", args={"reason": "Over."}, fields={**THREE, "outcomes": ("completed", "", ""), "roster": ("ann", "ben", "cleo")}, work=f"submitted {MINE} offered", work_after="submitted cancelled cancelled", after={"error": {"code": "QUORUM_NOT_MET", "message": "Over. (ann completed, ben timed_out, cleo timed_out)", "members": {"ann": "completed", "ben": "timed_out", "cleo": "timed_out"}}}),
    *(
        Story(f"the last answer ends the round of {phase}", phase, "submit_work", then, signal, fields=THREE, work=f"submitted submitted {MINE}", about="w3", work_after="offered" if then.startswith(("COMP", "REF")) else "offered offered offered")
        for phase, signal, then in ROUNDS
    ),
    *(
        Story(f"the only member goes on at once from {phase}", phase, "submit_work", then, signals, work=MINE, work_after="offered")
        for phase, signals, then in ALONE
    ),
    *(
        Story(f"a quorum is out of reach in {phase}", phase, "fail_work", BLOCKED, "ERROR", fields=THREE, work=f"failed submitted {MINE}", about="w3", work_after="failed submitted failed", after={"previous": phase})
        for phase, *_ in ROUNDS
    ),
    Story("a round waits for every member", "DRAFTING_PRD", "submit_work", "DRAFTING_PRD", fields=THREE, work=f"submitted {MINE} offered", about="w2", work_after="submitted submitted offered"),
    Story("a round survives a missing member", "DRAFTING_PRD", "fail_work", "COUNCIL_VOTING_PRD", "DRAFTS_READY", fields=THREE, work=f"submitted submitted {MINE}", about="w3", work_after="offered offered offered"),
    Story("a member may fail first", "DRAFTING_PRD", "fail_work", "DRAFTING_PRD", fields=THREE, work=f"{MINE} offered offered", work_after="failed offered offered"),
    Story("a lost round does not wait", "DRAFTING_PRD", "fail_work", BLOCKED, "ERROR", fields=THREE, work=f"failed offered {MINE}", about="w3", work_after="failed cancelled failed"),
    Story("the only member fails", "DRAFTING_PRD", "fail_work", BLOCKED, "ERROR", work=MINE, work_after="failed"),
    Story("the deadline ends a round with a quorum", "DRAFTING_PRD", "deadline", "COUNCIL_VOTING_PRD", "DRAFTS_READY", fields=THREE, work=f"submitted submitted {MINE}", work_after="offered offered offered"),
    Story("the deadline ends a round without a quorum", "DRAFTING_PRD", "deadline", BLOCKED, "ERROR", fields=THREE, work=f"submitted {MINE} offered", work_after="submitted cancelled cancelled"),
    Story("a quorum of three of three", "DRAFTING_PRD", "fail_work", BLOCKED, "ERROR", fields={"members": 3, "quorum": 3}, work=f"submitted submitted {MINE}", about="w3", work_after="submitted submitted failed"),
)
COVERAGE = (
    Story("a clean interview", "VERIFYING_INTERVIEW_COVERAGE", "submit_work", "WAITING_INTERVIEW_APPROVAL", "COVERAGE_CLEAN", args=CLEAN, work=MINE, work_after="submitted", after={"shown": DIGEST}),
    Story("gaps ask again", "VERIFYING_INTERVIEW_COVERAGE", "submit_work", ANSWERS, "GAPS_FOUND", args=GAPS, work=MINE, work_after="offered", after={"interview_audits": 1}),
    Story("the second audit is the last", "VERIFYING_INTERVIEW_COVERAGE", "submit_work", "WAITING_INTERVIEW_APPROVAL", "COVERAGE_LIMIT_REACHED", args=GAPS, fields={"interview_audits": 1}, work=MINE, work_after="submitted", after={"interview_audits": 0, "shown": DIGEST}),
    Story("no follow-up question is left", "VERIFYING_INTERVIEW_COVERAGE", "submit_work", "WAITING_INTERVIEW_APPROVAL", "COVERAGE_LIMIT_REACHED", args={**GAPS, "follow_ups_left": 0}, work=MINE, work_after="submitted"),
    Story("follow-up questions are left", "VERIFYING_INTERVIEW_COVERAGE", "submit_work", ANSWERS, "GAPS_FOUND", args={**GAPS, "follow_ups_left": 3}, work=MINE, work_after="offered"),
    Story("audits are counted while the interview goes on", ANSWERS, "submit_work", "VERIFYING_INTERVIEW_COVERAGE", "INTERVIEW_COMPLETE", args=_says("INTERVIEW_COMPLETE"), fields={"interview_audits": 1}, work=MINE, work_after="offered", after={"interview_audits": 1}),
    Story("a retry does not forget an audit", BLOCKED, "retry", "VERIFYING_INTERVIEW_COVERAGE", "RETRY", fields={"previous": "VERIFYING_INTERVIEW_COVERAGE", "interview_audits": 1}, work="cancelled", work_after="offered", after={"interview_audits": 1}),
    Story("an error does not forget an audit", "VERIFYING_INTERVIEW_COVERAGE", "error", BLOCKED, "ERROR", fields={"interview_audits": 1}, work=MINE, work_after="cancelled", after={"interview_audits": 1}),
    *(
        story
        for phase, gate, beads in (
            ("VERIFYING_PRD_COVERAGE", "WAITING_PRD_APPROVAL", ""),
            ("VERIFYING_BEADS_COVERAGE", "WAITING_BEADS_APPROVAL", "pending pending"),
        )
        for story in (
            Story(f"clean in {phase}", phase, "submit_work", gate, "COVERAGE_CLEAN", args={**CLEAN, **WITH_BEADS}, fields={"audits": 2}, work=MINE, work_after="submitted", beads_after=beads, after={"audits": 0, "shown": DIGEST}),
            Story(f"gaps in {phase}", phase, "submit_work", phase, "GAPS_FOUND", args=GAPS, work=MINE, work_after="offered", after={"audits": 1}),
            Story(f"the fourth revision in {phase}", phase, "submit_work", phase, "GAPS_FOUND", args=GAPS, fields={"audits": 3}, work=MINE, work_after="offered", after={"audits": 4}),
            Story(f"the fifth audit in {phase}", phase, "submit_work", gate, "COVERAGE_LIMIT_REACHED", args={**GAPS, **WITH_BEADS}, fields={"audits": 4}, work=MINE, work_after="submitted", beads_after=beads, after={"audits": 0, "shown": DIGEST}),
            Story(f"an error forgets the audits of {phase}", phase, "error", BLOCKED, "ERROR", fields={"audits": 3}, work=MINE, work_after="cancelled", after={"audits": 0}),
        )
    ),
    Story("a clean blueprint brings its beads", "VERIFYING_BEADS_COVERAGE", "submit_work", args=CLEAN, work=MINE, refused="BAD_BEADS"),
    Story("a blueprint at its limit brings its beads", "VERIFYING_BEADS_COVERAGE", "submit_work", args=GAPS, fields={"audits": 4}, work=MINE, refused="BAD_BEADS"),
    Story("beads in a circle", "VERIFYING_BEADS_COVERAGE", "submit_work", args={**CLEAN, "beads": [{"needs": [1]}, {"needs": [0]}]}, work=MINE, refused="BAD_BEADS"),
)
LEASES = (
    Story("work is claimed", "REFINING_PRD", "claim_work", "REFINING_PRD", work="offered", work_after="claimed@me"),
    Story("claimed work is not claimed again", "REFINING_PRD", "claim_work", work="claimed@other", refused="INVALID_TRANSITION"),
    Story("people do not claim", "REFINING_PRD", "claim_work", by="user", work="offered", refused="NOT_ALLOWED"),
    Story("an old fence", "REFINING_PRD", "submit_work", args=_says("REFINED"), work=MINE, fence=0, refused="STALE_LEASE"),
    Story("a stranger without a fence", "REFINING_PRD", "submit_work", args=_says("REFINED"), work="claimed@other", fence=None, refused="STALE_LEASE"),
    Story("the holder needs no fence", "REFINING_PRD", "submit_work", "VERIFYING_PRD_COVERAGE", "REFINED", args=_says("REFINED"), work=MINE, fence=None, work_after="offered"),
    Story("a zombie after its lease has lapsed", "REFINING_PRD", "submit_work", args=_says("REFINED"), work="offered#", refused="STALE_LEASE"),
    Story("a late answer to withdrawn work", BLOCKED, "submit_work", args=_says("REFINED"), fields={"previous": "REFINING_PRD"}, work="cancelled#", refused="STALE_LEASE"),
    Story("a heartbeat changes nothing", "REFINING_PRD", "heartbeat_work", "REFINING_PRD", work=MINE),
    Story("a heartbeat with an old fence", "REFINING_PRD", "heartbeat_work", work=MINE, fence=0, refused="STALE_LEASE"),
    Story("a heartbeat of a zombie", "REFINING_PRD", "heartbeat_work", work="offered#", refused="STALE_LEASE"),
    Story("an answer that is no good may be mended", "REFINING_PRD", "reject_work", "REFINING_PRD", work=MINE, work_after=MINE),
    Story("an answer that is no good and cannot be mended", "REFINING_PRD", "reject_work", BLOCKED, "ERROR", fields={"structured_retries": 0}, work=MINE, work_after="failed", after={"previous": "REFINING_PRD"}),
    Story("a phase with a failure of its own has it for answers that are no good, too", "PRE_FLIGHT_CHECK", "reject_work", BLOCKED, "CHECKS_FAILED", fields={"structured_retries": 0}, beads="pending", work=MINE, work_after="failed", after={"previous": "PRE_FLIGHT_CHECK"}),
    Story("so has the working tree that was made, and is told wrongly", "DRAFT", "reject_work", BLOCKED, "INIT_FAILED", fields={"structured_retries": 0}, work=MINE, work_after="failed", after={"previous": "DRAFT"}),
    Story("a mended answer of that phase is waited for", "PRE_FLIGHT_CHECK", "reject_work", "PRE_FLIGHT_CHECK", beads="pending", work=MINE, work_after=MINE),
    Story("a member whose answer is no good is survived", "DRAFTING_PRD", "reject_work", "COUNCIL_VOTING_PRD", "DRAFTS_READY", fields={**THREE, "structured_retries": 0}, work=f"submitted submitted {MINE}", about="w3", work_after="offered offered offered"),
    Story("an answer that is no good with an old fence", "REFINING_PRD", "reject_work", work=MINE, fence=0, refused="STALE_LEASE"),
    Story("an answer of a zombie that is no good", "REFINING_PRD", "reject_work", work="offered#", refused="STALE_LEASE"),
    Story("work that is given back is offered again", "REFINING_PRD", "release_work", "REFINING_PRD", work=MINE, work_after="offered#"),
    Story("work is given back with an old fence", "REFINING_PRD", "release_work", work=MINE, fence=0, refused="STALE_LEASE"),
    Story("work that somebody else has is given back", "REFINING_PRD", "release_work", work="offered#", refused="STALE_LEASE"),
    Story("a failure with an old fence", "REFINING_PRD", "fail_work", work=MINE, fence=0, refused="STALE_LEASE"),
    Story("a failure of a zombie", "REFINING_PRD", "fail_work", work="offered#", refused="STALE_LEASE"),
    Story("a lapsed lease is offered again", "REFINING_PRD", "lapse_work", "REFINING_PRD", work=MINE, work_after="offered"),
    Story("only a lease lapses", "REFINING_PRD", "lapse_work", work="offered", refused="STALE_LEASE"),
)
# phase, what spent attempts fire, beads
TRIED = (
    ("PREPARING_EXECUTION_ENV", "EXECUTION_SETUP_FAILED", "pending"),
    ("RUNNING_FINAL_TEST",      "TESTS_FAILED",           DONE),
)
ATTEMPTS = (
    *(
        story
        for phase, signal, beads in TRIED
        for story in (
            Story(f"a failed attempt in {phase} is followed by another, in time that begins anew", phase, "retry_work", phase, args={"class": "tests_failed", "note": "n"}, beads=beads, work=MINE, work_after=f"{MINE}:1", after={"round": 8}),
            Story(f"the last attempt in {phase}", phase, "retry_work", BLOCKED, signal, beads=beads, work=f"{MINE}:4", work_after="failed", args={"failure": "tests_failed", "reason": "red"}, after={"previous": phase}, own_after={"failure": {"class": "tests_failed", "message": "red"}}),
            Story(f"the second of two attempts in {phase}", phase, "retry_work", BLOCKED, signal, fields={"tries_max": 2}, beads=beads, work=f"{MINE}:1", work_after="failed"),
            Story(f"a lapsed lease in {phase} keeps the attempts", phase, "lapse_work", phase, beads=beads, work=f"{MINE}:2", work_after="offered:2"),
        )
    ),
    Story("most work has one attempt", "INTEGRATING_CHANGES", "retry_work", beads=DONE, work=MINE, refused="BAD_OUTCOME"),
    Story("an attempt with an old fence", "RUNNING_FINAL_TEST", "retry_work", beads=DONE, work=MINE, fence=0, refused="STALE_LEASE"),
    Story("an attempt of a zombie", "RUNNING_FINAL_TEST", "retry_work", beads=DONE, work="offered#", refused="STALE_LEASE"),
    Story("people do not attempt", "RUNNING_FINAL_TEST", "retry_work", by="user", beads=DONE, work=MINE, refused="NOT_ALLOWED"),
)
# fmt: on

WORK = (*ANSWERING, *FAILING, *COUNCIL, *COVERAGE, *LEASES, *ATTEMPTS)
