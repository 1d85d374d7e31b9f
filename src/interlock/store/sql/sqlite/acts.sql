-- name: insert_act
-- Write an act down.
INSERT INTO acts (tenant, at, id, kind, who, behalf, channel, act, about, told)
VALUES (:tenant, :at, :id, :kind, :who, :behalf, :channel, :act, :about, :told);

-- name: list_acts
-- What was done, the newest first, from a place in that order on.
SELECT at, id, kind, who, behalf, channel, act, about, told
FROM acts
WHERE tenant = :tenant AND (at, id) < (:at, :id)
ORDER BY at DESC, id DESC
LIMIT :limit;
