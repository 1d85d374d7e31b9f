-- name: find_token
-- The token with this hash, whosever it is: this is how a tenant is found out.
SELECT
    t.tenant, t.id, t.name, t.kind, t.scopes, t.prefix, t.created_at, t.expires_at, t.revoked_at,
    t.owner, u.role, u.disabled_at
FROM tokens AS t
LEFT JOIN users AS u ON u.tenant = t.tenant AND u.id = t.owner
WHERE t.hash = :hash;

-- name: insert_token
-- Keep a token. Its owner is who made it, if that is a person.
INSERT INTO tokens (
    tenant, id, name, kind, scopes, hash, prefix, created_at, expires_at, revoked_at, owner
)
VALUES (
    :tenant, :id, :name, :kind, :scopes, :hash, :prefix, :created_at, :expires_at, NULL,
    (SELECT id FROM users WHERE tenant = :tenant AND id = :owner)
);

-- name: list_tokens
-- The tokens of a tenant, the oldest first, with what their owners may do.
SELECT
    t.tenant, t.id, t.name, t.kind, t.scopes, t.prefix, t.created_at, t.expires_at, t.revoked_at,
    t.owner, u.role, u.disabled_at
FROM tokens AS t
LEFT JOIN users AS u ON u.tenant = t.tenant AND u.id = t.owner
WHERE t.tenant = :tenant
ORDER BY t.created_at, t.id;

-- name: list_token_names
-- What tokens are called: those that are still good first, then the newest; at most so many.
SELECT id, name
FROM tokens
WHERE tenant = :tenant
ORDER BY
    revoked_at IS NOT NULL OR (expires_at IS NOT NULL AND expires_at <= :now),
    created_at DESC, id
LIMIT :most;

-- name: revoke_token
-- Revoke a token that is still good.
UPDATE tokens
SET revoked_at = :at
WHERE tenant = :tenant AND id = :id AND revoked_at IS NULL;
