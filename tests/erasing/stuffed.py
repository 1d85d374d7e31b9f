"""A tenant with a word of its own in every text it has: written behind the program's back.

Every column of every table that holds text or bytes gets it, but for names that rows are known by;
so does the index of words. A table that is added later is stuffed, too.
"""

import random
import string
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw

NAMES: Final = frozenset({
    "tenant", "id", "unit", "document", "hook", "person", "digest", "hash", "head", "status", "kind",
    "role", "policy", "scopes", "workflow",
})  # fmt: skip
"""Columns whose values are ours, or known elsewhere."""

LENGTH: Final = 24
CUT: Final = 3
"""An index of words leaves out what a word begins with, if the one before begins alike."""


def new_canary(chance: random.Random) -> str:
    """Return a word that nobody else says."""
    return "".join(chance.choices(string.ascii_lowercase, k=LENGTH))


def needle(canary: str) -> bytes:
    """Return what is looked for in files."""
    return canary[CUT:].encode()


def tables(file: apsw.Connection) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield every table with the names and types of its columns."""
    listed = file.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"
    ).fetchall()
    for (name,) in listed:
        if not str(name).startswith("sqlite_"):
            told = file.execute("SELECT name, type FROM pragma_table_info(?)", (name,)).fetchall()
            yield str(name), [(str(column), str(kind)) for column, kind in told]


def stuff(path: Path, tenant: str, canary: str) -> int:
    """Write a word into everything that a tenant has; return into how many columns."""
    stuffed = 0
    with closing(apsw.Connection(str(path))) as file, _unguarded(file):
        for name, columns in [*tables(file)]:
            if "tenant" not in dict(columns):
                continue
            for column, kind in columns:
                if kind in ("TEXT", "BLOB") and column not in NAMES:
                    cast = " AS BLOB" if kind == "BLOB" else " AS TEXT"
                    file.execute(
                        f'UPDATE "{name}" SET "{column}" = CAST("{column}" || ?{cast})'  # noqa: S608 (from the catalogue)
                        " WHERE tenant = ?",
                        (canary, tenant),
                    )
                    stuffed += file.changes() > 0
        file.execute("UPDATE tenants SET name = ? WHERE id = ?", (canary, tenant))
        for number, text in file.execute(
            "SELECT id, text FROM chunks WHERE tenant = ?", (tenant,)
        ).fetchall():
            # Taken out and put in again: what is taken out is only marked.
            file.execute("DELETE FROM chunk_words WHERE rowid = ?", (number,))
            file.execute(
                "INSERT INTO chunk_words (rowid, owner, words) VALUES (?, ?, ?)",
                (number, f"t{number}", f"{text} {canary}"),
            )
    return stuffed


@contextmanager
def _unguarded(file: apsw.Connection) -> Iterator[None]:
    """Take the triggers away for a while, as somebody who owns the file can."""
    triggers = file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        file.execute(f'DROP TRIGGER "{name}"')
    yield
    for _, sql in triggers:
        file.execute(str(sql))
