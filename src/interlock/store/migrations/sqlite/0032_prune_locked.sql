-- On PostgreSQL a function changes here; SQLite has none.
SELECT 1;
