-- On PostgreSQL a function is made anew here; SQLite has none.
SELECT 1;
