"""The demo's ticket: from a draft through a council of three to a merged pull request.

On the way the interview has gaps once, one bead fails an attempt, and another one blocks the
ticket until a person retries it.
"""

from interlock.cli.demo.stage import ANN, WORKS, Run, Stage, agent
from interlock.service.create import NewUnit
from interlock.service.engine import Engine

COUNCIL = tuple(agent(f"member-{number}") for number in (1, 2, 3))
BEADS = (
    {"title": "the table"},
    {"title": "the form", "needs": (0,)},
    {"title": "the page", "needs": (0, 1)},
)


def play(engine: Engine, run: Run[object], name: str, *, is_brief: bool = False) -> Stage:
    """Play a ticket from its draft to the end of its clean-up."""
    council = {"members": len(COUNCIL), "quorum": 2}
    stage = Stage(engine, run, name, NewUnit("ticket", council), is_brief=is_brief)
    stage.send(ANN, "start")
    _answer(stage, outcome="START")
    _answer(stage, outcome="RELEVANT_FILES_READY")
    _interview(stage)
    _draft(stage, "prd-1")
    _draft(stage, "beads-1", beads=BEADS)
    _set_up(stage)
    _code(stage)
    _deliver(stage)
    return stage


def _interview(stage: Stage) -> None:
    _round(stage)
    _round(stage)
    _answer(stage, outcome="READY")
    _batch(stage)
    _answer(stage, outcome="GAPS_FOUND", follow_ups_left=3)
    _batch(stage)
    _answer(stage, outcome="COVERAGE_CLEAN", digest="interview-1")
    stage.refused(COUNCIL[0], "approve", digest="interview-1")
    stage.send(ANN, "save_artifact", digest="interview-2")
    stage.refused(ANN, "approve", digest="interview-1")
    stage.send(ANN, "approve", digest="interview-2")


def _batch(stage: Stage) -> None:
    """Ask a batch of questions, and when they are answered end the interview."""
    _answer(stage, outcome="BATCH_READY")
    stage.send(ANN, "answer_batch")
    _answer(stage, outcome="INTERVIEW_COMPLETE")


def _draft(stage: Stage, digest: str, **more: object) -> None:
    """Draft, vote, refine and audit an artifact, and have it approved."""
    _round(stage)
    _round(stage)
    _answer(stage, outcome="REFINED")
    _answer(stage, outcome="COVERAGE_CLEAN", digest=digest, **more)
    stage.send(ANN, "approve", digest=digest)


def _set_up(stage: Stage) -> None:
    _answer(stage, outcome="CHECKS_PASSED")
    _answer(stage, outcome="EXECUTION_SETUP_PLAN_READY", digest="setup-1")
    stage.send(ANN, "approve", digest="setup-1")
    _answer(stage, outcome="EXECUTION_SETUP_READY")


def _code(stage: Stage) -> None:
    _bead(stage, "submit_bead")
    _bead(stage, "fail_bead", reason="tests_failed")
    _bead(stage, "submit_bead")
    _bead(stage, "fail_bead", reason="commit_failed")
    stage.send(ANN, "retry")
    _answer(stage, outcome="RETRY")
    _bead(stage, "submit_bead")


def _deliver(stage: Stage) -> None:
    for outcome in ("TESTS_PASSED", "INTEGRATION_DONE", "PULL_REQUEST_READY"):
        _answer(stage, outcome=outcome)
    stage.send(ANN, "merge")
    _answer(stage, outcome="MERGE_COMPLETE")
    _answer(stage, outcome="CLEANUP_DONE")


def _round(stage: Stage) -> None:
    """Let each member of the council answer."""
    for member in COUNCIL:
        work = stage.claim(member, "assignment")
        stage.send(member, "submit_work", work)


def _answer(stage: Stage, **answer: object) -> None:
    """Let the worker take the only assignment and answer it."""
    work = stage.claim(WORKS, "assignment")
    stage.send(WORKS, "submit_work", work, **answer)


def _bead(stage: Stage, event: str, **args: object) -> None:
    bead = stage.claim(WORKS, "bead")
    stage.send(WORKS, event, bead, **args)
