"""Gates on a SQLite file: those that stood open before there were rows are opened once."""

from contextlib import closing
from pathlib import Path

import apsw

from interlock.store.migrate import migrate_sqlite, read_migrations
from tests.store.made import NOW

BEFORE = """
INSERT INTO tenants (id, name, created_at) VALUES ('t', 'T', 1);
INSERT INTO units (tenant, id, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at)
VALUES ('t', 'w-1', 'w', 'd', 'awaiting_review', 7, 'h', 2, '', '{}', '{}', 1, 42);
INSERT INTO parts (tenant, unit, number, kind, status, ord, waits, feeds, branches, holder, fence,
    lapsed, fields)
VALUES ('t', 'w-1', 1, 'job', 'awaiting_input', 1, 0, 0, 0, NULL, 1, 0, '{}'),
    ('t', 'w-1', 2, 'job', 'pending', 2, 0, 0, 0, NULL, 0, 0, '{}');
INSERT INTO contents (tenant, digest, size, bytes)
VALUES ('t', 'old', 1, x'61'), ('t', 'new', 1, x'62');
INSERT INTO artifacts (tenant, unit, part, name, version, digest, media_type, mark, author, at)
VALUES ('t', 'w-1', 1, 'review', 1, 'old', 'application/json', '', 'a', 1),
    ('t', 'w-1', 1, 'review', 2, 'new', 'application/json', '', 'a', 1);
"""
ROW = ("w-1.1:7", "w-1", 1, "job", "awaiting_input", "new", "", 42, "migration", None)


def test_what_stood_at_a_gate_before_there_were_rows_gets_one(tmp_path: Path) -> None:
    known = read_migrations("sqlite")
    place = next(n for n, one in enumerate(known) if one.name == "open_gates")
    with closing(apsw.Connection(str(tmp_path / "old.db"))) as file:
        migrate_sqlite(file, NOW, known[:place])
        file.execute(BEFORE)
        migrate_sqlite(file, NOW, known)
        rows = file.execute(
            "SELECT id, unit, part, kind, status, digest, policy, opened_at, opened_by, decision"
            " FROM gates"
        ).fetchall()

    assert rows == [ROW]
