-- name: change_user
-- Give somebody who is as the caller has seen them another role, or shut them out, unless the
-- tenant would be left without an owner.
UPDATE users
SET role = :role, disabled_at = :disabled_at
WHERE tenant = :tenant
    AND id = :id
    AND role = :role_before
    AND disabled_at IS :disabled_before;

-- name: find_users
-- Whoever has an e-mail, or is known to an identity provider as this, in any tenant.
SELECT tenant, id, email, name, role, subject, created_at, disabled_at
FROM users
WHERE email = :email OR subject = :subject
ORDER BY created_at, tenant;

-- name: has_other_owner
-- Whether the tenant has an owner who is let in, beside this person.
SELECT 1
FROM users
WHERE tenant = :tenant AND role = 'owner' AND disabled_at IS NULL AND id <> :id
LIMIT 1;

-- name: insert_first_user
-- Make the first person of a tenant, unless there is one.
INSERT INTO users (tenant, id, email, name, role, created_at)
SELECT :tenant, :id, :email, :name, :role, :created_at
WHERE NOT EXISTS (SELECT 1 FROM users WHERE tenant = :tenant);

-- name: insert_user
-- Make a person of an invitation, with its e-mail and role.
INSERT INTO users (tenant, id, email, name, role, password, subject, created_at)
SELECT tenant, :id, email, :name, role, :password, :subject, :at
FROM invitations
WHERE tenant = :tenant AND id = :invitation;

-- name: link_subject
-- Note how an identity provider knows somebody, unless that is known.
UPDATE users
SET subject = :subject
WHERE tenant = :tenant AND id = :id AND subject IS NULL;

-- name: list_users
-- The people of a tenant, the oldest first.
SELECT tenant, id, email, name, role, subject, created_at, disabled_at
FROM users
WHERE tenant = :tenant
ORDER BY created_at, id;

-- name: load_password
-- The hash of a password.
SELECT password
FROM users
WHERE tenant = :tenant AND id = :id;

-- name: load_user
-- A person.
SELECT tenant, id, email, name, role, subject, created_at, disabled_at
FROM users
WHERE tenant = :tenant AND id = :id;

-- name: set_password
-- Set a password.
UPDATE users
SET password = :password
WHERE tenant = :tenant AND id = :id;
