"""Budgets: what a ticket has spent, and which of its limits it has reached.

Money is counted in millionths of whatever a worker counts in. What nobody reports costs nothing
here: a limit is as good as what agents tell. Attempts are counted by ourselves.
"""

from collections.abc import Mapping
from typing import Final

from interlock.ticketing.checked import Json

LIMITS: Final = ("tokens", "cost_micros", "seconds", "attempts")
REACHED: Final = "BUDGET_REACHED"


def spent(before: Json, usage: Json, *, is_attempt: bool) -> dict[str, int | float]:
    """Return what is spent once what a piece of work has cost is added."""
    now = {name: _number(before.get(name)) for name in LIMITS}
    now["tokens"] += _number(usage.get("tokens_in")) + _number(usage.get("tokens_out"))
    now["cost_micros"] += _number(usage.get("cost_micros"))
    now["seconds"] = round(now["seconds"] + _number(usage.get("seconds")), 3)
    now["attempts"] += 1 if is_attempt else 0
    return now


def _number(value: object) -> int | float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int | float) and value > 0 else 0


def reached(so_far: Json, limits: Json) -> dict[str, tuple[int | float, int | float]]:
    """Return the limits that are reached, each with what was spent and the limit itself."""
    found = {name: (_number(so_far.get(name)), limits.get(name)) for name in LIMITS}
    return {
        name: (used, limit)
        for name, (used, limit) in found.items()
        if isinstance(limit, int | float) and not isinstance(limit, bool) and used >= limit
    }


def in_words(over: Mapping[str, tuple[int | float, int | float]]) -> str:
    """Tell the limits that are reached."""
    told = (f"{name} {used:,} of {limit:,}" for name, (used, limit) in over.items())
    return f"The budget is spent: {', '.join(told)}. Raise it with raise_budget, then retry."
