"""The schemas of what workers report: what was run, what it came to, which commits there are.

A report says what was done; what that comes to is judged by us (``judge``). Texts come as they
were printed: nothing here is believed, and nothing is executed.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from interlock.ticketing.checked import Json
from interlock.ticketing.form import choice, flag, listed, number, shape

OUTPUT_MAX: Final = 50_000
DIFF_MAX: Final = 300_000
NOTE_MAX: Final = 2_000
WORDS_MAX: Final = 20_000
FILES_MAX: Final = 5_000
RUNS_MAX: Final = 200

REASONS: Final = (
    "tests_failed", "answer_invalid", "agent_failed", "timed_out", "not_done", "wrong_bead",
    "nothing_changed", "refused_content", "conflict", "interrupted", "commit_failed",
    "reset_failed",
)  # fmt: skip
"""Why an attempt has failed."""


def _text(most: int, about: str = "") -> Json:
    return {"type": "string", "maxLength": most, "description": about}


SHA: Final = {"type": "string", "pattern": "^(?:[0-9a-f]{40}|[0-9a-f]{64})$"}
SOME_SHA: Final = {"type": "string", "pattern": "^(?:[0-9a-f]{40}|[0-9a-f]{64})?$"}
PATHS: Final = listed(_text(4_096), "Paths in the working tree.", 0, FILES_MAX)
RUN: Final = shape(
    {
        "command": _text(WORDS_MAX),
        "exit_code": {"type": ["integer", "null"]},
        "signal": {"type": ["integer", "string", "null"]},
        "timed_out": flag("Whether it was ended because its time was over."),
        "seconds": {"type": "number", "minimum": 0},
        "output": _text(OUTPUT_MAX, "The end of what it printed."),
        "output_cut": flag("Whether there was more before."),
    },
    optional=("signal", "output_cut"),
)
RUNS: Final = listed(RUN, "What was run, in order.", 0, RUNS_MAX)
FILES: Final = listed(
    shape({
        "path": _text(4_096),
        "status": _text(20),
        "added": {"type": ["integer", "null"], "minimum": 0},
        "removed": {"type": ["integer", "null"], "minimum": 0},
    }),
    "What was changed.", 0, FILES_MAX,
)  # fmt: skip
CHANGED: Final = {
    "files": FILES, "diff": _text(DIFF_MAX), "diff_cut": flag("Whether the diff is not whole."),
}  # fmt: skip
NOTE: Final = _text(NOTE_MAX, "What the next attempt should know.")
ANSWER: Final = {"type": ["object", "null"], "description": "What the model answered."}
USAGE: Final = {"type": "object", "description": "What it cost; counted from the call itself."}

INIT: Final = shape(
    {
        "site": _text(100, "Where the tree is: the id of the worker's own place."),
        "branch": _text(500),
        "base_commit": SHA,
        "listing": {"type": "object", "description": "What the repository has, by name."},
    },
    optional=("site", "branch", "base_commit", "listing"),
)
CHECK: Final = shape({
    "checks": listed(
        shape({
            "name": _text(200), "category": _text(100),
            "result": choice(("pass", "warning", "fail"), "How it stands."),
            "message": _text(NOTE_MAX),
        }),
        "What was looked at.", 0, 200,
    ),
})  # fmt: skip
PREPARE: Final = shape(
    {
        "status": choice(("ready", "failed"), "What the worker makes of it."),
        "runs": RUNS,
        "added": listed(_text(WORDS_MAX), "Commands beyond the plan.", 0, RUNS_MAX),
        "dirty": PATHS,
        "note": NOTE,
        "answer": ANSWER,
        "usage": USAGE,
    },
    optional=("answer", "usage"),
)
BEAD: Final = shape(
    {
        "bead_id": _text(200),
        "status": choice(("done", "failed"), "What the worker makes of it."),
        "reason": choice(("", *REASONS), "Why it has failed."),
        "note": NOTE,
        "answer": ANSWER,
        "runs": RUNS,
        "parent": SOME_SHA,
        "commit": SOME_SHA,
        "tree": SOME_SHA,
        **CHANGED,
        "refused": listed(
            shape({"path": _text(4_096), "why": _text(500)}), "What was left out.", 0, FILES_MAX
        ),
        "usage": USAGE,
    },
    optional=("reason", "note", "answer", "tree", "refused", "usage", *CHANGED),
)
TEST: Final = shape(
    {
        "status": choice(("passed", "failed"), "What the worker makes of it."),
        "answer": ANSWER,
        "runs": RUNS,
        "parent": SOME_SHA,
        "commit": SOME_SHA,
        **CHANGED,
        "note": NOTE,
        "reason": choice(("", *REASONS), "Why it has failed."),
        "usage": USAGE,
    },
    optional=("reason", "usage", *CHANGED),
)
INTEGRATE: Final = shape({
    "candidate": SHA, "merge_base": SHA, "before": SHA,
    "commits": number(0, 100_000, "How many became one."),
    **CHANGED,
})  # fmt: skip
PUBLISH: Final = shape(
    {
        "number": {"type": ["integer", "null"]},
        "url": _text(2_000),
        "state": choice(("draft", "open"), "How the request stands."),
        "head": SHA,
        "base": _text(500),
        "title": _text(500),
        "body": _text(100_000),
        "answer": ANSWER,
        "usage": USAGE,
    },
    optional=("answer", "usage"),
)
MERGE: Final = shape(
    {
        "merged": flag("Whether the base contains it now."),
        "merge_commit": SOME_SHA,
        "base_head": SOME_SHA,
        "by": choice(("interlock", "outside"), "Who has merged it."),
        "warning": _text(NOTE_MAX),
        "reason": _text(NOTE_MAX),
    },
    optional=("merge_commit", "base_head", "by", "warning", "reason"),
)
CLEAN: Final = shape({
    "status": choice(("clean", "warning"), "Whether all was removed."),
    "removed": PATHS, "kept": PATHS,
    "errors": listed(_text(NOTE_MAX), "What could not be removed.", 0, 200),
})  # fmt: skip
RESTORE: Final = shape(
    {
        "restored": {"const": True},
        "finalise": flag("Whether the tree still is what was green, and is only to be committed."),
    },
    optional=("finalise",),
)

REPORTS: Final[Mapping[str, Json]] = MappingProxyType({
    "init": INIT, "check": CHECK, "prepare": PREPARE, "code": BEAD, "test": TEST,
    "integrate": INTEGRATE, "publish": PUBLISH, "merge": MERGE, "clean": CLEAN,
    "restore": RESTORE,
})  # fmt: skip
"""The schema of the report of each task of execution; a setup plan is no report, but the answer."""
