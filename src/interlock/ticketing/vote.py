"""The council's vote: blind labels, an order for each voter, sums, and who wins.

The order follows from a seed and nothing else, and must do so for ever: a stored seed is how a
vote is replayed. Hence a shuffle of our own, over blocks of SHA-256.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Final, TypeGuard

from interlock.ticketing.answer import check
from interlock.ticketing.checked import Json, part
from interlock.ticketing.form import described, number, shape

POINTS_MAX: Final = 20
WORD_BYTES: Final = 4
WORD: Final = 1 << 8 * WORD_BYTES

CRITERIA: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "interview": {
        "coverage": "The questions cover what must be known to build it.",
        "clarity": "Each question is clear, and the user can answer it.",
        "testability": "The answers lead to requirements that can be measured.",
        "economy": "Good flow, nothing asked twice, nothing asked in vain.",
        "risks": "Risks and edge cases are asked about.",
    },
    "prd": {
        "coverage": "Every result of the interview is covered.",
        "feasibility": "It is correct and can be built in this repository.",
        "testability": "Acceptance criteria can be checked, with commands that exist.",
        "decomposition": "Epics and stories are simple and well divided.",
        "risks": "Risks and edge cases are dealt with.",
    },
    "beads": {
        "coverage": "Every requirement of the PRD is covered by a bead.",
        "soundness": "The technical approach is correct and feasible.",
        "tests": "Tests are good, and each bead can be tested by itself.",
        "dependencies": "The order is right, and dependencies are as few as can be.",
        "risks": "Risks and edge cases are dealt with.",
    },
})  # fmt: skip
"""By domain the five criteria of a vote, each up to 20 points."""


def labels(drafts: int) -> tuple[str, ...]:
    """Return what drafts are called where nobody may know whose they are."""
    return tuple(f"Draft {number}" for number in range(1, drafts + 1))


def shuffled(seed: str, members: Sequence[int]) -> tuple[int, ...]:
    """Return the order in which a voter sees the members' drafts: "Draft 1" is the first of it."""
    order = sorted(members)
    words = _words(seed)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _words(seed: str) -> Iterator[int]:
    for block in count():
        data = hashlib.sha256(f"{block}:{seed}".encode()).digest()
        for start in range(0, len(data), WORD_BYTES):
            yield int.from_bytes(data[start : start + WORD_BYTES], "big")


def _below(limit: int, words: Iterator[int]) -> int:
    """Draw a number; words at the upper end are passed over, or low numbers would come oftener."""
    fair = WORD - WORD % limit
    return next(word for word in words if word < fair) % limit


def vote_schema(domain: str, drafts: int) -> Json:
    """Return the schema of a vote on so many drafts: every label, every criterion, no other."""
    points = {name: number(0, POINTS_MAX, about) for name, about in CRITERIA[domain].items()}
    each = {label: shape(points) for label in labels(drafts)}
    about = "Your points for every draft, by its label. Score your own like any other."
    return shape({"scores": described(shape(each), about)})


def scores(domain: str, answer: object, order: Sequence[int]) -> dict[int, int]:
    """Return by member how many points a voter gave its draft; raises ``AnswerInvalid``."""
    given = part(check(vote_schema(domain, len(order)), answer), "scores")
    return {
        # A whole number may come as 20.0: JSON makes no difference.
        member: sum(int(points) for points in part(given, label).values() if _is_number(points))
        for label, member in zip(labels(len(order)), order, strict=True)
    }


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float)


def totals(votes: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Add up what voters gave, by member."""
    members = sorted({member for vote in votes for member in vote})
    return {member: sum(vote.get(member, 0) for vote in votes) for member in members}


def winner(sums: Mapping[int, int]) -> int:
    """Return the member with the highest sum; of equals the first in the council's order."""
    return min(sums, key=lambda member: (-sums[member], member))
