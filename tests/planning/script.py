"""A whole planning run as a script: what each member says to each task, and what comes of it.

One member runs out of time while the interview is drafted, one says something unreadable and mends
it. The three votes end in a tie for the main implementer, a tie behind whom the council's order
decides, and a plain majority. The PRD is revised twice; the blueprint never comes out clean.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from interlock.ticketing.vote import CRITERIA, shuffled, totals, winner
from interlock.worker.agents.script import Script, Turn
from tests.tickets import bead, expansion, prd, questions

Told = dict[str, Any]

NAMES: Final = ("ann", "ben", "cleo")
SEED: Final = "apples-40"
VOTES: Final[Mapping[str, tuple[str, Sequence[int]]]] = {
    "interview": ("COUNCIL_VOTING_INTERVIEW", (10, 10)),
    "prd": ("COUNCIL_VOTING_PRD", (20, 10, 0)),
    "beads": ("COUNCIL_VOTING_BEADS", (3, 17, 9)),
}
"""By domain the phase of its vote, and how many points everybody gives to Draft 1, 2, 3."""

AUDITS_MAX: Final = 5


def vote(domain: str, points: Sequence[int] = ()) -> Told:
    """Return the vote of everybody: by label, for nobody knows more."""
    points = points or VOTES[domain][1]
    each = {
        f"Draft {number}": dict.fromkeys(CRITERIA[domain], given)
        for number, given in enumerate(points, 1)
    }
    return {"answer": {"scores": each}}


def expected(domain: str, seed: str = SEED) -> tuple[dict[str, int], str]:
    """Return by member the sums that a vote must come to, and who must win, by the seed alone."""
    phase, points = VOTES[domain]
    drafted = range(len(points))
    votes = [
        {
            place: given * len(CRITERIA[domain])
            for place, given in zip(
                shuffled(f"{seed}/{phase}/{voter}", drafted), points, strict=True
            )
        }
        for voter in range(len(NAMES))
    ]
    sums = totals(votes)
    return {NAMES[place]: given for place, given in sums.items()}, NAMES[winner(sums)]


# -- interview ---------------------------------------------------------------------------------

FIRST: Final = [
    {"id": "Q01", "question": "Which apples?", "phase": "foundation",
     "answer_type": "single_choice", "options": ["red", "green"]},
    {"id": "Q02", "question": "Sold where?", "phase": "structure",
     "answer_type": "multiple_choice", "options": ["shop", "market", "web"]},
    {"id": "Q03", "question": "By weight?", "phase": "assembly", "answer_type": "yes_no"},
]  # fmt: skip
SECOND: Final = [
    {"id": "Q04", "question": "Who eats them?", "phase": "assembly", "answer_type": "free_text"},
    {"question": "Worms?", "phase": "assembly", "answer_type": "yes_no"},
]
FOLLOW_UP: Final = {"question": "And pears?", "phase": "assembly", "answer_type": "yes_no"}
SKIPPED: Final = "Q05"
"""The question that the person leaves to the council: the winner's own, in the second batch."""

FINAL: Final = "Q06"
FOLLOWED: Final = "Q07"


def _batch(asked: object, commentary: str) -> Told:
    return {"answer": {"questions": asked, "commentary": commentary}}


# -- PRD and blueprint -------------------------------------------------------------------------


def _prd_gaps(title: str) -> Told:
    change = {"type": "modified", "item": "EPIC-1", "reason": "More."}
    said = {"status": "gaps", "gaps": ["More."], "prd": prd(title), "changes": [change]}
    return {"answer": said}


def _beads(version: int = 0) -> list[Told]:
    first = bead("sell-apples") | {"description": f"Sell apples, {version}."}
    return [first, bead("count-apples")]


def _beads_gaps(number: int) -> Told:
    said: Told = {"status": "gaps", "gaps": [f"Gap {number}."]}
    if number == AUDITS_MAX:
        return {"answer": said | {"expansion": expansion("sell-apples", "count-apples")}}
    change = {"type": "modified", "item": "sell-apples", "reason": "Closer."}
    return {"answer": said | {"beads": _beads(number), "changes": [change]}}


CLEAN: Final = {"answer": {"status": "clean", "gaps": []}}
SCAN: Final = {
    "path": "shop.py", "rationale": "It sells.", "relevance": "high", "likely_action": "modify",
    "content_preview": "def sell(): ...",
}  # fmt: skip
FILLED: Final = [{"id": SKIPPED, "answer": {"free_text": "No worms."}}]
DRAFT: Final = {"answer": {"full_answers": FILLED, "prd": prd()}}

EVERYBODY: Final[Mapping[str, Any]] = {
    "scan": {"answer": {"files": [SCAN]}},
    "interview/draft": {"answer": {"questions": questions(4)}},
    "interview/vote": vote("interview"),
    "interview/refine": {"answer": {"questions": questions(4), "changes": []}},
    "interview/batch": {"answer": {"complete": True}},
    "interview/batch#1": _batch(FIRST, "Let us begin."),
    "interview/batch#2": _batch(SECOND, "Red ones, then."),
    "interview/batch#5": _batch([{"id": FOLLOWED, **FOLLOW_UP}], "One more."),
    "interview/audit#1": {
        "answer": {"status": "gaps", "gaps": ["Pears."], "follow_up_questions": [FOLLOW_UP]}
    },
    "interview/audit#2": CLEAN,
    "prd/draft": DRAFT,
    "prd/vote": vote("prd"),
    "prd/refine": {"answer": {"prd": prd(), "changes": []}},
    "prd/audit#1": _prd_gaps("More apples"),
    "prd/audit#2": _prd_gaps("Many apples"),
    "prd/audit#3": CLEAN,
    "beads/draft": {"answer": {"beads": _beads()}},
    "beads/vote": vote("beads"),
    "beads/refine": {"answer": {"beads": _beads(), "changes": []}},
    **{f"beads/audit#{number}": _beads_gaps(number) for number in range(1, AUDITS_MAX + 1)},
}

SLIPS: Final[Mapping[str, Mapping[str, Any]]] = {
    "ben": {"prd/draft": [{"fault": "invalid", "text": "Let me think."}, DRAFT]},
    "cleo": {"interview/draft": {"fault": "timeout"}},
}
"""What goes wrong in the run that is told of."""

WHOLE: Final[Mapping[str, Mapping[str, Any]]] = {"*": EVERYBODY, **SLIPS}

CALM: Final[Mapping[str, Mapping[str, Any]]] = {
    "*": {**EVERYBODY, "interview/vote": vote("interview", (10, 10, 10))}
}
"""The same run where nothing goes wrong: all three have drafted questions."""


def script(members: Mapping[str, Mapping[str, Any]]) -> Script:
    """Return what is said as a script, for those who play a member themselves."""
    return Script("the run", {
        member: {key: tuple(Turn(**one) for one in listed(said)) for key, said in tasks.items()}
        for member, tasks in members.items()
    })  # fmt: skip


def listed(said: Any) -> list[Told]:  # noqa: ANN401 (one or several)
    """Return one or several turns as several."""
    return said if isinstance(said, list) else [said]
