-- name: find_token
-- The token with this hash, whosever it is: this is how a tenant is found out.
SELECT tenant, id, name, kind, scopes, prefix, created_at, expires_at, revoked_at
FROM tokens
WHERE hash = :hash;

-- name: insert_token
-- Keep a token.
INSERT INTO tokens (
    tenant, id, name, kind, scopes, hash, prefix, created_at, expires_at, revoked_at
)
VALUES (
    :tenant, :id, :name, :kind, :scopes, :hash, :prefix, :created_at, :expires_at, NULL
);

-- name: list_tokens
-- The tokens of a tenant, the oldest first.
SELECT tenant, id, name, kind, scopes, prefix, created_at, expires_at, revoked_at
FROM tokens
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: revoke_token
-- Revoke a token that is still good.
UPDATE tokens
SET revoked_at = :at
WHERE tenant = :tenant AND id = :id AND revoked_at IS NULL;
