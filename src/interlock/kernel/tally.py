"""Counting parts by kind and status: the numbers that stand for all parts in a decision."""

from collections.abc import Iterable, Mapping
from typing import Final

from interlock.kernel.seen import Part

NO_PARTS: Final[Mapping[str, int]] = {}


def tally(parts: Iterable[Part]) -> dict[str, dict[str, int]]:
    """Count parts by kind and status."""
    counted: dict[str, dict[str, int]] = {}
    for part in parts:
        counts = counted.setdefault(part.kind, {})
        counts[part.status] = counts.get(part.status, 0) + 1
    return counted


def shift(
    counted: dict[str, Mapping[str, int]], kind: str, source: str, target: str, count: int
) -> None:
    """Count parts that moved; an empty source or target stands for made and dropped."""
    counts = dict(counted[kind]) if kind in counted else {}
    if source:
        left = counts.get(source, 0) - count
        if left > 0:
            counts[source] = left
        else:
            counts.pop(source, None)
    if target:
        counts[target] = counts.get(target, 0) + count
    counted[kind] = counts
