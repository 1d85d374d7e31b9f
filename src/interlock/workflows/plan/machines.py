"""The plan's and the step's machine: statuses, edges, and nothing else.

The two maps are fixed: no edge may be added or removed. Whatever a command needs beyond one edge
it gets by walking several of them (``rules``).
"""

from typing import Final

from interlock.kernel.machine import Machine, Status, edges

# fmt: off
PLAN: Final = Machine(
    name="plan",
    initial="planning",
    statuses=(
        Status("planning",        "active",   "Planning",        group="to do"),
        Status("executing",       "active",   "Executing",       group="in progress"),
        Status("awaiting_review", "gate",     "Awaiting review", group="needs you", is_asked=True),
        Status("stalled",         "active",   "Stalled",         group="needs you"),
        Status("completed",       "terminal", "Completed",       group="done", is_success=True),
        Status("failed",          "terminal", "Failed",          group="done"),
    ),
    edges=edges(
        # from                                        signal         to
        ("planning",                                  "begin",       "executing"),
        ("executing",                                 "review",      "awaiting_review"),
        ("executing",                                 "stall",       "stalled"),
        ("executing",                                 "finish",      "completed"),
        ("executing awaiting_review",                 "fail_branch", "failed"),
        ("awaiting_review",                           "decided",     "executing"),
        ("awaiting_review",                           "reject",      "failed"),
        ("stalled",                                   "resume",      "executing"),
        ("planning executing awaiting_review stalled", "fail_plan",  "failed"),
    ),
)

STEP: Final = Machine(
    name="step",
    initial="pending",
    statuses=(
        Status("pending",        "active",   "Pending"),
        Status("in_progress",    "active",   "In progress"),
        Status("awaiting_input", "gate",     "Awaiting input", is_asked=True),
        Status("completed",      "terminal", "Completed", is_success=True),
        Status("skipped",        "terminal", "Skipped"),
        Status("failed",         "terminal", "Failed"),
    ),
    edges=edges(
        # from            signal       to
        ("pending",        "start",     "in_progress"),
        ("pending",        "pass_over", "skipped"),
        ("pending",        "close",     "skipped"),
        ("in_progress",    "ask",       "awaiting_input"),
        ("in_progress",    "complete",  "completed"),
        ("in_progress",    "fail",      "failed"),
        ("in_progress",    "close",     "failed"),
        ("awaiting_input", "modify",    "in_progress"),
        ("awaiting_input", "approve",   "completed"),
        ("awaiting_input", "skip",      "skipped"),
        ("awaiting_input", "reject",    "failed"),
        ("awaiting_input", "close",     "failed"),
        ("failed",         "retry",     "pending"),
    ),
)
# fmt: on

SETTLED: Final = ("completed", "skipped", "failed")
"""The step statuses in which nothing more is expected of a step."""
