"""Which steps have been silent for too long? Pure: the time is given, never read.

The engine passes the last sign of life (start or heartbeat) as ``started_at``, so a step whose
lease is alive is never stalled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

STALL_AFTER_MS: Final = 30 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Timed:
    """A step with its times, in milliseconds since the epoch."""

    id: str
    status: str
    updated_at: int
    started_at: int | None = None
    stall_after_ms: int | None = None


def detect_stalled_steps(
    steps: Iterable[Timed], now: int, threshold_ms: int = STALL_AFTER_MS
) -> tuple[Timed, ...]:
    """Return the steps in progress whose last sign of life is older than their threshold."""
    return tuple(step for step in steps if _is_silent(step, now, threshold_ms))


def is_plan_stalled(steps: Iterable[Timed], now: int, threshold_ms: int = STALL_AFTER_MS) -> bool:
    """Say whether some step is stalled."""
    return bool(detect_stalled_steps(steps, now, threshold_ms))


def _is_silent(step: Timed, now: int, threshold_ms: int) -> bool:
    if step.status != "in_progress":
        return False
    last = step.updated_at if step.started_at is None else step.started_at
    limit = threshold_ms if step.stall_after_ms is None else step.stall_after_ms
    return now - last > limit
