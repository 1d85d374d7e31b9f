"""What will happen when somebody decides about a ticket, in words: told before they do it.

The page of a command tells which statuses would change; this says what that means for the code.
"""

from collections.abc import Mapping
from typing import Final

from interlock.ticketing.checked import part, text

SHORT: Final = 12

TOLD: Final[Mapping[str, tuple[str, ...]]] = {
    "merge": (
        "A worker merges the pull request into {base}, if its head is still {candidate}.",
        (
            "If the head has moved, or there is a conflict, nothing is merged: the ticket stops"
            " with an error that says so."
        ),
        "Then the working tree is cleaned up, and the ticket is done.",
    ),
    "close_unmerged": (
        "Nothing is merged. The branch {branch} and the pull request are left alone.",
        (
            "The working tree is cleaned up, and the ticket is done. It cannot be merged from"
            " here any more."
        ),
    ),
    "finish": (
        "The ticket is done at once; whoever is cleaning up is told to stop.",
        "What was not cleaned up stays on the worker's machine, until it is pruned there.",
    ),
    "raise_budget": (
        "The limits that you name are set; the others stay. What was spent stays spent.",
        "Nothing starts by itself: a ticket that stopped at its budget goes on when it is retried.",
    ),
    "cancel": (
        "Nobody works on it any more; whoever holds work of it is told to stop.",
        "Documents, reports and the audit are kept. Its branch and pull request are left alone.",
        "This cannot be undone.",
    ),
    "regenerate_setup_plan": (
        "The implementer drafts another setup plan, and is told what you write here.",
        "The plan that there is stays as an earlier version. The new one waits for your approval.",
    ),
}  # fmt: skip
"""By command what it comes to."""


def consequences(command: str, fields: Mapping[str, object]) -> tuple[str, ...]:
    """Say what a command about a ticket comes to; nothing where the moves say it all."""
    tree, config = part(fields, "tree"), part(fields, "config")
    known = {
        "base": text(config, "base_branch") or "its base branch",
        "branch": text(tree, "branch") or "of the ticket",
        "candidate": text(tree, "candidate")[:SHORT] or "the one that was recorded",
    }
    return tuple(line.format(**known) for line in TOLD.get(command, ()))


def filled(command: str, fields: Mapping[str, object]) -> dict[str, str]:
    """Return what the form of a command has filled in: limits are raised from where they are."""
    if command != "raise_budget":
        return {}
    return {name: str(limit) for name, limit in part(fields, "budget").items() if limit is not None}
