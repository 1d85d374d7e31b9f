"""How tenants were doing lately: a sample every few seconds, kept in memory, for whoever looks.

Only tenants that somebody has looked at within the last hour are sampled, and those named from the
beginning: a thousand others cost nothing. What is counted is each tenant's own; only how long a
commit takes is told of the whole process, which says nothing about anybody.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from interlock.service.meter import BOUNDS_S, Meter
from interlock.store.port import Store

SAMPLES_MAX: Final = 360
SAMPLE_EVERY_S: Final = 10.0
LOOKED_MS: Final = 3_600_000
"""For how long after somebody has looked a tenant is sampled."""


class Sample(NamedTuple):
    """How a tenant was doing at one moment; the last five are since the sample before.

    How long commits took is None where there was none.
    """

    at: int
    waiting: int
    gates: int
    gate_age_ms: int
    held: int
    stalls: int
    lapses: int
    commits: int
    commit_p50_ms: float | None
    commit_p95_ms: float | None


@dataclass(slots=True)
class _Watched:
    """A tenant that is sampled, and what happened to it since the last sample."""

    since: int
    looked_at: int
    samples: deque[Sample] = field(default_factory=lambda: deque(maxlen=SAMPLES_MAX))
    commits: int = 0
    lapses: int = 0
    stalls: int = 0


class Pulse:
    """The samples of one process."""

    def __init__(self, meter: Meter, now: int, always: Iterable[str] = ()) -> None:
        """Begin; tenants in ``always`` are sampled whether anybody looks or not."""
        self._meter = meter
        self._always = frozenset(always)
        self._watched = {tenant: _Watched(now, now) for tenant in self._always}
        self._counts = list(meter.commits.counts)

    def look(self, tenant: str, now: int) -> tuple[int, tuple[Sample, ...]]:
        """Return the samples of a tenant and since when there are any; from now on there are."""
        watched = self._watched.get(tenant)
        if watched is None:
            watched = self._watched[tenant] = _Watched(now, now)
        watched.looked_at = now
        return watched.since, tuple(watched.samples)

    def commit(self, tenant: str) -> None:
        """Count a commit."""
        watched = self._watched.get(tenant)
        if watched is not None:
            watched.commits += 1

    def lapse(self, tenant: str, *, is_stall: bool) -> None:
        """Count a lease that ran out."""
        watched = self._watched.get(tenant)
        if watched is not None:
            watched.lapses += 1
            watched.stalls += int(is_stall)

    async def take(self, store: Store) -> None:
        """Take a sample of every tenant that somebody looks at; forget those nobody does."""
        now = store.now()
        counts = list(self._meter.commits.counts)
        taken = [after - before for after, before in zip(counts, self._counts, strict=True)]
        self._counts = counts
        median, most = _percentile(taken, 0.5), _percentile(taken, 0.95)
        for tenant, watched in list(self._watched.items()):
            if tenant not in self._always and now - watched.looked_at > LOOKED_MS:
                del self._watched[tenant]
                continue
            vitals = await store.board.vitals(tenant)
            since = min((one.since for one in vitals.gates), default=now)
            sample = Sample(
                now, sum(one.waiting for one in vitals.queues),
                sum(one.open for one in vitals.gates), max(now - since, 0), vitals.held,
                watched.stalls, watched.lapses, watched.commits, median, most,
            )  # fmt: skip
            watched.stalls = watched.lapses = watched.commits = 0
            watched.samples.append(sample)


def _percentile(counts: list[int], share: float) -> float | None:
    """Return where the bucket ends that this share of all falls into, in milliseconds."""
    total = sum(counts)
    if not total:
        return None
    seen = 0
    for count, end in zip(counts, (*BOUNDS_S, BOUNDS_S[-1]), strict=True):
        seen += count
        if seen >= share * total:
            return end * 1000
    return BOUNDS_S[-1] * 1000
