-- name: insert_call
-- Keep one call of a tool.
INSERT INTO calls (
    tenant, at, id, tool, kind, principal, session, channel, request, response, duration_ms, failed
)
VALUES (
    :tenant, :at, :id, :tool, :kind, :principal, :session, :channel, :request, :response,
    :duration_ms, :failed
);

-- name: list_calls
-- Calls from a place in their order on, the newest first; the filters are empty for any. What a
-- call is about stands in what was asked or answered.
SELECT
    tenant, at, id, tool, kind, principal, session, channel, request, response, duration_ms, failed
FROM calls
WHERE tenant = :tenant
  AND (:at IS NULL OR (at, id) < (:at, :id))
  AND (:tool = '' OR tool = :tool)
  AND (:is_failed = 0 OR failed = 1)
  AND (:about = '' OR instr(request, :about) > 0 OR instr(response, :about) > 0)
ORDER BY at DESC, id DESC
LIMIT :limit;

-- name: prune_calls
-- Forget calls of all tenants that are older than an instant, the oldest first, so many at most.
DELETE FROM calls
WHERE (tenant, at, id) IN (
    SELECT c.tenant, c.at, c.id
    FROM calls AS c
    WHERE c.at < :before
    ORDER BY c.at
    LIMIT :limit
);
