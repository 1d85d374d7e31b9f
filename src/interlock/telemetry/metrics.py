"""Figures for Prometheus, written down when they are asked for. No label names a tenant.

Counting is done elsewhere, as plain numbers (``service/meter``). Processes that share a port tell
each other what they have counted through files in a folder of theirs, so that whichever of them
is asked answers for all.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from interlock.service.calls import CallLog
from interlock.service.engine import Engine
from interlock.service.meter import BOUNDS_S, Meter, Timing
from interlock.store.port import Waiting

SHARE_EVERY_S: Final = 1.0
FRESH_MS: Final = 10_000
"""How old what another process has told may be to say anything about now."""

Document = dict[str, object]


@dataclass(slots=True)
class Sums:
    """What some processes have counted, added up."""

    meter: Meter = field(default_factory=Meter)
    hits: int = 0
    misses: int = 0
    remembered: int = 0
    lost: int = 0
    streams: int = 0

    def add(self, told: Mapping[str, object], *, is_fresh: bool) -> None:
        """Add what a process has told; how things stand only if it did so just now."""
        meter = self.meter
        for row in _rows(told["commands"]):
            name, channel, code, counts, total_s = row
            timing = meter.commands.setdefault((str(name), str(channel), str(code)), Timing())
            timing.merge(_numbers(counts), _figure(total_s))
        counts, total_s = _rows([told["commits"]])[0]
        meter.commits.merge(_numbers(counts), _figure(total_s))
        counted = (meter.lapses, "lapses"), (meter.stalls, "stalls"), (meter.pruned, "pruned")
        for mine, name in counted:
            for label, count in _rows(told[name]):
                mine[str(label)] = mine.get(str(label), 0) + int(_figure(count))
        self.hits += int(_figure(told["hits"]))
        self.misses += int(_figure(told["misses"]))
        self.lost += int(_figure(told["lost"]))
        if is_fresh:
            self.remembered += int(_figure(told["remembered"]))
            self.streams += int(_figure(told["streams"]))


@dataclass(slots=True)
class Figures:
    """The figures of this process, and of those that share its port."""

    engine: Engine
    meter: Meter
    calls: CallLog
    streams: Callable[[], int]
    # Where processes that share a port tell each other; none where there is only one.
    shared: Path | None = None
    name: str = "0"
    # Figures of the process itself: its memory, its time, its files.
    process: CollectorRegistry = field(
        default_factory=lambda: CollectorRegistry(auto_describe=False)
    )

    def __post_init__(self) -> None:
        ProcessCollector(registry=self.process)

    async def text(self) -> tuple[bytes, str]:
        """Write all figures down, with their media type; asks the store how much waits."""
        waiting = await self.engine.store.count_waiting()
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Written(self._sums(), waiting, self.engine.store.now()))
        return generate_latest(registry) + generate_latest(self.process), CONTENT_TYPE_PLAIN_0_0_4

    def told(self) -> Document:
        """Return what this process has counted, as others read it."""
        recall, meter = self.engine.store.recall(), self.meter
        return {
            "at": self.engine.clock.now(),
            "commands": [
                [*key, timing.counts, timing.total_s] for key, timing in meter.commands.items()
            ],
            "commits": [meter.commits.counts, meter.commits.total_s],
            "lapses": [*meter.lapses.items()],
            "stalls": [*meter.stalls.items()],
            "pruned": [*meter.pruned.items()],
            "hits": recall.hits,
            "misses": recall.misses,
            "remembered": recall.weight,
            "lost": self.calls.lost,
            "streams": self.streams(),
        }

    def share(self) -> None:
        """Tell the others; a file is there whole or not at all."""
        if self.shared is None:
            return
        partial = self.shared / f"{self.name}.partial"
        partial.write_text(json.dumps(self.told()), encoding="utf-8")
        partial.replace(self.shared / f"{self.name}.json")

    def _sums(self) -> Sums:
        sums = Sums()
        if self.shared is None:
            sums.add(self.told(), is_fresh=True)
            return sums
        # What we tell now, whoever is asked next must know too: else a sum would go backwards.
        self.share()
        now = self.engine.clock.now()
        for path in sorted(self.shared.glob("*.json")):
            told = json.loads(path.read_text(encoding="utf-8"))
            sums.add(told, is_fresh=now - told["at"] <= FRESH_MS)
        return sums


class _Written(Collector):
    """Figures as Prometheus has them."""

    def __init__(self, sums: Sums, waiting: Waiting, now: int) -> None:
        self._sums = sums
        self._waiting = waiting
        self._now = now

    def collect(self) -> Iterable[Metric]:
        """Yield every figure."""
        sums, waiting = self._sums, self._waiting
        yield from _commands(sums.meter.commands)
        yield _histogram(
            "commit", "Carrying a command out in the database", {(): sums.meter.commits}
        )
        yield _counter("lease_expiries", "Leases that ran out", sums.meter.lapses)
        yield _counter("stalls", "Units that a lease which ran out has stalled", sums.meter.stalls)
        yield _counter("pruned", "What had grown old and is forgotten", sums.meter.pruned, "what")
        yield CounterMetricFamily(
            "interlock_cache_hits", "Loads answered from memory", value=sums.hits
        )
        yield CounterMetricFamily(
            "interlock_cache_misses", "Loads answered by the database", value=sums.misses
        )
        yield _gauge("cache_bytes", "What is remembered of units", sums.remembered)
        yield CounterMetricFamily(
            "interlock_call_log_lost", "Calls the log of calls has not kept", value=sums.lost
        )
        yield _gauge("streams_open", "Event streams that are open", sums.streams)
        yield _gauge("queue_depth", "Parts that can be claimed", waiting.claimable)
        yield _gauge("gates_open", "Units that wait for a person", waiting.gates)
        age_s = 0.0 if waiting.since is None else max(0, self._now - waiting.since) / 1000
        yield _gauge("gate_age_seconds", "How long the oldest of them has waited", age_s)


def _commands(found: Mapping[tuple[str, str, str], Timing]) -> Iterator[Metric]:
    answered = CounterMetricFamily(
        "interlock_commands", "Commands answered", labels=("command", "channel", "code")
    )
    took: dict[tuple[str, ...], Timing] = {}
    for (name, channel, code), timing in sorted(found.items()):
        answered.add_metric((name, channel, code), sum(timing.counts))
        took.setdefault((name, channel), Timing()).merge(timing.counts, timing.total_s)
    yield answered
    yield _histogram(
        "command", "From the call of a command to its answer", took, "command", "channel"
    )


def _histogram(
    name: str, doc: str, found: Mapping[tuple[str, ...], Timing], *labels: str
) -> HistogramMetricFamily:
    family = HistogramMetricFamily(f"interlock_{name}_seconds", doc, labels=labels)
    ends = [*(str(bound) for bound in BOUNDS_S), "+Inf"]
    for values, timing in found.items():
        buckets = [*zip(ends, accumulate(timing.counts), strict=True)]
        family.add_metric(values, buckets, timing.total_s)
    return family


def _counter(
    name: str, doc: str, found: Mapping[str, int], label: str = "workflow"
) -> CounterMetricFamily:
    family = CounterMetricFamily(f"interlock_{name}", doc, labels=(label,))
    for value, count in sorted(found.items()):
        family.add_metric((value,), count)
    return family


def _gauge(name: str, doc: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"interlock_{name}", doc, value=value)


def _rows(found: object) -> list[Sequence[object]]:
    return [row for row in found if isinstance(row, Sequence)] if isinstance(found, list) else []


def _numbers(found: object) -> list[int]:
    return [int(_figure(one)) for one in found] if isinstance(found, list) else []


def _figure(found: object) -> float:
    return found if isinstance(found, int | float) else 0
