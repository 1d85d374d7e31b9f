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
