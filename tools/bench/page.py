"""Write ``docs/benchmarks.md`` from the figures of a run: ``python -m tools.bench.page``.

Nothing is measured here and nothing is left out: every figure of the file stands on the page, with
its spread, its goal where it has one, and what is not like for like.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tools.bench.peers.contest import OURS
from tools.bench.peers.roster import PEERS

SOURCE: Final = Path("build/bench.json")
PAGE: Final = Path("docs/benchmarks.md")
NOTICE: Final = "<!-- Made by `make bench` from build/bench.json. Do not edit. -->"

QUICK: Final = """\
**This page was made from a quick run, which only shows that everything runs. Its figures mean
nothing.**"""

HOW: Final = """\
A *step* is what an agent does over and over: get the next step of a plan and submit its result,
each a command with a request id of its own, committed durably (SQLite: WAL with synchronous=FULL;
PostgreSQL: fsync and synchronous_commit on), audited, and with the result kept as an artifact.
Nothing here talks to a model.

A *floor* is the least that anybody could do: a plain loop (SQLite) or pgbench calling a PL/pgSQL
function (PostgreSQL) that writes the same rows with the same bytes into the same tables and decides
nothing. A figure is a *ratio* against a floor or a neighbour that played in the same round; it is
the median of the rounds, and *spread* are its quartiles. *Calm* is the ratio in the rounds in which
the other one did best: a busy machine cannot reach a goal by slowing its floor. Where both do not
agree, the verdict is "unclear". A second goal stands in brackets: the moonshot. Absolute figures
are those of one machine; trust the ratios."""

LIMITS: Final = """\
What keeps a command from the moonshots, as `perf` told on two ARM cores: on SQLite, without a disk,
three fifths of it are the Python interpreter (deciding, spelling the audit, making rows), a fifth
is SQLite, a tenth the system. On PostgreSQL, one after the other, two fifths are Python and the
driver on our side and half is the server, which does the work of the floor and looks up what is
handed out next; the rest is waiting for each other. With 32 plans the two cores are busy with both.
No part of the Python stands out: what is left is its number of calls, some two hundred a
command."""

BESIDE: Final = """\
Steps a second, the median of the rounds with the slowest and the quickest one. Everybody played in
turn in every round, on the same server or the same disk; each peer ran in a process and an
environment of its own, and was held still while others played."""

GENERAL: Final = """\
None of them does what Interlock does in a step, and Interlock does not do what they do: they run
code, it hands work out. So every figure beside a peer is a figure beside something else:

- Ours claims with a lease and a fence, decides by a machine, and writes an audit whose entries are
  chained by hashes, with an idempotent reply: ten rows in two commits a step. None of the peers
  writes an audit or keeps a reply; each writes one or two records a step.
- The modes that are pulled from outside are the nearer ones. Those that run by themselves save the
  whole way between a caller and the work.
- Peers play shorter plans than we and the floors do, because their rate falls with the length of a
  plan; see Growth.
