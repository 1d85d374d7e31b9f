"""Time and chance: the only module that reads the one or draws from the other.

Whoever needs either is handed a ``Clock``. Ours believes the wall clock once, when it is made,
and counts from there: a wall clock that jumps while we run moves nothing (promise P16), and after
a restart wall time is believed again. What a lease does with the time is not decided here. How
long something takes and when it was is said in words here, too, so that everybody says it alike.
"""

import random
import secrets
import time
from datetime import UTC, datetime
from typing import Final, Protocol

# Crockford's base 32, lower case: no i, l, o and u, so an id survives being read aloud.
ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 12
ID_BITS = 60
SECRET_BYTES = 20

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_NS_PER_MS = 1_000_000
# Ids are made all the time: two characters at once are looked up, not made.
_PAIRS = [one + two for one in ID_ALPHABET for two in ID_ALPHABET]
_LOW_BITS = 1023
_SHIFTS = range(ID_BITS - 10, -1, -10)
# It counts while the machine sleeps, as a lease does; not every system has it.
_ELAPSED: int | None = getattr(time, "CLOCK_BOOTTIME", None)


class Clock(Protocol):
    """What the rest of the program may know of time and chance."""

    def now(self) -> int:
        """Return UTC in milliseconds since 1970."""
        ...

    def new_id(self, prefix: str) -> str:
        """Return an id nobody has used: the prefix, a dash and 12 characters (60 random bits)."""
        ...

    def secret(self) -> str:
        """Return 40 hexadecimal characters nobody can guess."""
        ...

    def jitter(self, limit_s: float) -> float:
        """Return seconds drawn evenly from 0 to the limit, so that waiters do not march in line."""
        ...


class SystemClock:
    """The machine's clock: wall time as it was when this was made, plus the time elapsed since."""

    def __init__(self) -> None:
        # Both as close together as we can: what lies between them is an error for good.
        self._wall_ns = time.time_ns()
        self._start_ns = _elapsed_ns()

    def now(self) -> int:
        """Return UTC in milliseconds; never runs backwards and never jumps."""
        return (self._wall_ns + _elapsed_ns() - self._start_ns) // _NS_PER_MS

    def drift(self) -> int:
        """Return how many milliseconds the wall clock is ahead of ours (negative: behind)."""
        return time.time_ns() // _NS_PER_MS - self.now()

    def new_id(self, prefix: str) -> str:
        """Return an id nobody has used."""
        return spell_id(prefix, secrets.randbits(ID_BITS))

    def secret(self) -> str:
        """Return 40 hexadecimal characters from the system's source of secrets."""
        return secrets.token_hex(SECRET_BYTES)

    def jitter(self, limit_s: float) -> float:
        """Return seconds drawn evenly from 0 to the limit."""
        return random.uniform(0.0, limit_s)  # noqa: S311 (spreads waiters; guards nothing)


def span(milliseconds: int) -> str:
    """Say how long something took or takes, in its largest unit."""
    seconds = max(milliseconds, 0) // 1000
    if seconds < MINUTE:
        return f"{seconds} s"
    for size, word in ((DAY, "d"), (HOUR, "h")):
        if seconds >= size:
            return f"{seconds // size} {word}"
    return f"{seconds // MINUTE} min"


def coming(milliseconds: int) -> str:
    """Say a stretch of time that is to pass, in words."""
    return f"in {span(milliseconds)}" if milliseconds > 0 else "now"


def moment(at: int, now: int) -> str:
    """Say an instant that is to come, and how far it is."""
    return f"{instant(at)}, {coming(at - now)}"


def lately(at: int, now: int) -> str:
    """Say an instant that has passed, and how long ago: the day only where that is long."""
    passed = max(now - at, 0)
    told = instant(at) if passed >= DAY * 1000 else f"{utc(at):%H:%M} UTC"
    return f"{told} ({span(passed)})"


def instant(at: int) -> str:
    """Say an instant whole, to the minute."""
    return f"{utc(at):%Y-%m-%d %H:%M} UTC"


def utc(at: int) -> datetime:
    """Return an instant by the calendar."""
    return datetime.fromtimestamp(at / 1000, UTC)


def spell_id(prefix: str, bits: int) -> str:
    """Write 60 bits behind a prefix, the highest first, five to a character."""
    pairs = [_PAIRS[(bits >> shift) & _LOW_BITS] for shift in _SHIFTS]
    return f"{prefix}-" + "".join(pairs)


def _elapsed_ns() -> int:
    """Read a clock that nobody can set."""
    return time.clock_gettime_ns(_ELAPSED) if _ELAPSED is not None else time.monotonic_ns()
