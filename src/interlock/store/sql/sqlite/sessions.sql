-- name: end_session
-- End a session.
UPDATE sessions
SET ended_at = :at
WHERE tenant = :tenant AND id = :id AND ended_at IS NULL;

-- name: end_sessions
-- End the sessions of somebody, but for one.
UPDATE sessions
SET ended_at = :at
WHERE tenant = :tenant AND person = :person AND ended_at IS NULL AND id <> :keep;

-- name: find_session
-- The session with this hash, whosever it is.
SELECT tenant, id, person, created_at, seen_at, expires_at, ended_at
FROM sessions
WHERE hash = :hash;

-- name: insert_session
-- Keep a session.
INSERT INTO sessions (tenant, id, hash, person, created_at, seen_at, expires_at)
VALUES (:tenant, :id, :hash, :person, :created_at, :seen_at, :expires_at);

-- name: list_sessions
-- The sessions of a tenant that have not ended, the oldest first.
SELECT tenant, id, person, created_at, seen_at, expires_at, ended_at
FROM sessions
WHERE tenant = :tenant AND ended_at IS NULL
ORDER BY created_at, id;

-- name: touch_session
-- Note when a session was seen and how long it is good.
UPDATE sessions
SET seen_at = :seen_at, expires_at = :expires_at
WHERE tenant = :tenant AND id = :id AND ended_at IS NULL;