- Everybody is one Python process. Peers play many plans in as many threads, ours in one loop.
- All of them hold the same text as the result of a step. Where it is kept differs.
- SQLite is the system's for the peers and for the floor on sqlite3; ours is the newer one that
  comes with apsw."""

GROWTH: Final = """\
Plans of different length, each in a new database; bytes are all that the database has grown by,
indexes and what the plan itself takes among them."""

AGAIN: Final = """\
`make bench` makes the environments of the peers (`build/peers`, from the hashed locks under
`requirements/peers`), measures everything on an idle machine in about a quarter of an hour, writes
`build/bench.json` and this page. `python -m tools.bench --quick` only sees that it runs;
`python -m tools.bench.page` writes the page again."""

Told = dict[str, Any]


def page(told: Told) -> str:
    """Return the page that tells what a run has found."""
    figures: list[Told] = told["figures"]
    parts = [
        NOTICE, "# Benchmarks", *([QUICK] if told["is_quick"] else []), HOW,
        "## The machine", *_machine(told),
        "## Goals", _table(_JUDGED, (_judged(one) for one in figures if one["goal"] is not None)),
        LIMITS,
        "## Beside other programs", BESIDE, *_contests(told["contests"]),
        "## Growth", GROWTH, *_growth(told["growth"]),
        "## What is not like for like", GENERAL, *(f"### {peer.title}\n\n{peer.told()}"
                                                   for peer in PEERS),
        "## Figures without a goal",
        _table(_PLAIN, (_plain(one) for one in figures if one["goal"] is None)),
        "## Once more", AGAIN,
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) + ("--:",) * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _machine(told: Told) -> Iterator[str]:
    machine, sqlite, postgres = told["machine"], told["sqlite"], told["postgres"]
    rows = [
        ("cores", str(machine["cores"])),
        ("memory", f"{machine['memory_gib']} GiB"),
        ("system", f"{machine['system']}, {machine['architecture']}"),
        ("load when it began", str(machine["load_before"])),
        ("fsyncs a second", _number(sqlite["fsyncs_per_s"])),
        ("Python", machine["python"]),
        ("SQLite", f"{sqlite['version']} (ours), {sqlite['version_of_sqlite3']} (sqlite3)"),
        ("PostgreSQL", postgres["version"]),
        *told["peers"].items(),
        ("the whole run", f"{told['seconds'] / 60:.0f} minutes"),
    ]
    yield _table(("what", "is"), rows)


_JUDGED: Final = ("figure", "value", "floor", "ratio", "spread", "calm", "goal", "verdict")
_PLAIN: Final = _JUDGED[:-2]


def _plain(one: Told) -> tuple[str, ...]:
    value, floor = (f"{_number(one[name])} {one['unit']}" for name in ("value", "floor"))
    spread = one["spread"]
    between = "" if spread is None else f"{spread[0]:.2f} .. {spread[1]:.2f}"
    calm = "" if one["calm"] is None else f"{one['calm']:.2f}"
    return one["name"], value, floor, f"{one['ratio']:.2f}", between, calm


def _judged(one: Told) -> tuple[str, ...]:
    sign = "<=" if one["is_ceiling"] else ">="
    more = "" if one["moonshot"] is None else f" ({one['moonshot']:.2f})"
    return (*_plain(one), f"{sign} {one['goal']:.2f}{more}", one["verdict"])


def _contests(contests: list[Told]) -> Iterator[str]:
    for one in contests:
        plans = one["plans"]
        yield f"### {one['database']}, {plans} plan{'s at once' * (plans > 1)}"
        ours = next(each["median"] for each in one["standings"] if each["name"] == OURS)
        rows = (
            (
                each["name"], _number(each["median"]),
                f"{_number(each['low'])} .. {_number(each['high'])}",
                f"{ours / each['median']:.2f}",
            )
            for each in one["standings"]
        )  # fmt: skip
        yield _table(("who", "steps/s", "rounds", "ours is so many times that"), rows)


def _growth(grown: list[Told]) -> Iterator[str]:
    sizes = sorted({one["steps"] for one in grown})
    for database in dict.fromkeys(one["database"] for one in grown):
        yield f"### Plans that grow, on {database}"
        here = [one for one in grown if one["database"] == database]
        rows = (_grown([one for one in here if one["name"] == name], sizes)
                for name in dict.fromkeys(one["name"] for one in here))  # fmt: skip
        head = [f"{size:,} steps" for size in sizes]
        bytes_head = [f"bytes a step at {size:,}" for size in sizes]
        yield _table(("who", *head, "rate kept", *bytes_head, "bytes grown by"), rows)


def _grown(found: list[Told], sizes: list[int]) -> tuple[str, ...]:
    """Return one entrant's line: rates, bytes, and the largest beside the smallest."""
    by_size = {one["steps"]: one for one in found}
    first, last = by_size[sizes[0]], by_size[sizes[-1]]
    up_to = "" if last["done"] == last["steps"] else " up to there"
    # A plan of few steps may fit into what a database has at hand.
    kept, more = (
        last["rate"] / first["rate"],
        last["bytes_per_step"] / (first["bytes_per_step"] or 1),
    )
    return (
        first["name"],
        *(_rate(by_size[size]) for size in sizes),
        f"{kept:.2f} x{up_to}",
        *(_number(by_size[size]["bytes_per_step"]) for size in sizes),
        f"{more:.1f} x{up_to}",
    )


def _rate(one: Told) -> str:
    rate = f"{_number(one['rate'])}/s"
    if one["done"] == one["steps"]:
        return rate
    return f"more than {one['done'] / one['rate']:.0f} s ({rate} up to step {one['done']:,})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.1f}"  # noqa: PLR2004 (where a tenth says nothing)


def main() -> int:
    """Write the page from the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.page", description=__doc__)
    parser.add_argument("--source", type=Path, default=SOURCE, help="the figures of a run")
    parser.add_argument("--output", type=Path, default=PAGE, help="where the page goes")
    asked = parser.parse_args()
    told: Told = json.loads(asked.source.read_text(encoding="utf-8"))
    asked.output.write_text(page(told), encoding="utf-8")
    print(f"wrote {asked.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
