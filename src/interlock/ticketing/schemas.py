"""The schema of every answer, by domain and task. A schema is sent along with the work.

What a field means is said in the schema itself, because a model reads it; what no schema can say
is checked when the answer is taken, by the module of its document.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from interlock.ticketing.batch import BATCH
from interlock.ticketing.blueprint import BEADS
from interlock.ticketing.changes import CHANGES
from interlock.ticketing.checked import Json
from interlock.ticketing.coverage import audit_schema
from interlock.ticketing.execution import answers
from interlock.ticketing.execution.setup_plan import PLAN
from interlock.ticketing.form import described, shape
from interlock.ticketing.full_answers import FULL_ANSWERS
from interlock.ticketing.interview import QUESTIONS_MAX, draft_schema, refine_schema
from interlock.ticketing.prd import PRD
from interlock.ticketing.relevant_files import SCAN
from interlock.ticketing.tasks import EXECUTION, Task
from interlock.ticketing.vote import vote_schema


class Sizes(NamedTuple):
    """What a schema depends on: how many questions there may be, how many drafts there are."""

    questions: int = QUESTIONS_MAX
    drafts: int = 1


PRD_DRAFT: Final = shape({"full_answers": FULL_ANSWERS, "prd": described(PRD, "The PRD.")})
PRD_REFINE: Final = shape({"prd": described(PRD, "The whole PRD, improved."), "changes": CHANGES})
BEADS_DRAFT: Final = shape({"beads": BEADS})
BEADS_REFINE: Final = shape({"beads": BEADS, "changes": CHANGES})

SCHEMAS: Final[Mapping[tuple[str, str], Callable[[Sizes], Json]]] = {
    ("discovery", "scan"): lambda _sizes: SCAN,
    ("interview", "draft"): lambda sizes: draft_schema(sizes.questions),
    ("interview", "vote"): lambda sizes: vote_schema("interview", sizes.drafts),
    ("interview", "refine"): lambda sizes: refine_schema(sizes.questions),
    ("interview", "batch"): lambda _sizes: BATCH,
    ("interview", "audit"): lambda _sizes: audit_schema("interview"),
    ("prd", "draft"): lambda _sizes: PRD_DRAFT,
    ("prd", "vote"): lambda sizes: vote_schema("prd", sizes.drafts),
    ("prd", "refine"): lambda _sizes: PRD_REFINE,
    ("prd", "audit"): lambda _sizes: audit_schema("prd"),
    ("beads", "draft"): lambda _sizes: BEADS_DRAFT,
    ("beads", "vote"): lambda sizes: vote_schema("beads", sizes.drafts),
    ("beads", "refine"): lambda _sizes: BEADS_REFINE,
    ("beads", "audit"): lambda _sizes: audit_schema("beads"),
    ("execution", "plan"): lambda _sizes: PLAN,
    ("execution", "prepare"): lambda _sizes: answers.PREPARE,
    ("execution", "code"): lambda _sizes: answers.CODE,
    ("execution", "test"): lambda _sizes: answers.TEST,
    ("execution", "publish"): lambda _sizes: answers.PUBLISH,
}
"""Domains are the groups of the phases in which planning work is done, and all that comes after."""


def schema_key(task: Task) -> tuple[str, str]:
    """Return under which words the schema of a task's answer stands."""
    other = "execution" if task in EXECUTION else "discovery"
    return task.domain or other, task.task


def answer_schema(domain: str, task: str, sizes: Sizes | None = None) -> Json:
    """Return the schema of an answer."""
    return SCHEMAS[domain, task](sizes or Sizes())
