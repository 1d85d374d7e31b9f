-- Which migrations have been applied. The table is made by the first of them.

-- name: create_migrations
-- Makes the table; it is the one table that no migration makes.
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER NOT NULL PRIMARY KEY,
    name   TEXT    NOT NULL,
    sha256 TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT;

-- name: find_migrations
-- Says whether there is a table of migrations, and whether there is anything at all.
SELECT
    COALESCE(SUM(name = 'migrations'), 0),
    COUNT(*)
FROM sqlite_schema;

-- name: insert_migration
-- Writes down what was applied, in the same transaction.
INSERT INTO migrations (number, name, sha256, at)
VALUES (:number, :name, :sha256, :now);

-- name: list_migrations
-- All that were applied, in order.
SELECT number, sha256
FROM migrations
ORDER BY number;

-- name: list_orphans
-- Rows that refer to nothing; while a migration runs, SQLite does not look.
SELECT "table", parent
FROM pragma_foreign_key_check
LIMIT 1;
