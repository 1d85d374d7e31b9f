-- name: insert_log
-- Keep a line.
INSERT INTO logs (tenant, unit, number, part, member, at, stream, text)
VALUES (:tenant, :unit, :number, :part, :member, :at, :stream, :text);

-- name: last_lines
-- The last lines of a part, from the end.
SELECT number, at, stream, text
FROM logs
WHERE tenant = :tenant AND unit = :unit AND part = :part
ORDER BY number DESC
LIMIT :limit;

-- name: last_log
-- The number of the last line of a unit.
SELECT COALESCE(max(number), 0)
FROM logs
WHERE tenant = :tenant AND unit = :unit;

-- name: list_logs
-- Lines of a unit in their order.
SELECT number, part, member, at, stream, text
FROM logs
WHERE tenant = :tenant AND unit = :unit AND number > :after
    AND (:part = 0 OR part = :part)
    AND (:member = '' OR member = :member)
ORDER BY number
LIMIT :limit;

-- name: prune_logs
-- Let the oldest lines of a unit go.
DELETE FROM logs
WHERE tenant = :tenant AND unit = :unit AND number <= :first;
