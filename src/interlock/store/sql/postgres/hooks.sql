-- The functions about hooks, deliveries and the key of links, one trip each;
-- schema/postgres_hooks.sql has them.

-- name: call_add_deliveries
-- Write down what is to be sent of a piece of the feed.
SELECT interlock_add_deliveries(
    :tenant, :hook, :before, :after, :at, :ids, :events, :abouts, :bodies
);

-- name: call_add_hook
-- Keep a hook.
SELECT interlock_add_hook(
    :tenant, :id, :url, :secret, :events, :workflow, :created_by, :created_at, :act
);

-- name: call_deliveries
-- Deliveries, the newest first.
SELECT
    id, hook, event, about, body, at, due, attempts, status, code, error, delivered_at
FROM interlock_deliveries(:tenant, :id, :hook, :status, :at, :before, :limit);

-- name: call_due_deliveries
-- Deliveries of any tenant that are due.
SELECT tenant, id
FROM interlock_list_deliveries(:limit);

-- name: call_end_delivery
-- Write down how an attempt has ended.
SELECT interlock_end_delivery(
    :tenant, :id, :attempt, :status, :code, :error, :delay_ms, :at, :off_before, :why
);

-- name: call_hook_secret
-- What a hook's deliveries are signed with.
SELECT interlock_hook_secret(:tenant, :id);

-- name: call_hooks
-- The hooks of a tenant, or the one with an id.
SELECT
    id, url, events, workflow, created_by, created_at, hook_position, failing_since, disabled_at,
    disabled_why
FROM interlock_hooks(:tenant, :id);

-- name: call_hooks_on
-- Which hooks of any tenant are on.
SELECT tenant, id
FROM interlock_list_hooks();

-- name: call_link_key
-- The key of a tenant's links.
SELECT interlock_link_key(:tenant, :fresh, :at, :is_other, :act);

-- name: call_remove_hook
-- Take a hook away.
SELECT interlock_remove_hook(:tenant, :id, :at, :act);

-- name: call_replay_delivery
-- Have a delivery sent again.
SELECT interlock_replay_delivery(:tenant, :id);

-- name: call_switch_hook
-- Switch a hook off or on.
SELECT interlock_switch_hook(:tenant, :id, :off_at, :why, :at, :act);

-- name: call_take_delivery
-- Take a delivery for a while.
SELECT interlock_take_delivery(:tenant, :id, :lease_ms);
