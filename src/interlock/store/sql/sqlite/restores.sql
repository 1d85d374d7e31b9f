-- Where the incarnations of this database came from.

-- name: insert_restore
-- Write a restore down.
INSERT INTO restores (name, former, taken_at, restored_at, digest)
VALUES (:name, :former, :taken_at, :at, :digest);

-- name: list_restores
-- All restores, the oldest first.
SELECT name, former, taken_at, restored_at, digest
FROM restores
ORDER BY restored_at, name;

-- name: list_heads
-- Where the audits of units end, in the order of their ids; of deleted ones, too.
SELECT id, version, head
FROM units
WHERE tenant = :tenant AND id > :after
ORDER BY id
LIMIT :limit;

-- name: rename_incarnation
-- A database that was restored has a name of its own.
INSERT INTO incarnations (id, name, created_at)
VALUES (1, :name, :at)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, created_at = excluded.created_at;

-- name: void_replies
-- What was answered before a restore is given to nobody again: its lease would not be good.
UPDATE replies
SET asked = :mark;

-- name: end_leases
-- Whoever held a part has the fence of a former incarnation: let it be offered again at once.
UPDATE parts
SET due = :at
WHERE holder IS NOT NULL AND due > :at;

-- name: end_all_sessions
-- Some may have been ended after the backup was taken.
UPDATE sessions
SET ended_at = :at
WHERE ended_at IS NULL;

-- name: use_all_logins
-- Some may have been used after the backup was taken.
UPDATE logins
SET used_at = :at
WHERE used_at IS NULL;

-- name: withdraw_all_invitations
-- Some may have been withdrawn after the backup was taken.
UPDATE invitations
SET withdrawn_at = :at
WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

-- name: forget_link_keys
-- Links to decisions and places in the stream that were told before lead nowhere any more.
DELETE FROM link_keys;

-- name: count_held
-- How many parts somebody holds, over all tenants.
SELECT count(*)
FROM parts
WHERE holder IS NOT NULL AND due >= :now;
