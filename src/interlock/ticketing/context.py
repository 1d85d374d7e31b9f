"""What a model is shown with a task: blocks by an allow-list, within a budget, as data.

Whatever stands in a block was written by a person, a repository or a model. All of it stands
between marks that it cannot know: nothing in there gives orders. Where it is too much, blocks are
cut or left out by a fixed priority, and it is told which.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from interlock.outside.marks import marks_around

BUDGET_TOKENS: Final = 100_000
TOKEN_CHARS: Final = 4

# fmt: off
KINDS: Final[Mapping[str, str]] = MappingProxyType({
    "error_context":              "What went wrong before",
    "bead_notes":                 "Notes of earlier attempts",
    "execution_setup_plan_notes": "Comments on the setup plan",
    "execution_setup_notes":      "Notes of earlier attempts at the setup",
    "final_test_notes":           "Notes of earlier attempts at the final test",
    "user_answers":               "What the user answered",
    "tests":                      "Test results",
    "votes":                      "Votes",
    "drafts":                     "Drafts",
    "full_answers":               "Full answers",
    "blueprint":                  "Blueprint",
    "beads":                      "Beads",
    "interview":                  "Interview",
    "session":                    "Interview so far",
    "prd":                        "Specification (PRD)",
    "repository":                 "Files of the repository",
    "relevant_files":             "Relevant files",
    "execution_setup_plan":       "Setup plan",
    "execution_setup_profile":    "Setup profile",
    "user_note":                  "Note of the user for this attempt",
    "ticket_details":             "Ticket",
    "bead_data":                  "Bead",
})  # fmt: skip
"""Every kind of block with its title. The order is that of trimming: the first goes first."""
# fmt: on

OWN_DRAFT: Final = "Your draft"
ALTERNATIVE: Final = "Alternative {}"
"""How drafts are titled for whoever refines; for voters they are ``Draft 1`` to ``Draft n``."""

TITLE: Final = re.compile(r"[\w .,:/()-]{1,100}")
HEADING_ROOM: Final = 160
"""What a title and a word about what was cut take at most, with the line ends around them."""

CUT_MIN: Final = 1_000
"""A block that would keep less than this is left out: its beginning alone misleads."""


class Block(NamedTuple):
    """A text of a kind; ``title`` tells blocks of one kind apart, and is a word of ours."""

    kind: str
    text: str
    title: str = ""

    @property
    def heading(self) -> str:
        """The title that is shown."""
        return self.title or KINDS[self.kind]


class Trimmed(NamedTuple):
    """A block that did not fit: how many of its characters are shown; 0 where it is left out."""

    title: str
    kept: int
    length: int

    def __str__(self) -> str:
        if not self.kept:
            return f"left out, {self.length:,} characters: too much"
        return f"only the first {self.kept:,} of {self.length:,} characters"


@dataclass(frozen=True, slots=True)
class Context:
    """What is shown, how much that is, and what did not fit."""

    text: str
    tokens: int
    trimmed: tuple[Trimmed, ...] = ()


def assemble(
    allowed: Sequence[str], blocks: Iterable[Block], secret: str, budget: int = BUDGET_TOKENS
) -> Context:
    """Put together the blocks that a task may show; ``secret`` is drawn anew each time."""
    order = sorted(allowed, key=lambda kind: kind != "ticket_details")
    shown = [one for one in blocks if one.kind in allowed and one.text]
    shown.sort(key=lambda one: order.index(one.kind))
    _check(shown)
    marks = marks_around(secret, (one.text for one in shown))
    around = HEADING_ROOM + len(marks.put("\n\n"))
    room = budget * TOKEN_CHARS - len(marks.meaning) - around * len(shown)
    texts = _fit(shown, max(0, room))
    trimmed: list[Trimmed] = []
    pieces = [marks.meaning] if shown else []
    for block, text in zip(shown, texts, strict=True):
        word = ""
        if text != block.text:
            trimmed.append(Trimmed(block.heading, len(text), len(block.text)))
            word = f" ({trimmed[-1]})"
        pieces.append(f"## {block.heading}{word}")
        if text:
            pieces.append(marks.put(f"\n{text}\n"))
    whole = "\n\n".join(pieces)
    return Context(whole, -(-len(whole) // TOKEN_CHARS), tuple(trimmed))


def _check(blocks: Sequence[Block]) -> None:
    """Refuse what would stand outside of the marks and is no word of ours."""
    for one in blocks:
        if one.kind not in KINDS:
            raise ValueError(f"there is no kind of block {one.kind!r}")
        if not TITLE.fullmatch(one.heading):
            raise ValueError(f"{one.heading[:80]!r} is no title of a block")


def _fit(blocks: Sequence[Block], room: int) -> list[str]:
    """Return the texts of the blocks, cut by the fixed priority until they fit."""
    texts = [one.text for one in blocks]
    over = sum(map(len, texts)) - room
    for kind in KINDS:
        if over <= 0:
            break
        mine = [place for place, one in enumerate(blocks) if one.kind == kind]
        before = sum(len(texts[place]) for place in mine)
        limit = _limit([len(texts[place]) for place in mine], max(0, before - over))
        for place in mine:
            texts[place] = _cut(texts[place], limit)
        over -= before - sum(len(texts[place]) for place in mine)
    return texts


def _limit(sizes: list[int], room: int) -> int:
    """Return how long each may be at most, so that all fit: no draft is cut for another's sake."""
    left = sorted(sizes)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room // len(left) if left else max(sizes, default=0)


def _cut(text: str, limit: int) -> str:
    """Return the beginning of a text, up to the end of a line if one is near."""
    if len(text) <= limit:
        return text
    if limit < CUT_MIN:
        return ""
    end = text.rfind("\n", limit // 2, limit)
    return text[: end if end >= 0 else limit]
