-- Everything that is copied into this database from another one; only its owner does.

-- name: is_owner
-- Says whether we may do with the tables what only their owner may.
SELECT pg_has_role(current_user, c.relowner, 'USAGE')
FROM pg_class AS c
WHERE c.relname = 'audit' AND c.relnamespace = 'public'::REGNAMESPACE;

-- name: lock_copy
-- Says whether nobody else copies into this database; the end of the connection lets go.
SELECT pg_try_advisory_lock(:key);

-- name: list_foreign_tables
-- Tables that somebody else has made here, where we never were.
SELECT c.relname::TEXT AS name
FROM pg_class AS c
WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind IN ('r', 'p')
ORDER BY c.relname
LIMIT 5;

-- name: list_table_columns
-- All tables with their columns and types, and which other tables they refer to.
SELECT
    c.relname::TEXT AS name,
    array_agg(a.attname::TEXT ORDER BY a.attnum) AS columns,
    array_agg(format_type(a.atttypid, NULL) ORDER BY a.attnum) AS types,
    ARRAY(
        SELECT DISTINCT f.relname::TEXT
        FROM pg_constraint AS k
        JOIN pg_class AS f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f'
    ) AS needs
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind = 'r'
GROUP BY c.oid, c.relname
ORDER BY c.relname;

-- name: read_copy
-- Which database this one is a copy of, how far it is, and when it was finished.
SELECT source, digest, relation, place, finished_at
FROM copies;

-- name: begin_copy
-- Say that this database is a copy from here on.
INSERT INTO copies (id, source, digest, relation, place, begun_at)
VALUES (1, :source, :digest, '', 0, :at);

-- name: advance_copy
-- Say how far the copy is; in the transaction that brings it there.
UPDATE copies
SET relation = :relation, place = :place
WHERE id = 1;

-- name: finish_copy
-- Say that the copy is whole, and let everybody work with it.
UPDATE copies
SET finished_at = :at
WHERE id = 1;

-- name: note_copy
-- Tell a tenant that it is in another database now.
INSERT INTO acts (tenant, at, id, kind, who, behalf, channel, act, about, told)
VALUES (:tenant, :at, :id, 'system', 'copy', '', 'cli', 'database_copied', :tenant, :told);

-- name: own_tenants
-- All tenants, as the owner sees them.
SELECT id
FROM tenants
ORDER BY id;

-- name: has_tenants
-- Says whether anybody has worked with this database yet.
SELECT EXISTS (SELECT FROM tenants);

-- name: act_as
-- Work as a tenant until the transaction ends; units that were deleted are seen, too.
SELECT
    set_config('interlock.tenant', :tenant, true),
    set_config('interlock.deleted', 'seen', true);

-- name: entry_xid
-- In which transaction an entry of the audit was written.
SELECT xid::TEXT
FROM audit
WHERE tenant = :tenant AND unit = :unit AND sequence = :sequence;
