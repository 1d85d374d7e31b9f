-- What grows old is forgotten; dry, it is only counted.

-- name: call_prune_replies
-- Forget so many replies of all tenants that are over, or count them.
SELECT interlock_prune_replies(:before, :limit, :is_dry);

-- name: call_prune_deliveries
-- Forget so many deliveries of all tenants that are over, or count them.
SELECT interlock_prune_deliveries(:before, :limit, :is_dry);

-- name: call_prune_logs
-- Forget so many logs of all tenants that are over, or count them.
SELECT interlock_prune_logs(:before, :limit, :is_dry);

-- name: call_prune_sessions
-- Forget so many sessions of all tenants that are over, or count them.
SELECT interlock_prune_sessions(:before, :limit, :is_dry);

-- name: call_prune_logins
-- Forget so many logins of all tenants that are over, or count them.
SELECT interlock_prune_logins(:before, :limit, :is_dry);

-- name: call_prune_invitations
-- Forget so many invitations of all tenants that are over, or count them.
SELECT interlock_prune_invitations(:before, :limit, :is_dry);

-- name: call_prune_contents
-- Forget so many contents of all tenants that are over, or count them.
SELECT interlock_prune_contents(:before, :limit, :is_dry);
