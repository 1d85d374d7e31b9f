"""A clock for tests that stands still until it is told to go on, and draws from a seed.

It is one of the two stand-ins the tests have (the other plays an agent). Two clocks made with the
same seed hand out the same ids in the same order.
"""

import random

from interlock.clock import ID_BITS, SECRET_BYTES, spell_id

START = 1_800_000_000_000


class StillClock:
    """A ``Clock`` whose time is what the test says and whose chance can be repeated."""

    def __init__(self, now: int = START, seed: int = 0) -> None:
        self._now = now
        self._chance = random.Random(seed)  # noqa: S311 (repeatable on purpose)

    def now(self) -> int:
        """Return the time this clock was set to."""
        return self._now

    def pass_ms(self, elapsed_ms: int) -> None:
        """Let time pass; a negative number turns it back, as a bad clock would."""
        self._now += elapsed_ms

    def new_id(self, prefix: str) -> str:
        """Return the seed's next id."""
        return spell_id(prefix, self._chance.getrandbits(ID_BITS))

    def secret(self) -> str:
        """Return the seed's next secret, which is none."""
        return self._chance.randbytes(SECRET_BYTES).hex()

    def jitter(self, limit_s: float) -> float:
        """Return the seed's next share of the limit."""
        return self._chance.uniform(0.0, limit_s)
