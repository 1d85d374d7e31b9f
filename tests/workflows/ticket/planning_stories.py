"""Stories of planning: start, interview, approvals, saving. From sections 2, 4, 5, 6."""

from tests.workflows.ticket.story import DIGEST, Story

SHOWN = {"shown": DIGEST}
SEEN = {"digest": DIGEST}
BEADS = {"digest": "sha256:new", "beads": [{"title": "a"}, {"title": "b", "needs": [0]}]}
PLAN = {"shown": DIGEST, "setup_ready": True}
ANSWERS = "WAITING_INTERVIEW_ANSWERS"
SETUP = "WAITING_EXECUTION_SETUP_APPROVAL"
BLUEPRINT = "WAITING_BEADS_APPROVAL"
INTERVIEW = "WAITING_INTERVIEW_APPROVAL"
RELAY = {"policy": "relay"}
THREE = {"members": 3, "quorum": 2}

# fmt: off
STARTING = (
    Story("start offers the working tree", "DRAFT", "start", "DRAFT", work_after="offered"),
    Story("start locks what it is told", "DRAFT", "start", "DRAFT", args={"members": 3, "quorum": 2, "round_s": 60, "roster": ("a", "b", "c")}, work_after="offered", after={"members": 3, "quorum": 2, "round_s": 60, "roster": ("a", "b", "c")}),
    Story("an edit keeps what it says", "DRAFT", "edit_ticket", "DRAFT", args={"name": "Pears"}, after={"name": "Pears"}),
    Story("an agent may relay a start", "DRAFT", "start", "DRAFT", by="agent", fields=RELAY, work_after="offered"),
    Story("a start after a failed one", "DRAFT", "start", "DRAFT", work="failed", work_after="offered"),
    Story("a start is asked for once", "DRAFT", "start", work="offered", refused="ALREADY_OFFERED"),
    Story("a start under way is not asked for again", "DRAFT", "start", work="claimed@me", refused="ALREADY_OFFERED"),
    Story("people start tickets", "DRAFT", "start", by="agent", refused="HUMAN_REQUIRED"),
    Story("workers do not start tickets", "DRAFT", "start", by="worker", refused="NOT_ALLOWED"),
    Story("a quorum above the members", "DRAFT", "start", fields={"members": 1, "quorum": 2}, refused="BAD_COUNCIL"),
    Story("a quorum of none", "DRAFT", "start", fields={"members": 1, "quorum": 0}, refused="BAD_COUNCIL"),
    Story("a council of eleven", "DRAFT", "start", fields={"members": 11, "quorum": 2}, refused="BAD_COUNCIL"),
    Story("a council of ten", "DRAFT", "start", "DRAFT", fields={"members": 10, "quorum": 2}, work_after="offered"),
    Story("a started ticket is not started", "WAITING_PRD_APPROVAL", "start", refused="INVALID_TRANSITION"),
    Story("a draft is edited", "DRAFT", "edit_ticket", "DRAFT"),
    Story("an agent edits a draft", "DRAFT", "edit_ticket", "DRAFT", by="agent"),
    Story("a ticket being started is locked", "DRAFT", "edit_ticket", work="offered", refused="LOCKED"),
    Story("a started ticket is locked", "WAITING_PRD_APPROVAL", "edit_ticket", refused="LOCKED"),
)
INTERVIEWING = (
    Story("answers ask for the next batch", ANSWERS, "answer_batch", ANSWERS, "BATCH_ANSWERED", fields={"batch": True}, work="submitted", work_after="offered", after={"batch": False}),
    Story("there is nothing to answer yet", ANSWERS, "answer_batch", work="claimed@me", refused="NO_BATCH"),
    Story("people answer", ANSWERS, "answer_batch", by="agent", fields={"batch": True}, refused="HUMAN_REQUIRED"),
    Story("an agent may relay answers", ANSWERS, "answer_batch", ANSWERS, "BATCH_ANSWERED", by="agent", fields={"batch": True, **RELAY}, work_after="offered"),
    Story("nothing is answered before the interview", "COMPILING_INTERVIEW", "answer_batch", work="offered", refused="INVALID_TRANSITION"),
    Story("one question is skipped", ANSWERS, "skip_question", ANSWERS, fields={"batch": True}, after={"batch": True}),
    Story("there is no question to skip", ANSWERS, "skip_question", work="offered", refused="NO_BATCH"),
    Story("people skip", ANSWERS, "skip_question", by="agent", fields={"batch": True}, refused="HUMAN_REQUIRED"),
    Story("nothing is skipped before the interview", "COMPILING_INTERVIEW", "skip_question", work="offered", refused="INVALID_TRANSITION"),
    Story("an earlier answer is changed", ANSWERS, "edit_answer", ANSWERS, work="claimed@me"),
    Story("people change answers", ANSWERS, "edit_answer", by="agent", work="offered", refused="HUMAN_REQUIRED"),
    Story("answers are not changed after the interview", INTERVIEW, "edit_answer", refused="INVALID_TRANSITION"),
    Story("everything is skipped", ANSWERS, "skip_all", INTERVIEW, "SKIP_ALL_TO_APPROVAL", args=SEEN, fields={"batch": True, "interview_audits": 1}, work="submitted", after={"batch": False, "shown": DIGEST, "interview_audits": 0}),
    Story("skipping everything withdraws the batch", ANSWERS, "skip_all", INTERVIEW, "SKIP_ALL_TO_APPROVAL", args=SEEN, work="claimed@me", work_after="cancelled"),
    Story("people skip everything", ANSWERS, "skip_all", by="agent", work="offered", refused="HUMAN_REQUIRED"),
    Story("nothing is left to skip", INTERVIEW, "skip_all", refused="INVALID_TRANSITION"),
)
SAVING = (
    Story("an edited interview is shown", INTERVIEW, "save_artifact", INTERVIEW, args={"digest": "sha256:new"}, fields=SHOWN, after={"shown": "sha256:new"}),
    Story("an edited PRD is shown", "WAITING_PRD_APPROVAL", "save_artifact", "WAITING_PRD_APPROVAL", args={"digest": "sha256:new"}, fields=SHOWN, after={"shown": "sha256:new"}),
    Story("an edited blueprint replaces its beads", BLUEPRINT, "save_artifact", BLUEPRINT, args=BEADS, fields=SHOWN, beads="pending", beads_after="pending pending", after={"shown": "sha256:new"}),
    Story("an edited setup plan is shown", SETUP, "save_artifact", SETUP, args={"digest": "sha256:new"}, fields=PLAN, beads="pending", after={"shown": "sha256:new", "setup_ready": True}),
    Story("there is no setup plan to edit yet", SETUP, "save_artifact", args=SEEN, beads="pending", work="offered", refused="SETUP_PLAN_MISSING"),
    Story("a blueprint keeps a bead", BLUEPRINT, "save_artifact", args={**SEEN, "beads": []}, beads="pending", refused="BAD_BEADS"),
    Story("a blueprint is saved with its beads", BLUEPRINT, "save_artifact", args=SEEN, beads="pending", refused="BAD_BEADS"),
    Story("a bead needs an earlier one", BLUEPRINT, "save_artifact", args={**SEEN, "beads": [{"needs": [1]}, {}]}, beads="pending", refused="BAD_BEADS"),
    Story("a bead does not need itself", BLUEPRINT, "save_artifact", args={**SEEN, "beads": [{"needs": [0]}]}, beads="pending", refused="BAD_BEADS"),
    Story("too many beads", BLUEPRINT, "save_artifact", args={**SEEN, "beads": [{}] * 501}, beads="pending", refused="BAD_BEADS"),
    Story("people save", INTERVIEW, "save_artifact", by="agent", args=SEEN, refused="HUMAN_REQUIRED"),
    Story("an agent may relay an edit", INTERVIEW, "save_artifact", INTERVIEW, by="agent", args=SEEN, fields=RELAY, after=SHOWN),
    Story("nothing is saved outside a gate", "REFINING_PRD", "save_artifact", args=SEEN, work="offered", refused="INVALID_TRANSITION"),
    *(
        Story(f"{phase} cannot be edited", phase, "save_artifact", args=SEEN, beads=beads, work=work, fields=fields, refused="NOT_EDITABLE")
        for phase, beads, work, fields in (
            ("PREPARING_EXECUTION_ENV", "pending", "offered", {}),
            ("CODING", "pending", "", {}),
            ("WAITING_PR_REVIEW", "done", "", {}),
            ("BLOCKED_ERROR", "pending", "", {"previous": SETUP}),
        )
    ),
)
APPROVING = (
    Story("an approved interview", INTERVIEW, "approve", "DRAFTING_PRD", "APPROVE", args=SEEN, fields={**SHOWN, **THREE}, work="submitted", work_after="offered offered offered", after={"shown": ""}),
    Story("a new round begins with nothing", INTERVIEW, "approve", "DRAFTING_PRD", "APPROVE", args=SEEN, fields={**SHOWN, **THREE, "drafts": ("a", "b", "c"), "totals": (1, 2, 3), "outcomes": ("completed",) * 3}, work_after="offered offered offered", after={"drafts": (), "totals": (), "outcomes": ("", "", "")}),
    Story("an approved PRD", "WAITING_PRD_APPROVAL", "approve", "DRAFTING_BEADS", "APPROVE", args=SEEN, fields=SHOWN, work_after="offered"),
    Story("an approved blueprint", BLUEPRINT, "approve", "PRE_FLIGHT_CHECK", "APPROVE", args=SEEN, fields=SHOWN, beads="pending pending", work_after="offered"),
    Story("an approved setup plan", SETUP, "approve", "PREPARING_EXECUTION_ENV", "APPROVE_EXECUTION_SETUP_PLAN", args=SEEN, fields=PLAN, beads="pending", work="submitted", work_after="offered", after={"setup_ready": False, "shown": ""}),
    Story("there is no setup plan to approve yet", SETUP, "approve", args=SEEN, fields=SHOWN, beads="pending", work="claimed@me", refused="SETUP_PLAN_MISSING"),
    Story("people approve", INTERVIEW, "approve", by="agent", args=SEEN, fields=SHOWN, refused="HUMAN_REQUIRED"),
    Story("workers do not approve", INTERVIEW, "approve", by="worker", args=SEEN, fields={**SHOWN, **RELAY}, refused="NOT_ALLOWED"),
    Story("an agent may relay an approval", INTERVIEW, "approve", "DRAFTING_PRD", "APPROVE", by="agent", args=SEEN, fields={**SHOWN, **RELAY}, work_after="offered"),
    Story("another digest is stale", INTERVIEW, "approve", args={"digest": "sha256:old"}, fields=SHOWN, refused="STALE_APPROVAL"),
    Story("an approval names what it approves", INTERVIEW, "approve", fields=SHOWN, refused="STALE_APPROVAL"),
    Story("nothing was shown", INTERVIEW, "approve", args={"digest": ""}, refused="STALE_APPROVAL"),
    Story("a draft is not approved", "DRAFTING_PRD", "approve", args=SEEN, work="offered", refused="INVALID_TRANSITION"),
    Story("a plan is drafted again", SETUP, "regenerate_setup_plan", SETUP, "REGENERATE_EXECUTION_SETUP_PLAN", fields=PLAN, beads="pending", work="submitted", work_after="offered", after={"setup_ready": False}),
    Story("a plan is being drafted already", SETUP, "regenerate_setup_plan", beads="pending", work="claimed@me", refused="ALREADY_OFFERED"),
    Story("people have plans drafted", SETUP, "regenerate_setup_plan", by="agent", fields=PLAN, beads="pending", refused="HUMAN_REQUIRED"),
    Story("no plan is drafted elsewhere", BLUEPRINT, "regenerate_setup_plan", beads="pending", refused="INVALID_TRANSITION"),
)
# fmt: on

PLANNING = (*STARTING, *INTERVIEWING, *SAVING, *APPROVING)
