"""Tokens that were looked up: good for as long as nothing but units has changed.

Every request over HTTP asks for one. A token, or whoever owns it, is changed by another process or
by one of the writer's chores, and after either everything here is forgotten: who was shut out is
never let in once more.
"""

from typing import Final

from interlock.store.port import TokenRow

TOKENS_MAX: Final = 1_024

Since = tuple[int, int]
"""How things stood, as the writer says it."""


class Tokens:
    """Tokens by their digest, as they were at one time."""

    __slots__ = ("_rows", "_since")

    def __init__(self) -> None:
        """Begin with none."""
        self._rows: dict[str, TokenRow] = {}
        self._since: Since | None = None

    def find(self, digest: str, since: Since | None) -> TokenRow | None:
        """Return a token that is remembered; none where it cannot be told whether it is good."""
        return self._rows.get(digest) if since is not None and since == self._since else None

    def keep(self, digest: str, row: TokenRow, since: Since | None) -> None:
        """Remember a token that was looked up after it was asked how things stood."""
        if since is None:
            return
        if since != self._since or len(self._rows) >= TOKENS_MAX:
            self._rows.clear()
        self._since = since
        self._rows[digest] = row
