"""Stories of delivery, of what goes wrong, and of every way out. From sections 2, 3 and 7."""

from tests.workflows.ticket.story import DIGEST, Story

BLOCKED = "BLOCKED_ERROR"
SETUP = "WAITING_EXECUTION_SETUP_APPROVAL"
SEEN = {"digest": DIGEST}
RELAY = {"policy": "relay"}
CODED = {"previous": "CODING"}
REVIEW = "WAITING_PR_REVIEW"
DONE = "done done"
RESTORED = {"outcome": "RETRY"}
GREEN = {"outcome": "RETRY", "finalise": True}

# fmt: off
# How a ticket stands in each phase: fields, beads, work; and the work once it was retried.
STANDING: tuple[tuple[str, dict[str, object], str, str, str], ...] = (
    ("DRAFT",                            {},                     "",        "claimed@me", "cancelled"),
    ("SCANNING_RELEVANT_FILES",          {},                     "",        "claimed@me", "offered"),
    ("COUNCIL_DELIBERATING",             {},                     "",        "offered",    "offered"),
    ("COUNCIL_VOTING_INTERVIEW",         {"members": 2, "quorum": 2}, "",   "submitted offered", "offered offered"),
    ("COMPILING_INTERVIEW",              {},                     "",        "offered",    "offered"),
    ("WAITING_INTERVIEW_ANSWERS",        {},                     "",        "claimed@me", "offered"),
    ("VERIFYING_INTERVIEW_COVERAGE",     {},                     "",        "offered",    "offered"),
    ("WAITING_INTERVIEW_APPROVAL",       {"shown": DIGEST},      "",        "submitted",  "submitted"),
    ("DRAFTING_PRD",                     {},                     "",        "offered",    "offered"),
    ("COUNCIL_VOTING_PRD",               {"members": 2, "quorum": 2}, "",   "offered claimed@me", "offered offered"),
    ("REFINING_PRD",                     {},                     "",        "offered",    "offered"),
    ("VERIFYING_PRD_COVERAGE",           {},                     "",        "claimed@me", "offered"),
    ("WAITING_PRD_APPROVAL",             {"shown": DIGEST},      "",        "submitted",  "submitted"),
    ("DRAFTING_BEADS",                   {},                     "",        "offered",    "offered"),
    ("COUNCIL_VOTING_BEADS",             {"members": 2, "quorum": 2}, "",   "offered offered", "offered offered"),
    ("REFINING_BEADS",                   {},                     "",        "offered",    "offered"),
    ("VERIFYING_BEADS_COVERAGE",         {},                     "",        "offered",    "offered"),
    ("WAITING_BEADS_APPROVAL",           {"shown": DIGEST},      "pending", "submitted",  "submitted"),
    ("PRE_FLIGHT_CHECK",                 {},                     "pending", "claimed@me", "offered"),
    (SETUP,                              {},                     "pending", "offered",    "offered"),
    ("PREPARING_EXECUTION_ENV",          {},                     "pending", "offered",    "offered"),
    ("CODING",                           {},                     "done in_progress@me", "submitted", "offered"),
    ("RUNNING_FINAL_TEST",               {},                     DONE,      "offered",    "offered"),
    ("INTEGRATING_CHANGES",              {},                     DONE,      "offered",    "offered"),
    ("CREATING_PULL_REQUEST",            {},                     DONE,      "claimed@me", "offered"),
    (REVIEW,                             {},                     DONE,      "claimed@me", "cancelled"),
    ("CLEANING_ENV",                     {},                     DONE,      "offered",    "offered"),
)
# fmt: on


def _withdrawn(work: str) -> str:
    return " ".join("submitted" if word == "submitted" else "cancelled" for word in work.split())


