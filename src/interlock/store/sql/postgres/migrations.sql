-- Which migrations have been applied. The table is made by the first of them.

-- name: create_migrations
-- Makes the table; it is the one table that no migration makes.
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER NOT NULL PRIMARY KEY,
    name   TEXT    NOT NULL,
    sha256 TEXT    NOT NULL,
    at     BIGINT  NOT NULL
);

-- name: find_migrations
-- Says whether there is a table of migrations. Not by to_regclass: its cache does not see what
-- a neighbour has made while we were waiting for the lock.
SELECT EXISTS (
    SELECT
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relname = 'migrations' AND n.nspname = ANY (current_schemas(FALSE))
);

-- name: insert_migration
-- Writes down what was applied, in the same transaction.
INSERT INTO migrations (number, name, sha256, at)
VALUES (:number, :name, :sha256, :now);

-- name: list_migrations
-- All that were applied, in order.
SELECT number, sha256
FROM migrations
ORDER BY number;

-- name: lock_migrations
-- Waits until nobody else migrates this database; the end of the transaction lets go.
SELECT pg_advisory_xact_lock(:key);
