"""What a step brings home: the same text for us and for everyone beside us, of the same size."""

from typing import Final

SUMMARY: Final = "Three sources agree, one does not say; see the table."
FINDINGS: Final = [f"source {place}: the figure is {place * 17} within one per cent"
                   for place in range(1, 5)]  # fmt: skip


def brought(step: str) -> dict[str, object]:
    """Return the result of a step; its name is in it, so no two are the same."""
    return {"step": step, "findings": FINDINGS}
