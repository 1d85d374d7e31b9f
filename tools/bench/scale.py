"""How much is measured: enough to trust the ratios, or just enough to see that it runs."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """Rounds, and what is played in each of them. ``many`` plans at once play ``each`` steps."""

    rounds: int
    steps: int
    many: int
    each: int
    # A client of pgbench begins anew every time: it is given longer, until that does not show.
    floor_steps: int
    floor_each: int
    fsyncs: int
    # Connections that one process of ours keeps to PostgreSQL.
    pool: int
    # Growth: windows of a large plan beside so many steps of small ones.
    large: int
    small: int
    window: int
    windows: int
    # How many units a store holds, and how many are touched in a round.
    crowd: int
    few: int
    touched: int
    # A mission of so many hops, and hops of so many chained steps; windows at both ends of each.
    hops: int
    hop_window: int
    chain: int
    chain_window: int
    chains: int
    # Calls over MCP in a round, and how many callers share them.
    calls: int
    callers: int
    # How many follow the stream of events.
    readers: int
    # How many units a board has, and how many parts the unit whose page is measured.
    tiles: int
    page_parts: int
    # Tickets built one after the other, and so many at once.
    builds: int
    tickets: int
    # Peers: rounds, the steps of their one plan, the sizes at which growth is looked at, and how
    # long a run may last.
    peer_rounds: int
    peer_steps: int
    sizes: tuple[int, ...]
    limit_s: float
    # The kernel alone: plans a round, by entrant.
    kernel_rounds: int
    kernel_plans: dict[str, int]
    checked_steps: int


FULL: Final = Scale(
    rounds=9, steps=400, many=32, each=20, floor_steps=800, floor_each=100,
    fsyncs=150, pool=32,
    large=5_000, small=100, window=400, windows=7,
    crowd=100_000, few=1_000, touched=40,
    hops=200, hop_window=20, chain=50, chain_window=10, chains=9,
    calls=800, callers=8, readers=200,
    tiles=10_000, page_parts=1_000,
    builds=3, tickets=20,
    peer_rounds=3, peer_steps=100, sizes=(100, 1_000, 5_000), limit_s=60,
    kernel_rounds=15, kernel_plans={"ours": 200, "transitions": 60, "statemachine": 6},
    checked_steps=3,
)  # fmt: skip

QUICK: Final = Scale(
    rounds=1, steps=4, many=3, each=2, floor_steps=4, floor_each=2,
    fsyncs=2, pool=2,
    large=8, small=2, window=4, windows=1,
    crowd=20, few=10, touched=2,
    hops=6, hop_window=2, chain=6, chain_window=2, chains=1,
    calls=4, callers=2, readers=3,
    tiles=4, page_parts=5,
    builds=1, tickets=1,
    peer_rounds=1, peer_steps=3, sizes=(2, 4), limit_s=60,
    kernel_rounds=1, kernel_plans={"ours": 20, "transitions": 6, "statemachine": 1},
    checked_steps=1,
)  # fmt: skip
