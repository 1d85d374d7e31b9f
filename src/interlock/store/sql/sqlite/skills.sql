-- name: insert_skill
-- Keep an execution that has begun.
INSERT INTO skills (
    tenant, id, session, principal, name, status, metadata, unit, started_at, ended_at
)
VALUES (
    :tenant, :id, :session, :principal, :name, :status, :metadata, NULL, :started_at, NULL
);

-- name: load_skill
-- An execution, with where the unit stands that it is linked to.
SELECT
    s.tenant, s.id, s.session, s.principal, s.name, s.status, s.metadata, s.unit, s.started_at,
    s.ended_at, u.workflow, u.status
FROM skills AS s
LEFT JOIN units AS u ON u.tenant = s.tenant AND u.id = s.unit
WHERE s.tenant = :tenant AND s.id = :id AND (u.deleted_at IS NULL OR :sees_deleted);

-- name: load_unit_skill
-- The execution that is linked to a unit.
SELECT
    s.tenant, s.id, s.session, s.principal, s.name, s.status, s.metadata, s.unit, s.started_at,
    s.ended_at, u.workflow, u.status
FROM skills AS s
JOIN units AS u ON u.tenant = s.tenant AND u.id = s.unit
WHERE s.tenant = :tenant AND s.unit = :unit AND (u.deleted_at IS NULL OR :sees_deleted);

-- name: move_skill
-- Link an execution or end it, if it still stands where it was seen.
UPDATE skills
SET unit = :unit, status = :status, metadata = coalesce(:metadata, metadata), ended_at = :ended_at
WHERE tenant = :tenant AND id = :id AND status = :before AND (unit IS NULL OR unit = :unit);

-- name: newest_skill
-- The execution of a session that began last and has no unit yet.
SELECT
    tenant, id, session, principal, name, status, metadata, unit, started_at, ended_at, NULL, NULL
FROM skills
WHERE tenant = :tenant AND session = :session AND status = 'started' AND unit IS NULL
ORDER BY started_at DESC, id DESC
LIMIT 1;
