"""What the rows of tables come to: a digest of rows in their order, and a sum without one.

A backup is known by a digest, which nobody can make fit other rows; it needs one order, so it is
made of a file. A copy is compared by a sum, because two kinds of database need not sort alike.
Which tables and rows there are is in ``tables``.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

import apsw

from interlock.store.rows import Value
from interlock.store.tables import CHUNKS, Row, Tell, read_rows, tables, words

MODULUS: Final = 2**256


class Counted(NamedTuple):
    """How many rows a table has, and a digest of all that is in them."""

    rows: int
    digest: str


def digest(rows: Iterable[Row]) -> Counted:
    """Count rows and digest what is in them; the same rows give the same in either dialect."""
    count, summed = 0, sha256()
    for row in rows:
        count += 1
        summed.update(json.dumps(row, default=_hex, separators=(",", ":")).encode() + b"\n")
    return Counted(count, summed.hexdigest())


def digests(connection: apsw.Connection, tell: Tell = lambda _, __: None) -> dict[str, Counted]:
    """Count and digest every table of a SQLite file, and the words of its index with them."""
    found: dict[str, Counted] = {}
    all_tables = tables(connection)
    for place, table in enumerate(all_tables):
        tell(place, len(all_tables))
        found[table.name] = digest(read_rows(connection, table))
    if CHUNKS in found:
        found["words"] = digest(sorted(words(connection).items()))
    return found


def _hex(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    message = f"a row holds {value!r}"
    raise TypeError(message)


class Sum(NamedTuple):
    """What the rows of a table come to, in whatever order they are added."""

    rows: int = 0
    total: int = 0

    def add(self, row: Sequence[Value]) -> "Sum":
        """Return the sum with one row more."""
        return Sum(self.rows + 1, (self.total + _number(row)) % MODULUS)


Sums = Mapping[str, Sum]


def digest_of(sums: Sums) -> str:
    """Return what stands for everything that is in some tables."""
    lines = (f"{name} {one.rows} {one.total:x}\n" for name, one in sorted(sums.items()))
    return sha256("".join(lines).encode()).hexdigest()


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
