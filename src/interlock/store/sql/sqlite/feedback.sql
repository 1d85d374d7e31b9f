-- name: insert_feedback
-- Keep what somebody thinks of a unit.
INSERT INTO feedback (tenant, id, unit, rating, text, principal, at)
VALUES (:tenant, :id, :unit, :rating, :text, :principal, :at);

-- name: list_feedback
-- What was said of a unit, the oldest first.
SELECT tenant, id, unit, rating, text, principal, at
FROM feedback
WHERE tenant = :tenant AND unit = :unit
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = feedback.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  )
ORDER BY at, id;
