"""Stories of reopening what was approved. From section 2 (REOPEN) and section 6."""

from tests.workflows.ticket.story import DIGEST, Story

SEEN = {"digest": DIGEST}
RELAY = {"policy": "relay"}
THREE = {"members": 3, "quorum": 2}
CODED = {"previous": "CODING"}
BLOCKED = "BLOCKED_ERROR"
ANSWERS = "WAITING_INTERVIEW_ANSWERS"
BLUEPRINT = "WAITING_BEADS_APPROVAL"
SETUP = "WAITING_EXECUTION_SETUP_APPROVAL"

AFTER_PRD = (
    "DRAFTING_BEADS", "COUNCIL_VOTING_BEADS", "REFINING_BEADS", "VERIFYING_BEADS_COVERAGE", BLUEPRINT,
)  # fmt: skip
AFTER_INTERVIEW = (
    "DRAFTING_PRD", "COUNCIL_VOTING_PRD", "REFINING_PRD", "VERIFYING_PRD_COVERAGE",
    "WAITING_PRD_APPROVAL", *AFTER_PRD,
)  # fmt: skip


# fmt: off
def _reopened(artifact: str, phases: tuple[str, ...], drafting: str) -> tuple[Story, ...]:
    """An approved artifact is edited: from every phase after its gate, and when blocked there."""
    call, signals = f"reopen_{artifact}", f"REOPEN_{artifact.upper()} APPROVE"
    rows: list[Story] = []
    for phase in phases:
        beads = "pending pending" if phase == BLUEPRINT else ""
        work = "submitted" if phase.startswith("WAITING") else "claimed@me"
        rows += (
            Story(f"{artifact} reopened in {phase}", phase, call, drafting, signals, args=SEEN, beads=beads, work=work, beads_after="", work_after="offered"),
            Story(f"{artifact} reopened when blocked in {phase}", BLOCKED, call, drafting, signals, args=SEEN, fields={"previous": phase}, beads=beads, work="cancelled", beads_after="", work_after="offered", after={"previous": None}),
        )
    return (
        *rows,
        Story(f"people reopen, {artifact}", phases[0], call, by="agent", args=SEEN, work="offered", refused="HUMAN_REQUIRED"),
        Story(f"an agent may relay, {artifact}", phases[0], call, drafting, signals, by="agent", args=SEEN, fields=RELAY, work="offered", work_after="offered"),
        Story(f"{artifact} reopened by a council of three", phases[0], call, drafting, signals, args=SEEN, fields=THREE, work="submitted failed claimed@me", work_after="offered offered offered"),
        Story(f"too early to reopen, {artifact}", "SCANNING_RELEVANT_FILES", call, args=SEEN, work="offered", refused="CANNOT_REOPEN"),
        Story(f"its own gate is open, {artifact}", f"WAITING_{artifact.upper()}_APPROVAL", call, args=SEEN, refused="CANNOT_REOPEN"),
        Story(f"too late to reopen, {artifact}", "PRE_FLIGHT_CHECK", call, args=SEEN, beads="pending", work="offered", refused="CANNOT_REOPEN"),
        Story(f"blocked too early, {artifact}", BLOCKED, call, args=SEEN, fields={"previous": ANSWERS}, refused="CANNOT_REOPEN"),
        Story(f"blocked too late, {artifact}", BLOCKED, call, args=SEEN, fields={"previous": "PRE_FLIGHT_CHECK"}, beads="pending", refused="CANNOT_REOPEN"),
        Story(f"blocked nowhere, {artifact}", BLOCKED, call, args=SEEN, refused="CANNOT_REOPEN"),
    )


APPROVED_AGAIN = (
    *_reopened("interview", AFTER_INTERVIEW, "DRAFTING_PRD"),
    *_reopened("prd", AFTER_PRD, "DRAFTING_BEADS"),
    Story("the PRD is not reopened before its own gate", "REFINING_PRD", "reopen_prd", args=SEEN, work="offered", refused="CANNOT_REOPEN"),
)
MENDED = (
    *(
        Story(f"the blueprint reopened from {phase}", BLOCKED, "reopen_beads", "WAITING_BEADS_APPROVAL", "REOPEN_BEADS", args=SEEN, fields={"previous": phase}, beads="pending pending", work="failed", after={"shown": DIGEST, "previous": None})
        for phase in ("PRE_FLIGHT_CHECK", SETUP, "PREPARING_EXECUTION_ENV")
    ),
    Story("the setup plan reopened", BLOCKED, "reopen_setup", SETUP, "REOPEN_SETUP", args=SEEN, fields={"previous": "PREPARING_EXECUTION_ENV"}, beads="pending", work="failed", after={"shown": DIGEST, "setup_ready": True}),
    Story("the blueprint is not reopened from CODING", BLOCKED, "reopen_beads", args=SEEN, fields=CODED, beads="error", refused="CANNOT_REOPEN"),
    Story("the blueprint is not reopened at its gate", BLOCKED, "reopen_beads", args=SEEN, fields={"previous": "WAITING_BEADS_APPROVAL"}, beads="pending", refused="CANNOT_REOPEN"),
    Story("the setup plan is not reopened at its gate", BLOCKED, "reopen_setup", args=SEEN, fields={"previous": SETUP}, beads="pending", refused="CANNOT_REOPEN"),
    *(
        story
        for call in ("reopen_beads", "reopen_setup")
        for story in (
            Story(f"people {call}", BLOCKED, call, by="agent", args=SEEN, fields={"previous": "PREPARING_EXECUTION_ENV"}, beads="pending", refused="HUMAN_REQUIRED"),
            Story(f"{call} of a ticket from nowhere", BLOCKED, call, args=SEEN, refused="CANNOT_REOPEN"),
            Story(f"{call} only while blocked", "PREPARING_EXECUTION_ENV", call, args=SEEN, beads="pending", work="offered", refused="INVALID_TRANSITION"),
        )
    ),
)
# fmt: on

REOPENING = (*APPROVED_AGAIN, *MENDED)
