"""A move that is not in the map is told with what is, whatever machine was asked."""

import pytest

from interlock.kernel.machine import Machine, Status, edges
from interlock.kernel.transition import InvalidTransition

DOOR = Machine(
    "door",
    "shut",
    (Status("shut"), Status("open"), Status("gone", "terminal")),
    edges(("shut", "push", "open"), ("shut open", "burn", "gone")),
)


@pytest.mark.parametrize(
    ("source", "target", "message", "fix"),
    [
        ("open", "shut", "A door cannot go from open to shut.", "Legal from open: gone."),
        (
            "gone", "shut", "A door cannot go from gone to shut.",
            "Legal from gone: nothing: the status is terminal.",
        ),
        (
            "shut", "opne", "A door has no status 'opne'; did you mean 'open'?",
            "Legal from shut: open, gone.",
        ),
        (
            "shutt", "open", "A door has no status 'shutt'; did you mean 'shut'?",
            "Statuses of a door: shut, open, gone.",
        ),
    ],
)  # fmt: skip
def test_it_says_what_was_asked_and_what_is_legal(
    source: str, target: str, message: str, fix: str
) -> None:
    no = InvalidTransition(DOOR, source, target)

    assert (no.code, no.http, no.retryable) == ("INVALID_TRANSITION", 409, False)
    assert (no.source, no.target) == (source, target)
    assert (no.message, no.fix) == (message, fix)
