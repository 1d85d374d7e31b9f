-- The functions about people, one trip each; schema/postgres_people.sql has them.

-- name: call_accept
-- Make a person of an invitation.
SELECT interlock_accept(
    :tenant, :invitation, :id, :name, :password, :subject, :at, :act
);

-- name: call_acts
-- What was done, the newest first.
SELECT at, id, kind, who, behalf, channel, act, about, told
FROM interlock_acts(:tenant, :at, :id, :limit);

-- name: call_add_first
-- Make the first person of a tenant, unless there is one.
SELECT interlock_add_first(:tenant, :id, :email, :name, :role, :at);

-- name: call_add_invitation
-- Keep an invitation.
SELECT interlock_add_invitation(
    :tenant, :id, :email, :role, :invited_by, :at, :expires_at, :hash, :act
);

-- name: call_add_session
-- Keep a session, or a login link.
SELECT interlock_add_session(
    :tenant, :id, :person, :at, :expires_at, :hash, :is_link, :act
);

-- name: call_change_session
-- Note that a session was seen, or end it.
SELECT interlock_change_session(:tenant, :id, :seen_at, :expires_at, :ended_at, :act);

-- name: call_change_user
-- Give somebody another role, or shut them out.
SELECT interlock_change_user(
    :tenant, :id, :role_before, :disabled_before, :role, :disabled_at, :at, :act
);

-- name: call_count_try
-- Count a try to log in.
SELECT interlock_count_try(:key, :minute);

-- name: call_find_invitation
-- The invitation with this hash: whose it is, looked up across tenants, then read as that tenant.
SELECT
    i.tenant, i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, i.accepted_at,
    i.withdrawn_at
FROM interlock_find_invitation(:hash) AS f
CROSS JOIN LATERAL interlock_invitations(f.tenant, f.id) AS i;

-- name: call_find_session
-- The session with this hash and whose it is, in the same way.
SELECT
    s.tenant, s.id, s.person, s.created_at, s.seen_at, s.expires_at, s.ended_at,
    u.tenant AS user_tenant, u.id AS user_id, u.email, u.name, u.role, u.subject,
    u.created_at AS user_created_at, u.disabled_at
FROM interlock_find_session(:hash) AS f
CROSS JOIN LATERAL interlock_sessions(f.tenant, f.id) AS s
CROSS JOIN LATERAL interlock_users(f.tenant, s.person) AS u;

-- name: call_find_users
-- Whoever has an e-mail, or is known to an identity provider as this, in the same way.
SELECT u.tenant, u.id, u.email, u.name, u.role, u.subject, u.created_at, u.disabled_at
FROM interlock_find_people(:email, :subject) AS f
CROSS JOIN LATERAL interlock_users(f.tenant, f.id) AS u
ORDER BY u.created_at, u.tenant;

-- name: call_invitations
-- The invitations of a tenant.
SELECT
    tenant, id, email, role, invited_by, created_at, expires_at, accepted_at, withdrawn_at
FROM interlock_invitations(:tenant, NULL);

-- name: call_password
-- The hash of a password.
SELECT password
FROM interlock_users(:tenant, :id);

-- name: call_rename_tenant
-- Give a tenant another name.
SELECT interlock_rename_tenant(:tenant, :name, :at, :act);

-- name: call_sessions
-- The sessions of a tenant that have not ended.
SELECT tenant, id, person, created_at, seen_at, expires_at, ended_at
FROM interlock_sessions(:tenant, NULL);

-- name: call_set_access
-- Set a password, or how an identity provider knows somebody.
SELECT interlock_set_access(:tenant, :id, :password, :subject, :keep, :at, :act);

-- name: call_tenant
-- A tenant.
SELECT id, name, created_at, closed_at
FROM interlock_tenant(:tenant);

-- name: call_use_login
-- Use a login link up, looked up across tenants; tells whose it is, if it was still good.
SELECT u.tenant, u.id, u.email, u.name, u.role, u.subject, u.created_at, u.disabled_at
FROM interlock_find_login(:hash) AS f
CROSS JOIN LATERAL interlock_use_login(f.tenant, f.id, :at) AS d (is_used)
CROSS JOIN LATERAL interlock_users(f.tenant, f.person) AS u
WHERE d.is_used;

-- name: call_token_names
-- What tokens are called: those that are still good first, then the newest; at most so many.
SELECT id, name
FROM interlock_tokens(:tenant, NULL)
ORDER BY
    revoked_at IS NOT NULL OR (expires_at IS NOT NULL AND expires_at <= :now),
    created_at DESC, id
LIMIT :most;

-- name: call_users
-- The people of a tenant, or one of them.
SELECT tenant, id, email, name, role, subject, created_at, disabled_at
FROM interlock_users(:tenant, :id);

-- name: call_withdraw
-- Withdraw an invitation.
SELECT interlock_withdraw(:tenant, :id, :at, :act);
