-- What grows old is forgotten, of all tenants. What is to go is looked up by a reader, and asked again
-- when it goes: whoever writes does not wait for the looking.

-- name: old_replies
-- The keys of so many replies that are over.
SELECT r.tenant, r.principal, r.request
FROM replies AS r
WHERE r.at < :before
  AND NOT EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = r.tenant AND u.id = r.unit AND u.ended_at IS NULL
  )
  AND NOT EXISTS (
      SELECT 1
      FROM skills AS s
      WHERE s.tenant = r.tenant AND s.id = r.unit AND s.status = 'started'
  )
LIMIT :limit;

-- name: prune_replies
-- Forget one of them, if it still is.
DELETE FROM replies AS r
WHERE r.tenant = :tenant AND r.principal = :principal AND r.request = :request AND r.at < :before
  AND NOT EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = r.tenant AND u.id = r.unit AND u.ended_at IS NULL
  )
  AND NOT EXISTS (
      SELECT 1
      FROM skills AS s
      WHERE s.tenant = r.tenant AND s.id = r.unit AND s.status = 'started'
  );

-- name: old_deliveries
-- The keys of so many deliveries that are over.
SELECT d.tenant, d.id
FROM deliveries AS d
WHERE d.at < :before AND d.status <> 'pending'
LIMIT :limit;

-- name: prune_deliveries
-- Forget one of them, if it still is.
DELETE FROM deliveries AS d
WHERE d.tenant = :tenant AND d.id = :id AND d.at < :before AND d.status <> 'pending';

-- name: old_logs
-- The keys of so many logs that are over.
SELECT l.tenant, l.unit, l.number
FROM logs AS l
WHERE l.at < :before
  AND NOT EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = l.tenant AND u.id = l.unit AND u.ended_at IS NULL
  )
LIMIT :limit;

-- name: prune_old_logs
-- Forget one of them, if it still is.
DELETE FROM logs AS l
WHERE l.tenant = :tenant AND l.unit = :unit AND l.number = :number AND l.at < :before
  AND NOT EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = l.tenant AND u.id = l.unit AND u.ended_at IS NULL
  );

-- name: old_sessions
-- The keys of so many sessions that are over.
SELECT s.tenant, s.id
FROM sessions AS s
WHERE (s.expires_at < :before OR s.ended_at < :before)
LIMIT :limit;

-- name: prune_sessions
-- Forget one of them, if it still is.
DELETE FROM sessions AS s
WHERE s.tenant = :tenant AND s.id = :id AND (s.expires_at < :before OR s.ended_at < :before);

-- name: old_logins
-- The keys of so many logins that are over.
SELECT l.tenant, l.id
FROM logins AS l
WHERE (l.expires_at < :before OR l.used_at < :before)
LIMIT :limit;

-- name: prune_logins
-- Forget one of them, if it still is.
DELETE FROM logins AS l
WHERE l.tenant = :tenant AND l.id = :id AND (l.expires_at < :before OR l.used_at < :before);

-- name: old_invitations
-- The keys of so many invitations that are over.
SELECT i.tenant, i.id
FROM invitations AS i
WHERE (i.expires_at < :before OR i.accepted_at < :before OR i.withdrawn_at < :before)
LIMIT :limit;

-- name: prune_invitations
-- Forget one of them, if it still is.
DELETE FROM invitations AS i
WHERE i.tenant = :tenant AND i.id = :id AND (i.expires_at < :before OR i.accepted_at < :before OR i.withdrawn_at < :before);

-- name: old_contents
-- The keys of so many contents that are over.
SELECT c.tenant, c.digest
FROM contents AS c
WHERE c.pruned_at IS NULL
  AND EXISTS (
      SELECT 1
      FROM artifacts AS a
      WHERE a.tenant = c.tenant AND a.digest = c.digest
  )
  AND NOT EXISTS (
      SELECT 1
      FROM artifacts AS a
      LEFT JOIN units AS u ON u.tenant = a.tenant AND u.id = a.unit
      WHERE a.tenant = c.tenant AND a.digest = c.digest
        AND (
            u.ended_at IS NULL OR u.ended_at >= :before
            OR NOT EXISTS (
                SELECT 1
                FROM artifacts AS n
                WHERE n.tenant = a.tenant AND n.unit = a.unit AND n.part = a.part
                  AND n.name = a.name AND n.version > a.version
            )
        )
  )
LIMIT :limit;

-- name: prune_contents
-- Forget one of them, if it still is.
UPDATE contents AS c
SET bytes = x'', pruned_at = :now
WHERE c.tenant = :tenant AND c.digest = :digest AND c.pruned_at IS NULL
  AND EXISTS (
      SELECT 1
      FROM artifacts AS a
      WHERE a.tenant = c.tenant AND a.digest = c.digest
  )
  AND NOT EXISTS (
      SELECT 1
      FROM artifacts AS a
      LEFT JOIN units AS u ON u.tenant = a.tenant AND u.id = a.unit
      WHERE a.tenant = c.tenant AND a.digest = c.digest
        AND (
            u.ended_at IS NULL OR u.ended_at >= :before
            OR NOT EXISTS (
                SELECT 1
                FROM artifacts AS n
                WHERE n.tenant = a.tenant AND n.unit = a.unit AND n.part = a.part
                  AND n.name = a.name AND n.version > a.version
            )
        )
  );
