-- A tenant is erased: all that is said of it, in the order of these statements. What stays are the
-- hashes of its audit, and that its units were there.

-- name: close_tenant
-- Say that a tenant is erased: only then may what is kept for ever be taken away.
UPDATE tenants
SET name = '', closed_at = :at
WHERE id = :tenant AND closed_at IS NULL;

-- name: erase_chunks
-- Erase the pieces of documents.
DELETE FROM chunks
WHERE tenant = :tenant;

-- name: erase_jobs
-- Erase work that waits.
DELETE FROM jobs
WHERE tenant = :tenant;

-- name: erase_documents
-- Erase documents.
DELETE FROM documents
WHERE tenant = :tenant;

-- name: erase_artifacts
-- Erase what was kept.
DELETE FROM artifacts
WHERE tenant = :tenant;

-- name: erase_contents
-- Erase its bytes.
DELETE FROM contents
WHERE tenant = :tenant;

-- name: erase_links
-- Erase what parts need.
DELETE FROM links
WHERE tenant = :tenant;

-- name: erase_conditions
-- Erase branches.
DELETE FROM conditions
WHERE tenant = :tenant;

-- name: erase_logs
-- Erase what workers told.
DELETE FROM logs
WHERE tenant = :tenant;

-- name: erase_feedback
-- Erase what was thought of units.
DELETE FROM feedback
WHERE tenant = :tenant;

-- name: erase_gates
-- Erase gates.
DELETE FROM gates
WHERE tenant = :tenant;

-- name: erase_cards
-- Erase what boards show.
DELETE FROM cards
WHERE tenant = :tenant;

-- name: erase_skills
-- Erase skills that were executed.
DELETE FROM skills
WHERE tenant = :tenant;

-- name: erase_tags
-- Erase tags.
DELETE FROM tags
WHERE tenant = :tenant;

-- name: erase_parts
-- Erase parts.
DELETE FROM parts
WHERE tenant = :tenant;

-- name: erase_replies
-- Erase answers to request ids.
DELETE FROM replies
WHERE tenant = :tenant;

-- name: erase_calls
-- Erase the log of calls.
DELETE FROM calls
WHERE tenant = :tenant;

-- name: erase_usage
-- Erase what models were asked for.
DELETE FROM usage
WHERE tenant = :tenant;

-- name: erase_deliveries
-- Erase what hooks were sent.
DELETE FROM deliveries
WHERE tenant = :tenant;

-- name: erase_hooks
-- Erase hooks.
DELETE FROM hooks
WHERE tenant = :tenant;

-- name: erase_link_keys
-- Erase the key of links.
DELETE FROM link_keys
WHERE tenant = :tenant;

-- name: erase_projects
-- Erase projects.
DELETE FROM projects
WHERE tenant = :tenant;

-- name: erase_sessions
-- Erase sessions.
DELETE FROM sessions
WHERE tenant = :tenant;

-- name: erase_logins
-- Erase login links.
DELETE FROM logins
WHERE tenant = :tenant;

-- name: erase_invitations
-- Erase invitations.
DELETE FROM invitations
WHERE tenant = :tenant;

-- name: erase_tokens
-- Erase tokens.
DELETE FROM tokens
WHERE tenant = :tenant;

-- name: erase_users
-- Erase people.
DELETE FROM users
WHERE tenant = :tenant;

-- name: erase_acts
-- Erase what was done to them.
DELETE FROM acts
WHERE tenant = :tenant;

-- name: erase_audit
-- Erase what the audit says; the hashes stay.
UPDATE audit
SET body = ''
WHERE tenant = :tenant;

-- name: erase_units
-- Erase what units are; that they were, and where their audit ends, stays.
UPDATE units
SET fields = '{}', tally = '{}', takes = '', due = NULL, deleted_at = COALESCE(deleted_at, :at)
WHERE tenant = :tenant;

-- name: erase_note
-- Write down who has erased the tenant.
INSERT INTO acts (tenant, at, id, kind, who, behalf, channel, act, about, told)
VALUES (:tenant, :at, :id, :kind, :who, :behalf, :channel, :act, :about, :told);

-- name: list_erased
-- The tenants that were erased, and when; asked of a whole database.
SELECT id, closed_at
FROM tenants
WHERE closed_at IS NOT NULL
ORDER BY id;

-- name: list_lineage
-- The names of all incarnations that a database has had.
SELECT name FROM incarnations
UNION
SELECT name FROM restores
UNION
SELECT former FROM restores;
