-- Moving everything to another database, as it is today, for PostgreSQL; it goes with postgres.sql and
-- its neighbours. What the columns mean is said in sqlite_copies.sql.

CREATE TABLE copies (
    id          BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    source      TEXT   NOT NULL,
    digest      TEXT   NOT NULL,
    relation    TEXT   NOT NULL,
    place       BIGINT NOT NULL,
    begun_at    BIGINT NOT NULL,
    finished_at BIGINT
);

-- The app must see whether it may begin; only who owns the database copies.
GRANT SELECT ON copies TO interlock_app;
