"""Looks at what a power cut left: all that was answered is there, and nothing is half there.

The image is opened by the real store, as a restart does. Many images of one recording hold the
same units, so what was found of a unit is kept by the digest of all its rows.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import apsw

from interlock.clock import SystemClock
from interlock.errors import InterlockError
from interlock.service.engine import Engine
from interlock.service.verify import verify
from interlock.store.chain import Link
from interlock.store.sqlite.store import SqliteStore
from tests.crash.child import RUNNING
from tests.crash.intents import TENANT
from tests.crash.journal import Line
from tests.crash.judge import Effect, acked, compare, handed_in, parted

Rows = list[tuple[object, ...]]
Tables = dict[str, Rows]

SOUND: Final = [("ok",)]
OF_UNITS: Final = """
SELECT t.name, c.cid FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
WHERE t.type = 'table' AND c.name = CASE t.name WHEN 'units' THEN 'id' ELSE 'unit' END
"""
"""Every table whose rows belong to units, and the place in a row that says to which."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What was found of a unit whose rows are exactly these."""

    effects: list[Effect]
    findings: list[str]


@dataclass(slots=True)
class Auditor:
    """Looks at images, one after the other."""

    images: int = 0
    verified: int = 0
    _known: dict[int, Unit] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)

    async def look(
        self, file: Path, journal: Mapping[str, Line], *, is_thorough: bool = False
    ) -> list[str]:
        """Open an image and return what is wrong with it, given what clients knew by then."""
        self.images += 1
        clock = SystemClock()
        try:
            store = SqliteStore(file, clock)
        except InterlockError as error:
            return [f"it cannot be opened: {error}"]
        try:
            found = _check(store._reader, is_thorough=is_thorough)
            if found:
                return found
            self._places = self._places or dict(store._reader.execute(OF_UNITS))
            tables = {name: _rows(store._reader, name) for name in self._places}
            units = await self._units(Engine(store, clock, RUNNING), tables)
        except (InterlockError, apsw.Error) as error:
            return [f"it cannot be read: {error!r}"]
        finally:
            await store.close()
        found = [finding for unit in units for finding in unit.findings]
        effects = [effect for unit in units for effect in unit.effects]
        found += compare(effects, journal)
        return [*found, *_halves(effects, tables, journal)]

    async def _units(self, engine: Engine, tables: Tables) -> list[Unit]:
        """Verify each unit whose rows were not seen before."""
        of_unit: dict[str, dict[str, Rows]] = defaultdict(lambda: defaultdict(list))
        for name, rows in tables.items():
            place = self._places[name]
            for row in rows:
                of_unit[str(row[place])][name].append(row)
        found = []
        for unit, own in of_unit.items():
            digest = hash((unit, *((name, *rows) for name, rows in own.items())))
            if digest not in self._known:
                self.verified += 1
                wrong = (await verify(engine, TENANT, unit)).findings
                self._known[digest] = Unit(_effects(unit, own["audit"]), [*map(str, wrong)])
            found.append(self._known[digest])
        return found


def _check(connection: apsw.Connection, *, is_thorough: bool) -> list[str]:
    """Have SQLite look at its own structures."""
    if not is_thorough:
        told = connection.execute("PRAGMA quick_check").fetchall()
        return [] if told == SOUND else [f"it is corrupt: {told}"]
    told = connection.execute("PRAGMA integrity_check").fetchall()
    loose = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [] if told == SOUND and not loose else [f"it is corrupt: {told} {loose}"]


def _rows(connection: apsw.Connection, table: str) -> Rows:
    return [*connection.execute(f"SELECT * FROM {table}")]  # noqa: S608 (our own names)


def _effects(unit: str, audit: Rows) -> list[Effect]:
    # By number: the order of the rows themselves is the order of all units.
    ordered = sorted(audit, key=lambda row: int(str(row[3])))
    links = (Link(*_link(row)) for row in ordered)
    return list(parted(unit, links))


def _link(row: tuple[object, ...]) -> tuple[int, int, str, str]:
    _, _, _, sequence, at, body, digest = row
    return int(str(sequence)), int(str(at)), str(body), str(digest)


def _halves(effects: list[Effect], tables: Tables, journal: Mapping[str, Line]) -> Iterator[str]:
    """Find what has its entry and not its reply or its result, or the other way round."""
    replies = {str(row[2]): str(row[5]) for row in tables["replies"]}
    happened = {effect.request for effect in effects}
    for name in happened ^ set(replies):
        yield f"{name} is half there: {'no entry' if name in replies else 'no reply'}"
    kept = {(row[1], row[2], row[5]) for row in tables["artifacts"]}
    for name, intent, text in acked(journal):
        if replies.get(name, text) != text:
            yield f"{name} was answered with {text}, and the reply that is kept is {replies[name]}"
        is_due = intent.command in ("submit", "pass_on") and name in happened
        if is_due and handed_in(intent) not in kept:
            yield f"{name} is half there: no result"
