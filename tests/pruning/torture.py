"""Databases of any age that are pruned, as a campaign."""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from interlock.service.engine import Engine
from interlock.service.retention import Keeping, prune
from interlock.service.verify import wrong_chain
from interlock.store.sqlite.session import Row, Session, Values
from interlock.store.sqlite.store import SqliteStore
from tests.copying.filled import filled
from tests.pruning.aged import age, differences, kept, rows
from tests.ready import ready_flows
from tests.stage import AWAY, HOME
from tests.still import START, StillClock
from tests.torture.frame import Campaign, Leg, Tried

COMMANDS: Final = 6
DAYS: Final = (0, 2, 10, 30, 60)


def run(leg: Leg) -> Tried:
    """Prune so many databases, each of another age and by other settings."""
    chance = random.Random(leg.seed)  # noqa: S311 (repeatable on purpose)
    counts: Counter[str] = Counter()
    findings: list[str] = []
    ready = asyncio.run(filled(leg.folder / "ready.db", leg.seed, COMMANDS))
    with planted(leg.bug):
        for number in range(leg.amount):
            path = Path(shutil.copy(ready, leg.folder / f"{number}.db"))
            age(path, chance, START)
            # A bug must have something to take.
            days = [2] * 5 if leg.bug else chance.choices(DAYS, k=5)
            keeping = Keeping(*days)
            before = rows(path)
            gone = asyncio.run(_pruned(path, keeping, findings))
            findings += differences(kept(before, keeping, START), rows(path))
            counts["prunings"] += 1
            counts.update({f"{what} forgotten": count for what, count in gone.items()})
    return Tried(dict(counts), {}, findings)


async def _pruned(path: Path, keeping: Keeping, findings: list[str]) -> dict[str, int]:
    """Prune a file; chains hold afterwards, and dry nothing went before."""
    clock = StillClock()
    store = SqliteStore(path, clock, "off", sees_deleted=True)
    try:
        engine = Engine(store, clock, ready_flows())
        told = await prune(engine, keeping, is_dry=True)
        gone = await prune(engine, keeping)
        if told != gone:
            findings.append(f"dry it said {told}, and {gone} went")
        for tenant in (HOME, AWAY):
            for one in await store.units(tenant, "", None, 1_000):
                entries = await store.audit(tenant, one.row.id, 0, 10_000)
                findings += [str(wrong) for wrong in wrong_chain(one.row.id, tenant, [*entries])]
        return gone
    finally:
        await store.close()


@contextmanager
def planted(bug: str) -> Iterator[None]:
    """Have a bug planted for a while."""
    was = Session.rows, Session.change
    if bug:
        BUGS[bug]()
    try:
        yield
    finally:
        Session.rows, Session.change = was  # type: ignore[method-assign]  # planted here alone


def _prune_the_living() -> None:
    """Ask for the age alone where replies are forgotten."""
    rows_was, change_was = Session.rows, Session.change

    def found(self: Session, name: str, values: Values) -> Iterator[Row]:
        if name != "old_replies":
            return rows_was(self, name, values)
        sql = "SELECT tenant, principal, request FROM replies WHERE at < ? LIMIT ?"
        return iter(self._connection.execute(sql, (values["before"], values["limit"])).fetchall())  # type: ignore[arg-type]  # rows

    def change(self: Session, name: str, values: Values) -> int:
        if name != "prune_replies":
            return change_was(self, name, values)
        sql = "DELETE FROM replies WHERE tenant = ? AND principal = ? AND request = ?"
        names = ("tenant", "principal", "request")
        self._connection.execute(sql, tuple(values[one] for one in names))
        return self._connection.changes()

    Session.rows, Session.change = found, change  # type: ignore[method-assign]  # same


def _prune_the_newest() -> None:
    """Take content whatever has it."""
    change_was = Session.change

    def change(self: Session, name: str, values: Values) -> int:
        if name == "prune_contents":
            sql = "UPDATE contents SET bytes = x'', pruned_at = ? WHERE tenant = ?"
            self._connection.execute(sql, (values["now"], values["tenant"]))
        return change_was(self, name, values)

    Session.change = change  # type: ignore[method-assign]  # same


BUGS: Final[dict[str, Callable[[], None]]] = {
    "retention prunes a live unit's reply": _prune_the_living,
    "retention prunes the newest version": _prune_the_newest,
}

PRUNINGS: Final = Campaign("retention", ("P14", "P17"), "prunings", 5, 200, 20, run)
