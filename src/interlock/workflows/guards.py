"""Guards and their functions that two or more workflows share, word for word."""

from collections.abc import Callable
from typing import Final

from interlock.kernel.draft import Draft
from interlock.kernel.forms import Is, Not
from interlock.kernel.rules import Guard

REASON: Final = Guard(
    Not(Is("event", "reason", (None, ""))),
    "REASON_REQUIRED",
    "A reason is required.",
    "Send a reason.",
)


def digest_is_fresh(policy: str) -> Callable[[Draft], bool]:
    """Return the test that a decision is about what was shown; ``policy`` names the unit's field.

    A decision that does not say what was shown will do, but not where only people decide.
    """

    def test(draft: Draft) -> bool:
        digest = draft.event.args.get("digest")
        if digest is None:
            return draft.unit.fields[policy] != "human"
        return digest == draft.gate_digest()

    return test
