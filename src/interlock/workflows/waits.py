"""What rows about waiting are made of: who is to act, what they send, and what is said of it.

Each workflow has a table of the ways in which a unit of it can wait. It says what the rules let
happen, and decides nothing.
"""

from typing import Final, NamedTuple

from interlock.kernel.rules import AGENT, USER, WORKER
from interlock.kernel.seen import PartId
from interlock.kernel.why import Wait

PERSON: Final = (USER,)
RELAYED: Final = (USER, AGENT)
AGENTS: Final = (AGENT, WORKER)
ANYONE: Final = (USER, AGENT, WORKER)


class Row(NamedTuple):
    """A way to wait: who is to act, what they send, and what is said of it."""

    who: tuple[str, ...]
    events: tuple[str, ...]
    what: str
    # What is a person's own word is not passed on by an agent, whatever the policy.
    is_own: bool = False

    def wait(self, state: str, part: PartId | None, policy: object, told: dict[str, str]) -> Wait:
        """Return what is waited for; where the policy says so an agent may bring the decision."""
        is_relayed = self.who == PERSON and not self.is_own and policy == "relay"
        who = RELAYED if is_relayed else self.who
        return Wait(state, who, self.what.format(**told), self.events, part)
