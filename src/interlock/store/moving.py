"""Tables on their way to another database: what is moved, in which order, and how it is compared.

What tables there are is asked of the database itself, so nothing that is added later can be
forgotten. Rows are compared by a sum that does not depend on their order: the two kinds of
database need not sort alike. Who reads and who writes is elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from interlock.store.errors import StoreError
from interlock.store.rows import Value

Row = tuple[Value, ...]

OWN: Final = frozenset({"copies", "incarnations", "migrations"})
"""What a database says of itself: it is not moved."""

ANEW: Final[Mapping[str, frozenset[str]]] = {
    "audit": frozenset({"position", "xid"}),
    "chunks": frozenset({"id", "words"}),
}
"""Columns that each kind of database makes by itself."""

TOLD_ANEW: Final[Mapping[str, frozenset[str]]] = {"hooks": frozenset({"position"})}
"""Columns that are in both and mean a place in one of them."""

# A hook stands at a place in the audit, so the audit must be there before it.
BEFORE: Final[Mapping[str, frozenset[str]]] = {"hooks": frozenset({"audit"})}

ROWS_MAX: Final = 500
BYTES_MAX: Final = 4 * 1024 * 1024
MODULUS: Final = 2**256


class CopyRefused(StoreError):
    """One of the two databases is not as it must be for a copy."""

    code = "COPY_REFUSED"
    http = 409


class CopyUnfinished(StoreError):
    """The database is a copy that has not been finished; nobody may work with it."""

    code = "COPY_UNFINISHED"
    http = 503


class CopyDiffers(StoreError):
    """The copy is not what it was made from."""

    code = "COPY_DIFFERS"
    http = 500


class Table(NamedTuple):
    """A table: its columns, those of its key, and the tables that its rows refer to."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    needs: frozenset[str]

    @property
    def owner(self) -> str:
        """The column that says whose a row is; none where it is nobody's."""
        if self.name == "tenants":
            return "id"
        return "tenant" if "tenant" in self.columns else ""

    @property
    def compared(self) -> tuple[str, ...]:
        """The columns that must be the same in both databases, by name."""
        apart = ANEW.get(self.name, frozenset()) | TOLD_ANEW.get(self.name, frozenset())
        return tuple(sorted(name for name in self.columns if name not in apart))


class Sum(NamedTuple):
    """What the rows of a table come to, in whatever order they are added."""

    rows: int = 0
    total: int = 0

    def add(self, row: Sequence[Value]) -> "Sum":
        """Return the sum with one row more."""
        return Sum(self.rows + 1, (self.total + _number(row)) % MODULUS)


Sums = Mapping[str, Sum]


def digest(sums: Sums) -> str:
    """Return what stands for everything that is in some tables."""
    lines = (f"{name} {one.rows} {one.total:x}\n" for name, one in sorted(sums.items()))
    return sha256("".join(lines).encode()).hexdigest()


def in_order(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Return tables so that each comes after those that its rows refer to."""
    left = {one.name: one for one in tables}
    done: list[Table] = []
    while left:
        free = [
            name
            for name, one in sorted(left.items())
            if not ((one.needs | BEFORE.get(name, frozenset())) - {name}) & left.keys()
        ]
        if not free:
            raise CopyRefused(f"These tables need each other: {', '.join(sorted(left))}.")
        done += [left.pop(name) for name in free]
    return tuple(done)


def require_same(source: Iterable[Table], target: Iterable[Table]) -> None:
    """Raise unless both have the same tables with the same columns, but for those made anew."""
    ours, theirs = ({one.name: _shared(one) for one in some} for some in (source, target))
    if ours != theirs:
        wrong = sorted(name for name in ours | theirs if ours.get(name) != theirs.get(name))
        message = f"The two databases do not have the same {', '.join(wrong)}."
        raise CopyRefused(message, fix="Use the same program for both; run `interlock db migrate`.")


def _shared(table: Table) -> frozenset[str]:
    return frozenset(table.columns) - ANEW.get(table.name, frozenset())


def batches(rows: Iterable[Row], is_end: Callable[[Row], bool]) -> Iterator[list[Row]]:
    """Yield rows in batches of bounded size; some rows are the last of theirs in any case."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(one) for one in row if isinstance(one, str | bytes))
        if len(batch) >= ROWS_MAX or size >= BYTES_MAX or is_end(row):
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _number(row: Sequence[Value]) -> int:
    """Return a number for a row that no other row has."""
    told = sha256()
    for value in row:
        match value:
            case None:
                told.update(b"-")
            case bytes():
                told.update(b"b%d:" % len(value))
                told.update(value)
            case str():
                text = value.encode("utf-8", "surrogatepass")
                told.update(b"t%d:" % len(text))
                told.update(text)
            case _:
                told.update(b"n%d:" % value)
    return int.from_bytes(told.digest(), "big")
