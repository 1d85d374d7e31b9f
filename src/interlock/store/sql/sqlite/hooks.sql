-- name: fail_hook
-- Remember since when deliveries fail.
UPDATE hooks
SET failing_since = :at
WHERE tenant = :tenant AND id = :id AND failing_since IS NULL;

-- name: hook_secret
-- What a hook's deliveries are signed with.
SELECT secret
FROM hooks
WHERE tenant = :tenant AND id = :id;

-- name: hooks_on
-- Which hooks of any tenant are on.
SELECT tenant, id
FROM hooks
WHERE disabled_at IS NULL
ORDER BY tenant, id;

-- name: insert_hook
-- Keep a hook; it is told what happens from now on.
INSERT INTO hooks (
    tenant, id, url, secret, events, workflow, created_by, created_at, position, disabled_why
)
SELECT
    :tenant, :id, :url, :secret, :events, :workflow, :created_by, :created_at,
    CAST(COALESCE((SELECT max(position) FROM audit WHERE tenant = :tenant), 0) AS TEXT), '';

-- name: insert_link_key
-- Keep the key of a tenant's links, unless there is one.
INSERT INTO link_keys (tenant, secret, made_at)
VALUES (:tenant, :secret, :at)
ON CONFLICT DO NOTHING;

-- name: list_hooks
-- The hooks of a tenant, the oldest first.
SELECT
    id, url, events, workflow, created_by, created_at, position, failing_since, disabled_at,
    disabled_why
FROM hooks
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: load_hook
-- A hook by its id.
SELECT
    id, url, events, workflow, created_by, created_at, position, failing_since, disabled_at,
    disabled_why
FROM hooks
WHERE tenant = :tenant AND id = :id;

-- name: load_link_key
-- The key of a tenant's links.
SELECT secret
FROM link_keys
WHERE tenant = :tenant;

-- name: mend_hook
-- A delivery has succeeded.
UPDATE hooks
SET failing_since = NULL
WHERE tenant = :tenant AND id = :id AND failing_since IS NOT NULL;

-- name: move_hook
-- Go on in the feed, unless somebody else has.
UPDATE hooks
SET position = :after
WHERE tenant = :tenant AND id = :id AND position = :before;

-- name: remove_hook
-- Take a hook away.
DELETE FROM hooks
WHERE tenant = :tenant AND id = :id;

-- name: replace_link_key
-- Take another key for links; those signed with the old one are void.
UPDATE link_keys
SET secret = :secret, made_at = :at
WHERE tenant = :tenant;

-- name: stop_hook
-- Switch a hook off that has failed for too long.
UPDATE hooks
SET disabled_at = :at, disabled_why = :why
WHERE tenant = :tenant AND id = :id AND failing_since <= :off_before AND disabled_at IS NULL;

-- name: switch_hook
-- Switch a hook off or on.
UPDATE hooks
SET disabled_at = :off_at, disabled_why = :why, failing_since = NULL
WHERE tenant = :tenant AND id = :id;

-- name: list_positions
-- Where the hooks of all tenants stand.
SELECT DISTINCT position
FROM hooks;
