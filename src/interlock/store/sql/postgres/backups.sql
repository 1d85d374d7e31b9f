-- What backups and restores ask of a server, beside the rows of its tables.

-- name: list_ids_of_tenants
-- All tenants.
SELECT tenant
FROM interlock_list_tenants();

-- name: be_tenant
-- See the rows of a tenant until the transaction ends; of deleted units, too.
SELECT
    set_config('interlock.tenant', :tenant, true),
    set_config('interlock.deleted', 'seen', true);

-- name: read_name
-- The name of this database since it was made or last restored, and when that was.
SELECT name, created_at
FROM incarnations;

-- name: write_name
-- Name a database that was restored.
UPDATE incarnations
SET name = :name, created_at = :at;

-- name: count_entries
-- How many entries of a tenant stand at a position of the feed or before it.
SELECT count(*)
FROM audit
WHERE tenant = :tenant AND (xid, unit, sequence) <= (CAST(:xid::TEXT AS XID8), :unit, :sequence);

-- name: list_words
-- The words of a tenant's chunks in their order; the one that stands for the tenant has no place.
SELECT c.document, c.place, (
    SELECT string_agg(l.lexeme, ' ' ORDER BY p.place)
    FROM unnest(c.words) AS l
    CROSS JOIN unnest(l.positions) AS p (place)
) AS said
FROM chunks AS c
WHERE c.tenant = :tenant
ORDER BY c.document, c.place;

-- name: read_transaction
-- The number of this transaction: entries with smaller ones are read by every feed.
SELECT pg_current_xact_id()::TEXT;

-- name: count_others
-- Who else is connected to this database.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename IS NOT NULL;

-- name: find_tables
-- Whether anything is where our tables would be.
SELECT EXISTS (
    SELECT
    FROM pg_class AS c
    WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind IN ('r', 'p', 'v')
);

-- name: count_held
-- How many parts of a tenant somebody holds.
SELECT count(*)
FROM parts
WHERE tenant = :tenant AND holder IS NOT NULL AND due >= interlock_clock();

-- name: read_sizes
-- What the server is, how large the database is, and what would be lost in a power cut.
SELECT
    current_setting('server_version') AS version,
    pg_database_size(current_database()) AS size,
    current_database()::TEXT AS database,
    (
        SELECT COALESCE(string_agg(g.name, ', ' ORDER BY g.name), '')
        FROM pg_settings AS g
        WHERE g.name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND g.setting = 'off'
    ) AS lossy,
    CASE WHEN pg_is_in_recovery() THEN 'yes' ELSE 'no' END AS is_standby;
