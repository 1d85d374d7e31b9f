-- On PostgreSQL a function is made here; SQLite has none.
SELECT 1;
