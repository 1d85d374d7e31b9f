"""Copy everything from one database to another: all tables of all tenants, with the proof of it.

The source is locked while it is read. What was copied is compared in three ways before anybody may
work with it: the rows and bytes of every table, the fold of every unit, and that nothing is there
that was not copied. A copy that was killed goes on where it was, as long as nobody has changed
the source. The copy is another database, with an incarnation of its own: what was handed out to
be done before is not taken back there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from interlock.clock import Clock
from interlock.service.engine import Engine
from interlock.service.verify import verify
from interlock.store.moving import CopyDiffers, batches, require_same
from interlock.store.sums import Sums, digest_of
from interlock.store.tables import Row, Table

Tell = Callable[[str, int, int], None]
"""Is told what is done now, how much of it, and how much there is of it."""

SHOWN_MAX: Final = 5


class Source(Protocol):
    """Where everything comes from."""

    incarnation: str
    tables: tuple[Table, ...]
    """In an order in which they can be written."""

    def rows(self, table: Table, skip: int = 0) -> Iterator[Row]:
        """Yield the rows of a table in the order of its key, from a place on."""

    def count(self, table: Table) -> int:
        """Count the rows of a table."""

    def sums(self, tell: Callable[[str, int], None]) -> Sums:
        """Return what every table comes to."""

    def stops(self) -> frozenset[int]:
        """Return the positions in the audit that somebody stands at."""

    def entry_before(self, tenant: str, position: str) -> tuple[str, int] | None:
        """Return the last entry of a tenant up to a position."""


class Target(Protocol):
    """Where everything goes."""

    incarnation: str
    tables: tuple[Table, ...]

    async def begin(self, source: str, digest: str, now: int) -> tuple[str, int]:
        """Begin a copy, or find out how far this one is: in which table, after how many rows."""

    async def add(self, table: Table, rows: Sequence[Row], place: int) -> None:
        """Write a batch, and that so many rows of its table are here now."""

    async def position(self, tenant: str, entry: tuple[str, int] | None) -> str:
        """Return the place in the feed after everything that was copied with an entry."""

    async def sums(self, tables: Sequence[Table], tell: Callable[[str, int], None]) -> Sums:
        """Return what every table comes to."""

    async def finish(self, source: str, now: int, new_id: Callable[[], str]) -> None:
        """Say that the copy is whole."""


class Copied(NamedTuple):
    """What a copy came to; ``resumed`` says how many rows were there before."""

    source: str
    target: str
    tables: Mapping[str, int]
    digest: str
    units: int
    entries: int
    resumed: int


async def copy_rows(source: Source, target: Target, clock: Clock, tell: Tell) -> tuple[Sums, int]:
    """Copy what is not there yet; return what the source comes to, and how many rows were there."""
    require_same(source.tables, target.tables)
    tables = source.tables
    total = sum(source.count(table) for table in tables)
    seen = 0

    def looked(_: str, rows: int) -> None:
        nonlocal seen
        seen += rows
        tell("reading the source", seen, total)

    sums = source.sums(looked)
    relation, place = await target.begin(source.incarnation, digest_of(sums), clock.now())
    names = [table.name for table in tables]
    first = names.index(relation) if relation else 0
    done = resumed = sum(source.count(table) for table in tables[:first]) + place
    stops = source.stops()
    for table in tables[first:]:
        at = place if table.name == relation else 0
        for batch in batches(source.rows(table, at), _ends(table, stops)):
            told = await _moved(source, target, table, batch)
            at += len(batch)
            await target.add(table, told, at)
            done += len(batch)
            tell(f"copying {table.name}", done, total)
    return sums, resumed


def _ends(table: Table, stops: frozenset[int]) -> Callable[[Row], bool]:
    """Say which rows must be the last of their batch: where somebody stands in the audit."""
    if "position" not in table.columns or table.name != "audit":
        return lambda _: False
    column = table.columns.index("position")
    return lambda row: row[column] in stops


async def _moved(
    source: Source, target: Target, table: Table, batch: Sequence[Row]
) -> Sequence[Row]:
    """Return rows as the target has them: a hook goes on after the same entry."""
    if table.name != "hooks":
        return batch
    tenant, position = table.columns.index("tenant"), table.columns.index("position")
    told = []
    for row in batch:
        entry = source.entry_before(str(row[tenant]), str(row[position]))
        place = await target.position(str(row[tenant]), entry)
        told.append((*row[:position], place, *row[position + 1 :]))
    return told


async def compare_rows(source: Source, target: Target, sums: Sums, tell: Tell) -> None:
    """Raise unless every table has the same rows in both."""
    total = sum(one.rows for one in sums.values())
    seen = 0

    def looked(_: str, rows: int) -> None:
        nonlocal seen
        seen += rows
        tell("comparing", seen, total)

    there = await target.sums(source.tables, looked)
    wrong = [
        f"{name} has {there[name].rows} rows"
        + (f" and not {one.rows}" if there[name].rows != one.rows else " that differ")
        for name, one in sorted(sums.items())
        if there[name] != one
    ]
    if wrong:
        message = f"The copy is not what it was made from: {'; '.join(wrong[:SHOWN_MAX])}."
        raise CopyDiffers(message, fix="Copy again into an empty database; report it.")


async def compare_folds(here: Engine, there: Engine, tell: Tell) -> tuple[int, int]:
    """Fold every unit of the copy; raise where that says otherwise than in the source.

    Rows and bytes are known to be the same, so only what does not hold in the copy is folded in
    the source, too: there it must be just as wrong.
    """
    units = entries = 0
    tenants = await there.store.tenants()
    for place, tenant in enumerate(tenants, 1):
        verdict = await verify(there, tenant)
        for finding in verdict.findings:
            known = (await verify(here, tenant, finding.unit)).findings
            if finding not in known:
                message = f"The copy does not hold where the source does: {finding}."
                raise CopyDiffers(message, fix="Copy again into an empty database; report it.")
        units += verdict.units
        entries += verdict.entries
        tell("folding every unit", place, len(tenants))
    return units, entries
