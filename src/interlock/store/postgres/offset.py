"""How far the database's clock is from ours, as the trips to it tell.

A trip brings the database's time back; it was read somewhere between our sending and receiving,
so the shortest trip says it best. A sample is used until a better one comes, it has grown old, or
one contradicts it: then the database's clock was set.
"""

from typing import Final

AGE_MAX_MS: Final = 10_000
"""Clocks drift; an older sample gives way to any newer one."""


class Offset:
    """The difference between two clocks, in milliseconds, to be added to ours."""

    def __init__(self) -> None:
        """Begin by believing our own clock."""
        self.ms = 0
        self._trip_ms: int | None = None
        self._at = 0

    def learn(self, sent: int, received: int, there: int) -> None:
        """Take the time that a trip brought back into account."""
        trip_ms = received - sent
        found = there - (sent + received) // 2
        kept_ms = self._trip_ms
        if kept_ms is not None and trip_ms > kept_ms:
            is_old = received - self._at > AGE_MAX_MS
            is_contradicted = 2 * abs(found - self.ms) > trip_ms + kept_ms + 2
            if not is_old and not is_contradicted:
                return
        self.ms, self._trip_ms, self._at = found, trip_ms, received
