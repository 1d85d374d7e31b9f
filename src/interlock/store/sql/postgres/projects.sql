-- The functions about projects and logs, one trip each; schema/postgres_projects.sql has them.

-- name: call_add_project
-- Keep a project.
SELECT interlock_add_project(
    :tenant, :id, :name, :repository, :base_branch, :settings, :version, :created_by, :created_at,
    :changed_at, :archived_at, :act
);

-- name: call_append_logs
-- Keep lines of a part.
SELECT interlock_append_logs(
    :tenant, :unit, :part, :member, :ats, :streams, :texts, :most
);

-- name: call_change_project
-- Write a project anew, if it is still at the version that was seen.
SELECT interlock_change_project(
    :tenant, :id, :name, :repository, :base_branch, :settings, :version, :changed_at,
    :archived_at, :seen, :act
);

-- name: call_logs
-- Lines of a unit in their order.
SELECT number, part, member, at, stream, text
FROM interlock_logs(:tenant, :unit, :part, :member, :after, :limit);

-- name: call_projects
-- The projects of a tenant, or the one with an id.
SELECT
    id, name, repository, base_branch, settings, version, created_by, created_at, changed_at,
    archived_at
FROM interlock_projects(:tenant, :id);
