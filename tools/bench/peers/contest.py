"""The contest: we, the floors and the peers in turn on one database, round by round.

In every round everybody plays; what disturbs a round disturbs all of it. We and the floors play
plans as long as elsewhere in the benchmark, because our rate does not depend on it; peers play
shorter ones, because theirs may.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final

from tools.bench.measure import Figure, Rates, beside, interleaved
from tools.bench.peers.arena import Arena
from tools.bench.peers.handle import Handle, command, started
from tools.bench.peers.roster import Peer
from tools.bench.scale import Scale

OURS: Final = "Interlock"
WARM: Final = 5
"""Steps that are played before anything is measured: everything is loaded then."""

Entrants = Mapping[str, Callable[[], float]]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one entrant did: the median of the rounds and both ends."""

    name: str
    median: float
    low: float
    high: float
    rates: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Contest:
    """What a contest came to."""

    database: str
    plans: int
    standings: tuple[Standing, ...]

    def data(self) -> dict[str, object]:
        """Return it as plain data."""
        return asdict(self)


class Contenders:
    """The peers, each running on a database of its own in both modes."""

    def __init__(self, handles: Mapping[str, Handle], scale: Scale) -> None:
        """Take those that run, by what they are called."""
        self._handles, self._scale = handles, scale

    @property
    def versions(self) -> dict[str, str]:
        """Which version of each was measured."""
        return {name.partition(",")[0]: one.version for name, one in self._handles.items()}

    def one(self) -> Entrants:
        """Return what lets each play one plan."""
        return self._entrants(1, self._scale.peer_steps)

    def many(self) -> Entrants:
        """Return what lets each play many plans at the same time."""
        return self._entrants(self._scale.many, self._scale.each)

    def _entrants(self, plans: int, steps: int) -> Entrants:
        def entrant(one: Handle) -> Callable[[], float]:
            return lambda: one.go(plans, steps, self._scale.limit_s).rate

        return {name: entrant(one) for name, one in self._handles.items()}


@contextmanager
def contenders(arena: Arena, peers: Sequence[Peer], scale: Scale) -> Iterator[Contenders]:
    """Start every peer in both modes; none of them runs while another is measured."""
    with ExitStack() as stack:
        handles: dict[str, Handle] = {}
        for peer in peers:
            for mode, name in peer.modes():
                handles[name] = stack.enter_context(running(peer, mode, arena.make(), arena.folder))
        yield Contenders(handles, scale)


@contextmanager
def running(peer: Peer, mode: str, url: str, parent: Path) -> Iterator[Handle]:
    """Start a peer on a database and let it play a little."""
    folder = parent / f"{peer.name}-{mode}"
    folder.mkdir(exist_ok=True)
    with started(command(peer, mode, url), folder) as handle:
        handle.go(1, WARM, 60)
        yield handle


def contest(
    database: str, plans: int, entrants: Entrants, rounds: int
) -> tuple[Contest, list[Figure]]:
    """Let everybody play; return how they did, and us beside each."""
    found = interleaved(entrants, rounds)
    standings = tuple(_standing(name, found) for name in entrants)
    what = f"{database}, {plans} plan{'s' * (plans > 1)}"
    figures = [
        beside(f"{what} beside {name}", found, OURS, name, unit="steps/s")
        for name in entrants
        # Beside the floors we are measured elsewhere, with goals.
        if name != OURS and "floor" not in name
    ]
    return Contest(database, plans, standings), figures


def _standing(name: str, rounds: list[Rates]) -> Standing:
    rates = [round(one[name], 1) for one in rounds]
    return Standing(name, round(median(rates), 1), min(rates), max(rates), tuple(rates))
