-- name: feed_audit
-- Entries of all units of a tenant from a position on. By their positions alone: the index of a
-- tenant's units would be read whole, and sorted, each time.
SELECT position, unit, sequence, at, body, hash
FROM audit NOT INDEXED
WHERE tenant = :tenant AND position > :after
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = audit.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  )
ORDER BY position
LIMIT :limit;

-- name: feed_end
-- Where the last entry is; the same for all tenants.
SELECT MAX(position)
FROM audit;

-- name: insert_entry
-- Add an entry.
INSERT INTO audit (tenant, unit, sequence, at, body, hash)
VALUES (:tenant, :unit, :sequence, :at, :body, :hash);

-- name: unit_audit
-- Entries of one unit in their order.
SELECT position, unit, sequence, at, body, hash
FROM audit
WHERE tenant = :tenant AND unit = :unit AND sequence > :after
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = audit.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  )
ORDER BY sequence
LIMIT :limit;

-- name: entry_before
-- The last entry of a tenant up to a position.
SELECT unit, sequence
FROM audit
WHERE tenant = :tenant AND position <= :place
ORDER BY position DESC
LIMIT 1;
