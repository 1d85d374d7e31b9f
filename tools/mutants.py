"""Take every row out of every workflow, one at a time, and see that a check or a story notices.

A row that nobody misses is a survivor. Survivors are compared with ``tools/survivors.toml``,
which gives the reason for each: one that is not listed there, or one listed that is killed by
now, fails the run. ``python -m tools.mutants [--sample N] [--seed S] [NAME ...]``.
"""

import argparse
import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interlock.errors import InterlockError
from interlock.kernel.check.report import check
from interlock.kernel.check.scope import Scope
from interlock.kernel.rows import Row, rows
from interlock.kernel.workflow import Workflow
from interlock.workflows.built_in import WORKFLOWS
from interlock.workflows.mission.scope import scope as mission_scope
from interlock.workflows.plan.scope import scope as plan_scope
from interlock.workflows.ticket.scope import scope as ticket_scope
from tests.workflows.mission.stories import broken as mission_broken
from tests.workflows.plan.stories import broken as plan_broken
from tests.workflows.ticket.stories import broken as ticket_broken

SURVIVORS: Final = Path(__file__).with_name("survivors.toml")
SHOWN: Final = 80
"""How much of a row and of what missed it is shown, in characters."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What notices that a row of one workflow is missing: stories first, they are fast."""

    broken: Callable[[Workflow], list[str]]
    scope: Callable[[Workflow], Scope]


SUBJECTS: Final[Mapping[str, Subject]] = {
    "plan": Subject(plan_broken, lambda flow: plan_scope(2, flow)),
    "mission": Subject(mission_broken, lambda flow: mission_scope(1, flow)),
    "ticket": Subject(ticket_broken, lambda flow: ticket_scope(1, flow)),
}


def killer(name: str, row: Row) -> str:
    """Say who noticed that the row is missing; the empty string if nobody did."""
    subject = SUBJECTS[name]
    try:
        flow = row.without()
    except InterlockError as refused:
        return f"refused: {refused.message}"
    failed = subject.broken(flow)
    if failed:
        return f"story: {failed[0]}"
    found = check(subject.scope(flow)).findings
    return f"check: {found[0].finding.kind} {found[0].finding.where}" if found else ""


def chosen(names: Iterable[str], sample: int, seed: int) -> list[tuple[str, Row]]:
    """Return the rows to take out: all, or a seeded sample of them."""
    every = [(name, row) for name in names for row in rows(WORKFLOWS[name])]
    if not sample or sample >= len(every):
        return every
    return random.Random(seed).sample(every, sample)  # noqa: S311  no secret


def reasons() -> dict[str, str]:
    """Return the known survivors with the reason for each."""
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))
    return {f"{flow}: {row}": why for flow, known in listed.items() for row, why in known.items()}


def run(picked: list[tuple[str, Row]], *, is_all: bool) -> list[str]:
    """Take the rows out one by one; return what is wrong with the list of survivors."""
    known = reasons()
    begun = time.monotonic()
    survivors: set[str] = set()
    for name, row in picked:
        by = killer(name, row)
        if not by:
            survivors.add(f"{name}: {row.name}")
        head = "killed  " if by else "SURVIVED"
        print(f"{head} {_cut(f'{name}: {row.name}'):<{SHOWN}}  {_cut(by)}".rstrip(), flush=True)
    killed = len(picked) - len(survivors)
    took = time.monotonic() - begun
    print(f"\n{killed} of {len(picked)} rows are missed when they are gone; took {took:.0f} s")
    wrong = [f"survives without a reason: {one}" for one in sorted(survivors - known.keys())]
    tried = {f"{name}: {row.name}" for name, row in picked}
    stale = (known.keys() & tried) - survivors
    if is_all:
        stale |= known.keys() - tried
    return wrong + [f"listed as a survivor but is not one: {one}" for one in sorted(stale)]


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="workflows; all of them if none is named")
    parser.add_argument("--sample", type=int, default=0, help="only so many rows, chosen by chance")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in SUBJECTS:
            parser.error(f"there is no workflow {name!r}; known: {', '.join(SUBJECTS)}")
    names = given.names or list(SUBJECTS)
    is_all = not given.sample and set(names) == set(SUBJECTS)
    wrong = run(chosen(names, given.sample, given.seed), is_all=is_all)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
