-- Moving everything to another database, as it is today, for SQLite; it goes with sqlite.sql and its
-- neighbours.

-- One row, in a database that is a copy of another one, from the first row that is copied on. `source`
-- is the incarnation of the other one and `digest` stands for everything in it; `relation` and
-- `place` are the table that is under way and how many of its rows are here. Until `finished_at`
-- nobody serves from it.
CREATE TABLE copies (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    source      TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    relation    TEXT    NOT NULL,
    place       INTEGER NOT NULL,
    begun_at    INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
