-- On PostgreSQL functions are made and changed here; SQLite has none.
SELECT 1;
