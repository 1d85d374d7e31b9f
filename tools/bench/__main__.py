"""Run the benchmark: print a table, write ``build/bench.json``; ``--quick`` only sees it run."""

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from tools.bench.machine import machine
from tools.bench.peers.roster import PEERS, installed
from tools.bench.report import table, verdicts, write
from tools.bench.scale import FULL, QUICK
from tools.bench.whole import measure
from tools.stopping import heed_signals

OUTPUT: Final = Path("build/bench.json")


def main() -> int:
    """Measure everything once and tell it."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="tiny counts: see that it runs")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figures go")
    asked = parser.parse_args()
    heed_signals()
    begun = time.monotonic()
    scale = QUICK if asked.quick else FULL
    stands_on, peers = machine(), installed()
    for peer in PEERS:
        if peer not in peers:
            print(f"{peer.title} is left out: `make bench` makes its environment", flush=True)

    def say(text: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  measuring {text} ...", flush=True)

    figures, facts = measure(scale, say, peers)
    facts |= {"machine": stands_on, "is_quick": asked.quick}
    facts |= {"seconds": round(time.monotonic() - begun, 1)}
    write(asked.output, figures, facts)
    print()
    for line in table(figures):
        print(line)
    print(f"\n{verdicts(figures)}; wrote {asked.output} after {facts['seconds']} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
