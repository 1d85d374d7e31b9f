"""Checks and duels in random order as a campaign, and the older planted bugs as its bugs.

What each tries is in ``checks``, ``duels`` and ``mission_duels``; here is only the order, on which
store and through how many engines. A planted bug is tried by the check that must notice it.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.store.postgres.store import PostgresStore
from tests.planted.bugs import BUGS, Bug
from tests.races import checks
from tests.races.duels import DUELS
from tests.races.mission_duels import DUELS as MISSION_DUELS
from tests.races.mission_duels import seconded
from tests.races.moves import another
from tests.stage import Stage, opened
from tests.still import START
from tests.torture.frame import Campaign, Leg, Tried
from tools.postgres.binaries import newest
from tools.postgres.server import Server

SMALL: Final = 40
LONG: Final = 20_000
FRESH_EVERY: Final = 20
"""After so many rounds a new database is taken: every check verifies all that is in one."""

POSTGRES_SHARE: Final = 0.25
FINDINGS_MAX: Final = 5
CHECKS: Final = (
    checks.no_part_is_shared,
    checks.copies_have_one_effect,
    checks.a_used_id_takes_no_other_question,
    checks.a_late_result_is_refused_and_kept,
    checks.an_old_decision_is_not_committed,
    checks.counts_are_true,
)
"""Those that leave a stage on which the next can be tried."""

ORDERS: Final = ("first", "second", "at once", "at once", "at once")


class Places:
    """Databases, as many as are wanted, of both kinds."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        """Begin in a folder; a server is started when it is first needed."""
        self._folder, self._stack = folder, stack
        self._server: Server | None = None
        self._made = 0

    def new(self, dialect: str) -> Path | str:
        """Return a place where there is nothing yet."""
        self._made += 1
        if dialect == "sqlite":
            folder = self._folder / f"place{self._made}"
            folder.mkdir()
            return folder / "interlock.db"
        if self._server is None:
            self._server = self._stack.enter_context(Server(newest(), durable=False))
            self._server.create_database("races")
            asyncio.run(PostgresStore.migrate(self._server.url("races"), START))
        name = f"races_{self._made}"
        self._server.create_database(name, "races")
        return self._server.url(name)

    def drop(self, place: Path | str) -> None:
        """Forget a place."""
        if isinstance(place, Path):
            shutil.rmtree(place.parent)
        elif self._server is not None:
            self._server.drop_database(place.rpartition("/")[2].partition("?")[0])


@contextmanager
def places(folder: Path) -> Iterator[Places]:
    """Offer places until the end."""
    with ExitStack() as stack:
        yield Places(folder, stack)


def run(leg: Leg) -> Tried:
    """Try so many in random order, or the check of a planted bug."""
    with places(leg.folder) as around:
        return planted(leg, around) if leg.bug else many(leg, around)


def many(leg: Leg, around: Places) -> Tried:
    """Try so many in random order."""
    chance = Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    findings: list[str] = []
    left = leg.amount
    while left > 0 and len(findings) < FINDINGS_MAX:
        dialect = "postgres" if chance.random() < POSTGRES_SHARE else "sqlite"
        here = min(left, FRESH_EVERY)
        place = around.new(dialect)
        asyncio.run(_some(place, chance, here, counts, faults, findings))
        around.drop(place)
        counts[f"rounds on {dialect}"] += here
        left -= here
    counts["rounds"] = leg.amount - max(left, 0)
    return Tried(dict(counts), dict(faults), findings)


async def _some(
    place: Path | str,
    chance: Random,
    rounds: int,
    counts: Counter[str],
    faults: Counter[str],
    findings: list[str],
) -> None:
    """Play a stretch of rounds on one database."""
    async with opened(place) as stage, another(stage) as second:
        other = seconded(stage, second)
        for _ in range(rounds):
            engine = chance.choice((stage.engine, other))
            what, fight = _drawn(chance, stage, engine)
            counts[what.partition(":")[0]] += 1
            faults["through two engines" if engine is other else "through one engine"] += 1
            try:
                await fight
            except (AssertionError, InterlockError) as exc:
                findings.append(f"{what}: {type(exc).__name__} {str(exc)[:300]}")
                return


def _drawn(chance: Random, stage: Stage, other: Engine) -> tuple[str, Awaitable[object]]:
    """Return what is tried next, by name, and the trial itself."""
    kind = chance.randrange(3)
    if kind == 0:
        check = chance.choice(CHECKS)
        return f"check: {check.__name__}", check(stage, other)
    duels = DUELS if kind == 1 else MISSION_DUELS
    name, order = chance.choice([*duels]), chance.choice(ORDERS)
    return f"duel: {name}, {order}", duels[name].fight(stage, other, order)


def planted(leg: Leg, around: Places) -> Tried:
    """Try a planted bug on every store that it can be planted in."""
    found: list[str] = []
    counts: Counter[str] = Counter()
    for bug in (one for one in BUGS if one.name == leg.bug):
        place = around.new(bug.dialect)
        noticed = asyncio.run(noticed_planted(bug, place))
        around.drop(place)
        counts["rounds"] += 1
        if isinstance(noticed, bug.raises):
            found.append(f"{bug.dialect}, {bug.check.__name__}: {noticed!r:.200}")
    is_all = len(found) == counts["rounds"]
    verdict = f"{leg.bug} is noticed on {len(found)} of {counts['rounds']} stores"
    return Tried(dict(counts), {"planted": counts["rounds"]}, [verdict, *found] if is_all else [])


async def noticed_planted(bug: Bug, where: Path | str) -> Exception | None:
    """Run the check of a bug where it is planted; return how it was noticed."""
    async with opened(where) as stage, bug.plant(stage) as there:
        try:
            # Opened anew: a store may also notice a bug when it is opened.
            async with another(there) as engine:
                await bug.check(replace(there, engine=engine), engine)
        except (AssertionError, InterlockError) as exc:
            return exc
    return None


RACES: Final = Campaign(
    "races", ("P8", "P12", "P13", "P14", "P15", "P16"), "rounds", SMALL, LONG, 500, run
)
