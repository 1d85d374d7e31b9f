"""Run the soak: print how it went, write ``build/soak.json``, end with 1 if something grows."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from tools.bench.machine import machine
from tools.soak.judge import MIB, Sample, judge, table
from tools.soak.leaky import LEAKS
from tools.soak.load import WARM
from tools.soak.run import STORES, Soak, soak
from tools.stopping import heed_signals

OUTPUT: Final = Path("build/soak.json")


def main() -> int:
    """Soak each store in turn and judge it."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="how long, on each store")
    parser.add_argument("--every", type=float, default=10, help="seconds between two looks")
    parser.add_argument("--rate", type=float, default=60, help="commands a second")
    parser.add_argument("--warm", type=int, default=WARM, help="commands before the first look")
    parser.add_argument("--store", choices=STORES, help="only this one")
    parser.add_argument("--plant", choices=LEAKS, default="", help="with a leak, to see it found")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where everything goes")
    asked = parser.parse_args()
    heed_signals()
    how = Soak(60 * asked.minutes, asked.every, asked.rate, asked.plant, asked.warm)
    told: dict[str, object] = {"machine": machine(), "leak": how.leak, "per_s": how.per_s}
    is_flat = True
    for store in [asked.store] if asked.store else STORES:
        told_first = f"after it has its fill and {how.warm:,} commands as fast as they go"
        print(f"soaking {store} for {asked.minutes:g} minutes, {told_first} ...", flush=True)
        samples = soak(store, how, _progress)
        verdicts = judge(samples, store)
        is_flat = is_flat and all(one.is_met for one in verdicts)
        told[store] = {
            "samples": [one.data() for one in samples],
            "verdicts": [one.data() for one in verdicts],
        }
        print("\n".join(table(samples, verdicts)), flush=True)
        # After each of them: whoever stops the second still has the first.
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        asked.output.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    print(f"{'flat' if is_flat else 'not shown to be flat'}; wrote {asked.output}")
    return 0 if is_flat else 1


def _progress(one: Sample) -> None:
    told = f"{one.commands:,} commands, {one.memory / MIB:.1f} MiB, p99 {one.p99_ms:.0f} ms"
    print(f"{one.at_s:6.0f} s  {told}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
