-- On PostgreSQL an index changes here, and functions that use it; SQLite knows the key without.
SELECT 1;
