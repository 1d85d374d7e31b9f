"""Two versions of something, line by line: what went, what came, and a little of what stayed."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple

AROUND: Final = 3
"""So many unchanged lines are shown around a change."""

LINES_MAX: Final = 2_000
LONG_MAX: Final = 2_000
"""How many lines are compared, and how many characters of each are shown."""


class Row(NamedTuple):
    """One line of a comparison; ``skip`` says how many lines are left out."""

    kind: Literal["same", "ins", "del", "skip"]
    text: str


def compare(before: Sequence[str], after: Sequence[str]) -> list[Row]:
    """Compare two versions; nothing where they are the same.

    Of each it needs one line more than it compares, to say that there are more.
    """
    is_more = max(len(before), len(after)) > LINES_MAX
    if not is_more and list(before) == list(after):
        return []
    rows: list[Row] = []
    if is_more:
        rows.append(Row("skip", f"Only the first {LINES_MAX:,} lines are compared."))
    old, new = before[:LINES_MAX], after[:LINES_MAX]
    # Looking for junk makes a comparison of many equal lines odd; without it large ones are slow.
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > LINES_MAX * 100)
    for group in matcher.get_grouped_opcodes(AROUND):
        rows += _gap(rows, group[0][1])
        for what, first, last, start, end in group:
            if what == "equal":
                rows += (Row("same", _cut(line)) for line in old[first:last])
            else:
                rows += (Row("del", _cut(line)) for line in old[first:last])
                rows += (Row("ins", _cut(line)) for line in new[start:end])
    return rows


def _gap(before: list[Row], first: int) -> list[Row]:
    """Say that lines are left out, but not at the very beginning."""
    return [Row("skip", "…")] if before or first else []


def _cut(line: str) -> str:
    return line if len(line) <= LONG_MAX else f"{line[:LONG_MAX]}…"
