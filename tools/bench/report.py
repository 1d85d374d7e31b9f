"""Tell what was measured: a table on the terminal, everything in a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tools.bench.measure import Aim, Figure

WIDTH = 60


def table(figures: Iterable[Figure]) -> Iterator[str]:
    """Yield the lines of the table."""
    measured = f"{'value':>12} {'unit':<9} {'floor':>12} {'ratio':>6}"
    yield f"{'':<{WIDTH}} {measured}  {'spread':<11} {'calm':>5}  goal"
    for one in figures:
        row = f"{one.value:>12,.1f} {one.unit:<9} {one.floor:>12,.1f} {one.ratio:>6.2f}"
        told = (
            f"{one.name:<{WIDTH}} {row}  {_spread(one):<11} {_calm(one):>5}  {_goal(one.aim):<14}"
        )
        yield f"{told} {one.verdict}".rstrip()


def _spread(one: Figure) -> str:
    return "" if one.spread is None else f"{one.spread[0]:.2f}..{one.spread[1]:.2f}"


def _calm(one: Figure) -> str:
    return "" if one.calm is None else f"{one.calm:.2f}"


def _goal(aim: Aim | None) -> str:
    if aim is None:
        return ""
    sign = "<=" if aim.is_ceiling else ">="
    more = "" if aim.moonshot is None else f" ({aim.moonshot:.2f})"
    return f"{sign} {aim.goal:.2f}{more}"


def verdicts(figures: Iterable[Figure]) -> str:
    """Return how many goals were reached, in one line."""
    judged = [one.verdict for one in figures if one.aim is not None]
    missed, unclear = judged.count("missed"), judged.count("unclear")
    reached = len(judged) - missed - unclear
    return f"{reached} of {len(judged)} goals reached, {missed} missed, {unclear} unclear"


def write(path: Path, figures: Iterable[Figure], facts: Mapping[str, object]) -> None:
    """Write everything down."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {**facts, "figures": [one.data() for one in figures]}
    path.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
