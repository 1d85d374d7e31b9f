-- name: change_project
-- Write a project anew, if it is still at the version that was seen.
UPDATE projects
SET name = :name, repository = :repository, base_branch = :base_branch, settings = :settings,
    version = :version, changed_at = :changed_at, archived_at = :archived_at
WHERE tenant = :tenant AND id = :id AND version = :seen;

-- name: insert_project
-- Keep a project.
INSERT INTO projects (
    tenant, id, name, repository, base_branch, settings, version, created_by, created_at,
    changed_at, archived_at
)
VALUES (
    :tenant, :id, :name, :repository, :base_branch, :settings, :version, :created_by, :created_at,
    :changed_at, :archived_at
);

-- name: list_projects
-- The projects of a tenant, the oldest first.
SELECT
    id, name, repository, base_branch, settings, version, created_by, created_at, changed_at,
    archived_at
FROM projects
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: load_project
-- A project.
SELECT
    id, name, repository, base_branch, settings, version, created_by, created_at, changed_at,
    archived_at
FROM projects
WHERE tenant = :tenant AND id = :id;
