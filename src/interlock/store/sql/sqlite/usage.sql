-- name: insert_usage
-- Keep what was spent.
INSERT INTO usage (tenant, id, who, what, model, tokens_in, tokens_out, at)
VALUES (:tenant, :id, :who, :what, :model, :tokens_in, :tokens_out, :at);

-- name: list_usage
-- What was spent, the newest first.
SELECT id, who, what, model, tokens_in, tokens_out, at
FROM usage
WHERE tenant = :tenant
ORDER BY at DESC, id DESC
LIMIT :limit;
