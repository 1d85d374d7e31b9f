-- In PostgreSQL, functions that read; SQLite has nothing to call them. The number is taken so that
-- both databases count alike.
SELECT 1;
