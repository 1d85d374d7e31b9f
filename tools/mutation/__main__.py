"""Run mutmut over groups of modules and judge what came of it; writes ``build/mutation.json``.

Ends with 1 if less than 85 % of a group was caught, or a survivor has no reason given, or a
reason no survivor. ``--told`` runs nothing and judges what was tried before.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from tools.mutation.groups import Group, groups
from tools.mutation.report import WANTED, Result, judged, table
from tools.mutation.survivors import reasons
from tools.mutation.verdicts import mutants
from tools.mutation.workshop import Workshop

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "mutation"
MUTMUT: Final = FOLDER / ".venv" / "bin" / "mutmut"
OUTPUT: Final = ROOT / "build" / "mutation.json"


def main() -> int:
    """Try each group in turn, then say how it went."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="group", help=f"of {', '.join(groups())}")
    parser.add_argument("--workers", type=int, default=1, help="mutants tried at once")
    parser.add_argument(
        "--patience", type=float, default=10, help="times as long as usual: more if it is busy"
    )
    parser.add_argument("--anew", action="store_true", help="forget what was tried before")
    parser.add_argument("--told", action="store_true", help="run nothing")
    asked = parser.parse_args()
    known = groups()
    unknown = set(asked.names) - set(known)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    chosen = [known[name] for name in asked.names] or list(known.values())
    results = []
    for group in chosen:
        if not asked.told:
            _try(group, asked)
        results.append(_judge(group))
        _keep(results)
        print("\n".join(table(results[-1])), flush=True)
    is_good = all(one.is_good for one in results)
    wanted = f"{WANTED:.0f} % of each group caught, all tried, every survivor explained"
    told = wanted if is_good else f"not good enough; wanted: {wanted}"
    print(f"{told}; see {OUTPUT.relative_to(ROOT)}")
    return 0 if is_good else 1


def _try(group: Group, asked: argparse.Namespace) -> None:
    shop = Workshop(ROOT, FOLDER / group.name)
    if asked.anew:
        shop.clear()
    shop.lay_out(group, asked.patience)
    print(f"{group.name}: setting up", flush=True)

    def look() -> None:
        print(f"{group.name}: {shop.progress()}", flush=True)

    if shop.run(MUTMUT, asked.workers, look):
        lines = [line.rpartition("\r")[2] for line in shop.log().split("\n")]
        print("mutmut failed:", *lines[-40:], sep="\n", file=sys.stderr)


def _judge(group: Group) -> Result:
    found = list(mutants(Workshop(ROOT, FOLDER / group.name)))
    return judged(group.name, found, reasons(group.name))


def _keep(results: list[Result]) -> None:
    """Write the figures; those of groups that were not asked for stay as they are."""
    told = json.loads(OUTPUT.read_text(encoding="utf-8")) if OUTPUT.exists() else {}
    told.update({one.group: one.data() for one in results})
    OUTPUT.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
