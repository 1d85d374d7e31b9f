-- name: due_parts
-- Leases and timers of any tenant that have run out, the longest overdue first. A unit itself has
-- no kind, and its number is 0.
SELECT p.tenant, p.unit, u.workflow, p.kind, p.number, p.due AS due
FROM parts AS p
JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
WHERE p.due < :now
UNION ALL
SELECT tenant, id, workflow, '', 0, due
FROM units
WHERE due < :now AND deleted_at IS NULL
ORDER BY due
LIMIT :limit;

-- name: load_incarnation
-- The name of this database since it was made or last restored.
SELECT name
FROM incarnations;

-- name: insert_incarnation
-- Name a new database.
INSERT INTO incarnations (id, name, created_at)
VALUES (1, :name, :at)
ON CONFLICT DO NOTHING;

-- name: insert_tenant
-- Make a tenant, unless there is one.
INSERT INTO tenants (id, name, created_at)
VALUES (:id, :name, :at)
ON CONFLICT DO NOTHING;

-- name: list_tenants
-- All tenants.
SELECT id
FROM tenants
ORDER BY id;

-- name: load_tenant
-- The tenant itself.
SELECT id, name, created_at, closed_at
FROM tenants
WHERE id = :tenant;

-- name: rename_tenant
-- Give the tenant another name.
UPDATE tenants
SET name = :name
WHERE id = :tenant;