# fmt: off
ERRORS = (
    *(
        Story(f"an error in {phase}", phase, "error", BLOCKED, "INIT_FAILED" if phase == "DRAFT" else "ERROR", args={"code": "BUDGET_REACHED"}, fields=fields, beads=beads, work=work, beads_after=beads.replace("@me", ""), work_after=_withdrawn(work), after={"previous": phase, "shown": fields.get("shown", "")})
        for phase, fields, beads, work, _ in STANDING
    ),
    Story("an error while blocked", BLOCKED, "error", fields={"previous": "REFINING_PRD"}, refused="INVALID_TRANSITION"),
    Story("people do not send errors", "REFINING_PRD", "error", by="user", work="offered", refused="NOT_ALLOWED"),
)
RETRIES = (
    *(
        Story(f"a retry to {phase}", BLOCKED, "retry", phase, "RETRY", fields={**fields, "previous": phase}, beads=beads, work=_withdrawn(work), work_after=after, after={"previous": None, "shown": fields.get("shown", "")})
        for phase, fields, beads, work, after in STANDING
        if phase != "CODING"
    ),
    Story("a retry has a word for whoever tries again", BLOCKED, "retry", "REFINING_PRD", "RETRY", args={"note": "Again."}, fields={"previous": "REFINING_PRD"}, work_after="offered", after={"note": "Again.", "previous": None}),
    Story("a retry of CODING restores the tree first", BLOCKED, "retry", BLOCKED, fields=CODED, beads="error pending", work="submitted", work_after="offered", after=CODED),
    Story("a restore is asked for once", BLOCKED, "retry", fields=CODED, beads="error", work="offered", refused="ALREADY_OFFERED"),
    Story("a restore under way is not asked for again", BLOCKED, "retry", fields=CODED, beads="error", work="claimed@me", refused="ALREADY_OFFERED"),
    Story("a restore that failed is asked for again", BLOCKED, "retry", BLOCKED, fields=CODED, beads="error", work="failed", work_after="offered"),
    Story("a restored bead in error waits again", BLOCKED, "submit_work", "CODING", "RETRY", args=RESTORED, fields=CODED, beads="done error pending", work="claimed@me", beads_after="done pending pending", work_after="submitted"),
    Story("a restored bead in progress waits again", BLOCKED, "submit_work", "CODING", "RETRY", args=RESTORED, fields=CODED, beads="in_progress#:2", work="claimed@me", beads_after="pending:2", work_after="submitted"),
    Story("a green bead in error is taken up again", BLOCKED, "submit_work", "CODING", "RETRY", args=GREEN, fields=CODED, beads="error pending", work="claimed@me", beads_after="in_progress pending", work_after="submitted"),
    Story("a green bead in progress stays so", BLOCKED, "submit_work", "CODING", "RETRY", args=GREEN, fields=CODED, beads="in_progress#", work="claimed@me", work_after="submitted"),
    Story("a failed restore leaves the ticket blocked", BLOCKED, "fail_work", BLOCKED, fields=CODED, beads="error", work="claimed@me", work_after="failed", after=CODED),
    Story("a restore out of time leaves the ticket blocked", BLOCKED, "deadline", BLOCKED, fields=CODED, beads="error", work="offered", work_after="expired", after=CODED),
    Story("a restore is answered by RETRY", BLOCKED, "submit_work", args={"outcome": "CANCEL"}, fields=CODED, beads="error", work="claimed@me", refused="BAD_OUTCOME"),
    Story("a ticket from nowhere is not retried", BLOCKED, "retry", refused="NO_PREVIOUS_STATUS"),
    Story("people retry", BLOCKED, "retry", by="agent", fields={"previous": "REFINING_PRD"}, refused="HUMAN_REQUIRED"),
    Story("an agent may relay a retry", BLOCKED, "retry", "REFINING_PRD", "RETRY", by="agent", fields={"previous": "REFINING_PRD", **RELAY}, work_after="offered"),
    Story("only a blocked ticket is retried", "REFINING_PRD", "retry", work="offered", refused="INVALID_TRANSITION"),
)
CANCELS = (
    *(
        Story(f"cancel in {phase}", phase, "cancel", "CANCELED", "CANCEL", fields=fields, beads=beads, work=work, beads_after=beads.replace("in_progress@me", "pending"), work_after=_withdrawn(work))
        for phase, fields, beads, work, _ in STANDING
        if phase != "CLEANING_ENV"
    ),
    *(
        Story(f"cancel while blocked in {phase}", BLOCKED, "cancel", "CANCELED", "CANCEL", fields={**fields, "previous": phase}, beads=beads.replace("@me", "#"), work=_withdrawn(work), beads_after=beads.replace("in_progress@me", "pending"), after={"previous": None})
        for phase, fields, beads, work, _ in STANDING
        if phase != "CLEANING_ENV"
    ),
    Story("cancel keeps a bead in error", BLOCKED, "cancel", "CANCELED", "CANCEL", fields=CODED, beads="error pending", work="expired", work_after="cancelled"),
    Story("cancel withdraws a restore", BLOCKED, "cancel", "CANCELED", "CANCEL", fields=CODED, beads="error", work="claimed@me", work_after="cancelled"),
    Story("a ticket from nowhere can be cancelled", BLOCKED, "cancel", "CANCELED", "CANCEL"),
    Story("what is delivered cannot be cancelled", "CLEANING_ENV", "cancel", beads=DONE, work="offered", refused="DELIVERED"),
    Story("nor when it is blocked", BLOCKED, "cancel", fields={"previous": "CLEANING_ENV"}, beads=DONE, refused="DELIVERED"),
    Story("people cancel, whatever the policy", "REFINING_PRD", "cancel", by="agent", fields=RELAY, work="offered", refused="NOT_ALLOWED"),
    Story("a limit is raised", "REFINING_PRD", "raise_budget", "REFINING_PRD", work="offered"),
    Story("a limit is raised while blocked", BLOCKED, "raise_budget", BLOCKED, fields={"previous": "REFINING_PRD"}),
    Story("nothing helps a ticket from nowhere", BLOCKED, "raise_budget", refused="NO_PREVIOUS_STATUS"),
    Story("people raise limits", "REFINING_PRD", "raise_budget", by="agent", fields=RELAY, work="offered", refused="NOT_ALLOWED"),
)
DELIVERY = (
    Story("a merge is offered", REVIEW, "merge", REVIEW, beads=DONE, work="submitted", work_after="offered"),
    Story("a merge is asked for once", REVIEW, "merge", beads=DONE, work="offered", refused="ALREADY_OFFERED"),
    Story("a merge under way is not asked for again", REVIEW, "merge", beads=DONE, work="claimed@me", refused="ALREADY_OFFERED"),
    Story("people merge", REVIEW, "merge", by="agent", beads=DONE, refused="HUMAN_REQUIRED"),
    Story("an agent may relay a merge", REVIEW, "merge", REVIEW, by="agent", fields=RELAY, beads=DONE, work_after="offered"),
    Story("nothing is merged before it is there", "CREATING_PULL_REQUEST", "merge", beads=DONE, work="submitted", refused="INVALID_TRANSITION"),
    Story("somebody merges outside", REVIEW, "outside_merge", "CLEANING_ENV", "MERGE_COMPLETE", beads=DONE, work="claimed@me", work_after="offered"),
    Story("an outside merge is noticed in review", "CLEANING_ENV", "outside_merge", beads=DONE, work="offered", refused="INVALID_TRANSITION"),
    Story("a person says that it was merged", REVIEW, "outside_merge", "CLEANING_ENV", "MERGE_COMPLETE", by="user", beads=DONE, work_after="offered"),
    Story("a worker sees a merge outside", REVIEW, "outside_merge", "CLEANING_ENV", "MERGE_COMPLETE", by="worker", beads=DONE, work_after="offered"),
    Story("agents do not notice merges", REVIEW, "outside_merge", by="agent", beads=DONE, refused="NOT_ALLOWED"),
    Story("a request is closed unmerged", REVIEW, "close_unmerged", "CLEANING_ENV", "CLOSE_UNMERGED_COMPLETE", beads=DONE, work="offered", work_after="offered"),
    Story("people close requests", REVIEW, "close_unmerged", by="agent", beads=DONE, refused="HUMAN_REQUIRED"),
    Story("nothing is closed before it is there", "CREATING_PULL_REQUEST", "close_unmerged", beads=DONE, work="offered", refused="INVALID_TRANSITION"),
    Story("a person finishes", "CLEANING_ENV", "finish", "COMPLETED", "CLEANUP_DONE", beads=DONE, work="claimed@me", work_after="cancelled"),
    Story("people finish, whatever the policy", "CLEANING_ENV", "finish", by="agent", fields=RELAY, beads=DONE, work="offered", refused="NOT_ALLOWED"),
    Story("nothing is finished before the clean-up", REVIEW, "finish", beads=DONE, refused="INVALID_TRANSITION"),
)
ENDED = tuple(
    Story(f"{call} after the end", phase, call, args=SEEN, beads=beads, work=work, refused="TICKET_TERMINAL")
    for call in (
        "edit_ticket", "start", "answer_batch", "skip_question", "edit_answer", "skip_all", "save_artifact", "approve",
        "reopen_interview", "reopen_prd", "reopen_beads", "reopen_setup", "regenerate_setup_plan", "retry", "cancel",
        "raise_budget", "merge", "outside_merge", "close_unmerged", "finish", "error", "deadline",
        "claim_work", "submit_work", "heartbeat_work", "fail_work", "reject_work", "release_work",
        "lapse_work", "retry_work",
        "claim_bead", "submit_bead", "heartbeat_bead", "fail_bead", "lapse_bead",
    )
    for phase, beads, work in (("COMPLETED", "done", "submitted"), ("CANCELED", "pending", "cancelled#"))
)
# fmt: on

TROUBLE = (*ERRORS, *RETRIES, *CANCELS)
