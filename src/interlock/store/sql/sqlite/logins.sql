-- name: count_try
-- Count a try to log in; one minute at a time.
INSERT INTO tries (key, minute, count)
VALUES (:key, :minute, 1)
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN tries.minute = excluded.minute THEN tries.count + 1 ELSE 1 END,
    minute = excluded.minute
RETURNING count;

-- name: find_login
-- The login link with this hash, whosever it is.
SELECT tenant, id, person
FROM logins
WHERE hash = :hash;

-- name: forget_tries
-- Forget tries that nobody counts any more.
DELETE FROM tries
WHERE minute < :minute - 60;

-- name: insert_login
-- Keep a login link.
INSERT INTO logins (tenant, id, hash, person, created_at, expires_at)
VALUES (:tenant, :id, :hash, :person, :created_at, :expires_at);

-- name: use_login
-- Use a login link up that is still good.
UPDATE logins
SET used_at = :at
WHERE tenant = :tenant AND id = :id AND used_at IS NULL AND expires_at > :at;

-- name: void_logins
-- Make the login links of somebody useless.
UPDATE logins
SET used_at = :at
WHERE tenant = :tenant AND person = :person AND used_at IS NULL;
