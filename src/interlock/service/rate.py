"""Rates: how often a caller and a tenant may call, and how often somebody may guess.

Buckets are kept in the memory of a process, so a limit holds for each process by itself. A bucket
is one number: the instant at which it would be full again. One that is full is as good as none,
and is forgotten. Nobody waits here: who is too fast is told when to come back.
"""

from collections.abc import Callable
from functools import lru_cache
from heapq import nlargest
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Final

from interlock.errors import InterlockError

BURST_S: Final = 5
"""For how many seconds' worth of calls a bucket that is full is good."""

GUESSES: Final = 20
"""How many wrong tokens a second one address may send."""

BUCKETS_MIN: Final = 1_024
BUCKETS_MAX: Final = 65_536
"""How many buckets are kept at most; beyond it those that are nearly full are forgotten."""

SECOND_MS: Final = 1_000
NETWORK: Final = 64
"""How many bits of an IPv6 address say whose it is; the rest is chosen freely by its owner."""


class RateLimited(InterlockError):
    """More calls come than are taken; ``after_s`` says when the next one is."""

    code = "RATE_LIMITED"
    http = 429
    retryable = True

    def __init__(self, whose: str, after_ms: float) -> None:
        """Keep when to come back, in whole seconds."""
        self.after_s = max(1, ceil(after_ms / SECOND_MS))
        when = f"{self.after_s} second{'s' if self.after_s > 1 else ''}"
        super().__init__(
            f"{whose} too fast; this call was not carried out.",
            fix=f"Wait {when}, then send the same call again.",
        )


class Buckets:
    """Buckets of one size, by the name of whose they are."""

    def __init__(self, a_second: int) -> None:
        """Begin with all of them full; 0 a second means that nothing is limited."""
        self._cost_ms = SECOND_MS / a_second if a_second else 0.0
        self._most = a_second * BURST_S
        self._full_at: dict[str, float] = {}
        self._look_at = BUCKETS_MIN

    def __len__(self) -> int:
        return len(self._full_at)

    def wait_ms(self, whose: str, weight: int, now: int) -> float:
        """Return how long it takes until so much is there; 0 if it is there now."""
        if not self._cost_ms:
            return 0.0
        # What weighs more than a full bucket holds takes a full one.
        full_at = self._full_at.get(whose, 0.0)
        needed = min(weight, self._most) * self._cost_ms
        return max(0.0, full_at - now + needed - BURST_S * SECOND_MS)

    def take(self, whose: str, weight: int, now: int) -> None:
        """Take so much, whether or not it is there."""
        if not self._cost_ms:
            return
        full_at = self._full_at
        full_at[whose] = max(full_at.get(whose, 0.0), now) + min(weight, self._most) * self._cost_ms
        if len(full_at) > self._look_at:
            self._forget(now)

    def _forget(self, now: int) -> None:
        """Forget the full ones; looked for only once there are twice as many as were left."""
        kept = {whose: at for whose, at in self._full_at.items() if at > now}
        if len(kept) > BUCKETS_MAX // 2:
            kept = dict(nlargest(BUCKETS_MAX // 2, kept.items(), key=lambda one: one[1]))
        self._full_at = kept
        self._look_at = max(BUCKETS_MIN, 2 * len(kept))


class Rates:
    """The limits of a process that serves others."""

    def __init__(
        self, now: Callable[[], int], principal: int, tenant: int, guesses: int = GUESSES
    ) -> None:
        """Take a clock in milliseconds, and how many calls a second each may make; 0 for any."""
        self._now = now
        self._principals = Buckets(principal)
        self._tenants = Buckets(tenant)
        self._guesses = Buckets(guesses)

    def take(self, tenant: str, principal: str, weight: int = 1) -> None:
        """Count a call; raises ``RateLimited``, and then it does not count."""
        now = self._now()
        whose = f"{tenant}/{principal}"
        wait_ms = self._principals.wait_ms(whose, weight, now)
        if wait_ms:
            raise RateLimited("You call", wait_ms)
        wait_ms = self._tenants.wait_ms(tenant, weight, now)
        if wait_ms:
            raise RateLimited("You and others of your tenant call", wait_ms)
        self._principals.take(whose, weight, now)
        self._tenants.take(tenant, weight, now)

    def allow_guess(self, address: str) -> None:
        """Raise ``RateLimited`` where too many tokens from an address were wrong."""
        if not len(self._guesses):  # nobody has sent a wrong one lately, as almost always
            return
        wait_ms = self._guesses.wait_ms(network(address), 1, self._now())
        if wait_ms:
            raise RateLimited("Wrong tokens come from your address", wait_ms)

    def guessed(self, address: str) -> None:
        """Count a token that was wrong."""
        self._guesses.take(network(address), 1, self._now())


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Return whose an address is; what is no address stands for itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:NETWORK]
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(int(found) >> NETWORK)
    return str(getattr(found, "ipv4_mapped", None) or found)
