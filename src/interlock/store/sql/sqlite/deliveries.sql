-- name: due_deliveries
-- Deliveries of any tenant that are due, of hooks that are on.
SELECT d.tenant, d.id
FROM deliveries AS d
JOIN hooks AS h ON h.tenant = d.tenant AND h.id = d.hook
WHERE d.status = 'pending' AND d.due <= :now AND h.disabled_at IS NULL
ORDER BY d.due
LIMIT :limit;

-- name: end_delivery
-- Write down how an attempt has ended, if it is still the caller's; which hook it is of.
UPDATE deliveries
SET status = :status, code = :code, error = :error, due = :due,
    delivered_at = CASE WHEN :status = 'delivered' THEN :at END
WHERE tenant = :tenant AND id = :id AND attempts = :attempt AND status = 'pending'
RETURNING hook;

-- name: insert_delivery
-- Write down what is to be sent; the same thing once for each hook.
INSERT INTO deliveries (
    tenant, id, hook, event, about, body, at, due, attempts, status, error
)
VALUES (:tenant, :id, :hook, :event, :about, :body, :at, :at, 0, 'pending', '')
ON CONFLICT DO NOTHING;

-- name: list_deliveries
-- Deliveries, the newest first, from a place in that order on.
SELECT
    id, hook, event, about, body, at, due, attempts, status, code, error, delivered_at
FROM deliveries
WHERE tenant = :tenant AND (:id = '' OR id = :id) AND (:hook = '' OR hook = :hook)
    AND (:status = '' OR status = :status)
    AND (:at IS NULL OR (at, id) < (:at, :before))
ORDER BY at DESC, id DESC
LIMIT :limit;

-- name: remove_deliveries
-- Take away all that was or is to be sent to a hook.
DELETE FROM deliveries
WHERE tenant = :tenant AND hook = :hook;

-- name: replay_delivery
-- Have a delivery sent again.
UPDATE deliveries
SET status = 'pending', due = :due, attempts = 0, delivered_at = NULL
WHERE tenant = :tenant AND id = :id;

-- name: take_delivery
-- Take a delivery for a while; no row where somebody else has it.
UPDATE deliveries
SET due = :due, attempts = attempts + 1
WHERE tenant = :tenant AND id = :id AND status = 'pending' AND due <= :now
RETURNING attempts;
