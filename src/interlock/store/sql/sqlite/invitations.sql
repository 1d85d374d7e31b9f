-- name: accept_invitation
-- Use an invitation up that is still good.
UPDATE invitations
SET accepted_at = :at
WHERE tenant = :tenant
    AND id = :id
    AND accepted_at IS NULL
    AND withdrawn_at IS NULL
    AND expires_at > :at;

-- name: find_invitation
-- The invitation with this hash, whosever it is.
SELECT
    tenant, id, email, role, invited_by, created_at, expires_at, accepted_at, withdrawn_at
FROM invitations
WHERE hash = :hash;

-- name: insert_invitation
-- Keep an invitation.
INSERT INTO invitations (tenant, id, hash, email, role, invited_by, created_at, expires_at)
VALUES (:tenant, :id, :hash, :email, :role, :invited_by, :created_at, :expires_at);

-- name: is_email_taken
-- Whether somebody has the e-mail of an invitation that nobody has accepted.
SELECT 1
FROM invitations AS i
JOIN users AS u ON u.tenant = i.tenant AND u.email = i.email
WHERE i.tenant = :tenant AND i.id = :id AND i.accepted_at IS NULL;

-- name: list_invitations
-- The invitations of a tenant, the oldest first.
SELECT
    tenant, id, email, role, invited_by, created_at, expires_at, accepted_at, withdrawn_at
FROM invitations
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: withdraw_invitation
-- Withdraw an invitation that stands.
UPDATE invitations
SET withdrawn_at = :at
WHERE tenant = :tenant AND id = :id AND accepted_at IS NULL AND withdrawn_at IS NULL;
