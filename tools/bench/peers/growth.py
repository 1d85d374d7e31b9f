"""Growth: what a step costs in time and bytes in plans of 100, 1,000 and 5,000 steps.

Each plan is played in a database of its own, once it is warm. Of a peer's two modes the one that
runs by itself is taken, which is the quicker one. Whoever takes too long is stopped; then what is
told is how far it came.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median

from tools.bench.measure import wall_s
from tools.bench.peers.arena import Arena
from tools.bench.peers.contest import OURS, WARM, running
from tools.bench.peers.handle import Played
from tools.bench.peers.roster import LINEAR, Peer
from tools.bench.scale import Scale

TIMES = 3


@dataclass(frozen=True, slots=True)
class Grown:
    """What plans of one size came to: the median run; ``done`` is less where the time was over."""

    database: str
    name: str
    steps: int
    done: int
    rate: float
    bytes_per_step: float
    runs: int

    def data(self) -> dict[str, object]:
        """Return it as plain data."""
        return asdict(self)


Run = Callable[[int], tuple[Played, int]]
"""Plays a plan of so many steps; returns what it came to, and the bytes it has cost."""


def growth(arena: Arena, peers: Sequence[Peer], scale: Scale) -> Iterator[Grown]:
    """Measure ourselves and every peer at every size, in turn."""
    runs: dict[str, Run] = {OURS: partial(_ours, arena)}
    for peer in peers:
        runs[dict(peer.modes())[LINEAR]] = partial(_theirs, arena, scale.limit_s, peer)
    for steps in scale.sizes:
        # The largest plan is long enough to be its own average.
        times = 1 if steps == max(scale.sizes) else TIMES
        found: dict[str, list[tuple[Played, int]]] = {name: [] for name in runs}
        for _ in range(times):
            for name, run in runs.items():
                found[name].append(run(steps))
        for name, played in found.items():
            yield _grown(arena.name, name, steps, played)


def _grown(database: str, name: str, steps: int, found: list[tuple[Played, int]]) -> Grown:
    done = min(played.steps for played, _ in found)
    rate = median(played.rate for played, _ in found)
    size = median(cost / played.steps for played, cost in found)
    return Grown(database, name, steps, done, round(rate, 1), round(size, 1), len(found))


def _ours(arena: Arena, steps: int) -> tuple[Played, int]:
    run = arena.runner.run
    with arena.ours() as (agent, url):
        run(agent.play(run(agent.make(WARM)), WARM))
        before = arena.size(url)
        unit = run(agent.make(steps))
        took = wall_s(lambda: run(agent.play(unit, steps)))
        return Played(steps, took), arena.size(url) - before


def _theirs(arena: Arena, limit_s: float, peer: Peer, steps: int) -> tuple[Played, int]:
    url = arena.make()
    with running(peer, LINEAR, url, arena.folder) as handle:
        before = arena.size(url)
        played = handle.go(1, steps, limit_s)
        return played, arena.size(url) - before
