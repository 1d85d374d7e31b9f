"""Bugs about time, planted in a process by name; no name plants nothing."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from interlock.clock import SystemClock
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS

RAW: Final = "time is what the wall clock says"
FORWARD: Final = "time is what the wall clock says, but never runs back"
NO_FENCE: Final = "a lease that is over is as good as any"
NS_PER_MS: Final = 1_000_000


def plant(bug: str) -> Mapping[str, Workflow]:
    """Plant a bug; return the workflows that are run with it."""
    if bug == RAW:
        SystemClock.now = _raw  # type: ignore[assignment, method-assign]  # that is the bug
    elif bug == FORWARD:
        SystemClock.now = _forward  # type: ignore[assignment, method-assign]  # that is the bug
    elif bug == NO_FENCE:
        return {
            name: replace(flow, functions={**flow.functions, "lease_is_mine": lambda _: True})
            for name, flow in WORKFLOWS.items()
        }
    return WORKFLOWS


def _raw(_: SystemClock) -> int:
    return time.time_ns() // NS_PER_MS


_latest = [0]


def _forward(_: SystemClock) -> int:
    _latest[0] = max(_latest[0], time.time_ns() // NS_PER_MS)
    return _latest[0]
