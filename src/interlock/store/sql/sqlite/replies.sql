-- name: insert_reply
-- Keep the answer to a request id, unless it has one.
INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
VALUES (:tenant, :principal, :request, :asked, :unit, :text, :at)
ON CONFLICT DO NOTHING;

-- name: load_reply
-- The answer that was given to a request id.
SELECT asked, text
FROM replies
WHERE tenant = :tenant AND principal = :principal AND request = :request;
