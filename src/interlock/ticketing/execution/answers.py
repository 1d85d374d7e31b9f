"""The schemas of what models answer while a ticket is built: setup, beads, final test, request.

A worker checks them where the model is asked, and lets it mend what is wrong. What a model says
it did is no evidence: reports are (``reports``), and they are judged (``judge``).
"""

from typing import Final

from interlock.ticketing.form import (
    choice,
    described,
    line,
    lines,
    listed,
    number,
    prose,
    remark,
    shape,
)

COMMANDS_MAX: Final = 50
CHECKS: Final = ("tests", "lint", "typecheck", "qualitative")
"""What whoever builds a bead says about it."""

_verdict = choice(("pass", "fail"), "Whether it holds; what was not looked at has failed.")

PREPARE: Final = shape({
    "summary": prose("What is missing, and how the commands bring it about."),
    "commands": lines("Further commands to run in the working tree, in order.", 0, COMMANDS_MAX),
})  # fmt: skip

CODE: Final = shape(
    {
        "bead_id": line("The id of the bead, as it was shown.", 80),
        "status": choice(("done", "error"), "done only if all of the bead is built and checked."),
        "checks": described(shape(dict.fromkeys(CHECKS, _verdict)), "What was looked at."),
        "reason": remark("Why it is not done."),
        "summary": remark("What was changed, in a few sentences."),
    },
    optional=("reason", "summary"),
)

TEST: Final = shape({
    "commands": lines(
        "The commands that test the whole ticket, in order; each ends with 0 if all is well.", 1,
        COMMANDS_MAX,
    ),
    "summary": prose("What is tested, and what was mended."),
    "test_files": lines("Files with tests that were written or changed."),
    "modified_files": lines("Other files that were changed."),
    "file_effects": listed(
        shape(
            {
                "path": line("A path relative to the repository."),
                "intent": choice(
                    ("candidate", "temporary", "unexpected"),
                    "candidate: part of the work; temporary: not to be kept; else unexpected.",
                ),
                "reason": remark("Why, where that is not plain."),
            },
            optional=("reason",),
        ),
        "What running the commands does to files.",
    ),
    "tests_count": number(0, 1_000_000, "How many tests the commands run."),
})  # fmt: skip

PUBLISH: Final = shape({
    "title": line("The title of the pull request.", 200),
    "summary": lines("What it does.", 1, 20),
    "why": lines("Why it is wanted.", 0, 20),
    "what_changed": lines("What was changed, by area.", 1, 50),
    "validation": lines("How it was tested.", 0, 50),
    "follow_ups": lines("What is left for later.", 0, 20),
})  # fmt: skip
