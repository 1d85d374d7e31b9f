-- On PostgreSQL functions are made anew here; SQLite has none.
SELECT 1;
