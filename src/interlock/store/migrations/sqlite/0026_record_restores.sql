-- Where the incarnations of this database came from; see schema/sqlite_restores.sql.
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
