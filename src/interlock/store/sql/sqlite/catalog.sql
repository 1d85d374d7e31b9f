-- What SQLite knows of its own tables.

-- name: list_definitions
-- Everything that was made by hand; the tables behind a virtual table are its own affair.
SELECT type, name, sql
FROM sqlite_schema
WHERE sql IS NOT NULL
    AND tbl_name <> 'migrations'
    AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
    AND name NOT IN (
        SELECT name
        FROM pragma_table_list
        WHERE schema = 'main' AND type = 'shadow'
    )
ORDER BY type, name;

-- name: list_tables
-- The tables that hold rows, by name; those behind a virtual table are its own affair.
SELECT name
FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY name;

-- name: list_columns
-- The columns of a table, and each one's place in the key; 0 is none.
SELECT name, pk
FROM pragma_table_info(:name)
ORDER BY cid;

-- name: list_references
-- The tables that the rows of a table refer to.
SELECT DISTINCT "table"
FROM pragma_foreign_key_list(:name);
