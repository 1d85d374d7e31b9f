-- Restores of today, for SQLite; it goes with sqlite.sql.

-- One row for each restore: the incarnation that began with it, the one that the backup was taken of
-- and when, when it was restored, and the digest of the backup's manifest.
CREATE TABLE restores (
    name        TEXT    NOT NULL PRIMARY KEY,
    former      TEXT    NOT NULL,
    taken_at    INTEGER NOT NULL,
    restored_at INTEGER NOT NULL,
    digest      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER restores_keep_rows BEFORE UPDATE ON restores
BEGIN
    SELECT RAISE(ABORT, 'restores are append-only');
END;
CREATE TRIGGER restores_lose_nothing BEFORE DELETE ON restores
BEGIN
    SELECT RAISE(ABORT, 'restores are append-only');
END;
