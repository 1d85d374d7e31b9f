-- The functions that keep and read records beside the units, one trip each;
-- schema/postgres_records.sql has them.

-- name: call_add_calls
-- Keep calls of one tenant.
SELECT interlock_add_calls(
    :tenant, :instants, :ids, :tools, :kinds, :principals, :sessions, :channels, :requests,
    :responses, :durations, :failed
);

-- name: call_add_feedback
-- Keep what somebody thinks of a unit.
SELECT outcome, asked, reply
FROM interlock_add_feedback(
    :tenant, :id, :unit, :rating, :text, :author, :at, :principal, :request, :asked, :reply
);

-- name: call_add_skill
-- Keep an execution that has begun.
SELECT outcome, asked, reply
FROM interlock_add_skill(
    :tenant, :id, :session, :holder, :name, :metadata, :at, :principal, :request, :asked, :reply
);

-- name: call_calls
-- Calls from a place in their order on, the newest first; the filters are empty for any.
SELECT
    tenant, at, id, tool, kind, principal, session, channel, request, response, duration_ms, failed
FROM interlock_calls(:tenant, :at, :id, :limit, :tool, :about, :is_failed);

-- name: call_feedback
-- What was said of a unit.
SELECT tenant, id, unit, rating, text, principal, at
FROM interlock_feedback(:tenant, :unit);

-- name: call_move_skill
-- End an execution that has no unit.
SELECT outcome, asked, reply
FROM interlock_move_skill(
    :tenant, :at, :id, :before, :status, :metadata, :ended_at, :principal, :request, :asked,
    :reply
);

-- name: call_prune_calls
-- Forget calls of all tenants that are older than an instant.
SELECT interlock_prune_calls(:before, :limit);

-- name: call_reply
-- The answer that was given to a key.
SELECT asked, reply
FROM interlock_reply(:tenant, :principal, :request);

-- name: call_skills
-- An execution by its id, its unit, or as the newest of a session.
SELECT
    tenant, id, session, principal, name, status, metadata, unit, started_at, ended_at, workflow,
    unit_status
FROM interlock_skills(:tenant, :id, :unit, :session);
