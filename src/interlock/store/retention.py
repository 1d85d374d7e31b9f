"""The part of the port that forgets what has grown old: of all tenants, by age, in small portions.

A store has one as ``store.retention``. Nothing that a unit needs which has not ended is forgotten,
however old it is; that is asked in the very transaction that forgets. The audit is never touched.
"""

from typing import Final, Literal, NamedTuple, Protocol, get_args

What = Literal[
    "replies", "deliveries", "logs", "sessions", "logins", "invitations", "contents"
]  # fmt: skip
"""What can grow old, beside the log of calls."""

KINDS: Final[tuple[What, ...]] = get_args(What)


class Round(NamedTuple):
    """How a round ended: how many were looked at, and how many of them are forgotten."""

    found: int
    gone: int


class Retention(Protocol):
    """Forgets what has grown old."""

    async def prune(self, what: What, before: int, limit: int, *, is_dry: bool = False) -> Round:
        """Forget so many that were over before an instant, or only count them."""
