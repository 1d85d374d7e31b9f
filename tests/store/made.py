"""Made-up migrations for tests, and how to apply them to a file and look at what came out."""

from contextlib import closing
from pathlib import Path

import apsw

from interlock.store.dump import dump_sqlite_schema
from interlock.store.migrate import Migration, applied_sqlite, migrate_sqlite

NOW = 1_800_000_000_000

MAKE = """
CREATE TABLE units (id TEXT PRIMARY KEY, status TEXT NOT NULL); -- BEGIN;
CREATE TABLE parts (unit TEXT NOT NULL REFERENCES units (id), number INTEGER NOT NULL);
INSERT INTO units VALUES ('u', 'open'), ('v', 'shut; COMMIT;');
INSERT INTO parts VALUES ('u', 1), ('u', 2);
"""
INDEX = "CREATE INDEX parts_by_unit ON parts (unit); CREATE TABLE notes (text TEXT);"
# The way SQLite's own manual tells to change a table that others refer to.
REBUILD = """
CREATE TABLE new_units (id TEXT PRIMARY KEY, status TEXT NOT NULL CHECK (status <> ''), at INTEGER);
INSERT INTO new_units (id, status) SELECT id, status FROM units;
DROP TABLE units;
ALTER TABLE new_units RENAME TO units;
CREATE TRIGGER units_stay BEFORE DELETE ON units
BEGIN
    SELECT RAISE(ABORT, 'units stay');
END;
"""


def write(folder: Path, dialect: str = "sqlite", **files: str) -> Path:
    """Write migrations in the order given, and return their folder."""
    (folder / dialect).mkdir(parents=True, exist_ok=True)
    for number, (name, text) in enumerate(files.items(), start=1):
        (folder / dialect / f"{number:04d}_{name}.sql").write_text(text, encoding="utf-8")
    return folder


def migrate(path: Path, known: tuple[Migration, ...]) -> tuple[int, ...]:
    """Migrate a file as a program would that has just been started."""
    with closing(apsw.Connection(str(path))) as connection:
        return migrate_sqlite(connection, NOW, known)


def look(path: Path) -> tuple[int, str, object]:
    """Return the version, the schema and the rows of a file that must be sound."""
    with closing(apsw.Connection(str(path))) as connection:
        assert connection.pragma("integrity_check") == "ok"
        applied = applied_sqlite(connection)
        rows = connection.execute("SELECT id, status FROM units ORDER BY id").get if applied else ""
        return len(applied), dump_sqlite_schema(connection), rows
