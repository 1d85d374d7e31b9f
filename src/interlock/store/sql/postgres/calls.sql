-- The functions that commands and reads call, one trip each; schema/postgres_*.sql has them.

-- name: call_add_tenant
-- Make a tenant, unless there is one.
SELECT interlock_add_tenant(:tenant, :name, :at);

-- name: call_add_token
-- Keep a token under the SHA-256 of its secret.
SELECT interlock_add_token(
    :tenant, :id, :name, :kind, :scopes, :prefix, :created_at, :expires_at, :owner, :hash, :act
);

-- name: call_around
-- What a rule sees around a part.
SELECT
    what, amount, place, expression, action, params, target, is_later,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields
FROM interlock_around(
    :tenant, :unit, :part, :parent, :current, :head, :has_dependents, :has_conditions
);

-- name: call_artifacts
-- What is kept for a unit.
SELECT unit, part, name, version, digest, size, media_type, mark, author, at
FROM interlock_artifacts(:tenant, :unit);

-- name: call_audit
-- Entries of one unit.
SELECT incarnation, xid, unit, sequence, at, body, hash
FROM interlock_audit(:tenant, :unit, :after, :limit);

-- name: call_commit
-- Everything one command writes, or nothing.
SELECT
    outcome, clock, asked, reply,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields
FROM interlock_commit(
    :tenant, :unit, :before, :at, :overdue,
    :principal, :request, :asked, :reply,
    :workflow, :digest, :status, :version, :head, :made, :takes, :tally, :fields,
    :created_at, :changed_at, :ended_at,
    :sequences, :instants, :entries, :hashes,
    :numbers, :statuses, :ords, :waits, :feeds, :branches, :offers, :slots, :roles, :members,
    :sites, :holders, :fences, :lapsed, :leases, :bodies, :changed, :kinds, :parents,
    :gone, :has_beside,
    :link_parts, :link_needs, :link_places,
    :condition_parts, :condition_places, :expressions, :actions, :params, :targets,
    :tags,
    :artifact_parts, :names, :digests, :contents, :media_types, :marks, :authors,
    :skill, :skill_before, :skill_status, :skill_metadata, :skill_ended_at,
    :queue_kinds, :queue_statuses
);

-- name: call_content
-- Content by its SHA-256.
SELECT bytes, pruned_at
FROM interlock_content(:tenant, :digest);

-- name: call_count_waiting
-- How much waits, over all tenants.
SELECT claimable, gates, since
FROM interlock_count_waiting();

-- name: call_due
-- Leases of any tenant that have run out.
SELECT tenant, unit, workflow, kind, number
FROM interlock_list_due(:limit);

-- name: call_feed
-- Entries of all units of a tenant from a position on.
SELECT incarnation, xid, unit, sequence, at, body, hash
FROM interlock_feed(:tenant, :incarnation, :xid, :unit, :sequence, :limit);

-- name: call_find
-- The parts that a bulk move or a link is about.
SELECT
    version,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields
FROM interlock_find(:tenant, :unit, :whom, :kind, :of, :to, :statuses, :ids);

-- name: call_gap
-- The order of the part that follows an order.
SELECT version, ord
FROM interlock_gap(:tenant, :unit, :ord);

-- name: call_heads
-- The heads of queues again, without some parts.
SELECT
    version,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields
FROM interlock_heads(:tenant, :unit, :kinds, :statuses, :without);

-- name: call_keep
-- Keep an artifact beside a unit that does not change.
SELECT version
FROM interlock_keep(
    :tenant, :unit, :part, :name, :digest, :content, :media_type, :mark, :author
);

-- name: call_leases
-- Leases from a place in the order of their ends on.
SELECT unit, workflow, number, kind, status, holder, due
FROM interlock_leases(:tenant, :unit, :due, :after, :number, :limit);

-- name: call_load
-- A unit with one of its parts, an earlier reply, and the heads of its queues.
SELECT
    clock, incarnation, asked, reply,
    unit, workflow, digest, unit_status, version, head, made, takes, tally, unit_fields,
    created_at, changed_at, ended_at,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields
FROM interlock_load(:tenant, :unit, :part, :kinds, :statuses, :principal, :request);

-- name: call_move
-- What most commands write: one or two parts moved, as many entries, and what goes with them.
-- Its row comes as one value: as a table it would take a twentieth longer.
SELECT interlock_move(
    :tenant, :unit, :before, :at, :principal, :request, :asked, :reply,
    :status, :version, :head, :tally, :changed_at, :entry, :first, :first_hash,
    :number, :part_status, :offer, :holder, :fence, :lapsed, :lease, :body,
    :next, :next_status, :next_offer, :next_holder, :next_fence, :next_lapsed, :next_lease,
    :next_body,
    :artifact_part, :name, :digest, :content, :media_type, :mark, :author,
    :queue_kind, :queue_status
);

-- name: call_offers
-- Units whose queues may have work.
SELECT unit, workflow, kind, number
FROM interlock_offers(:tenant, :workflow, :kind, :role, :member, :tags, :site, :limit);

-- name: call_place
-- How many parts of a kind stand at an order or before it.
SELECT version, place
FROM interlock_place(:tenant, :unit, :kind, :ord);

-- name: call_revoke_token
-- Revoke a token that is still good.
SELECT interlock_revoke_token(:tenant, :id, :at, :act);

-- name: call_tenants
-- All tenants.
SELECT tenant
FROM interlock_list_tenants();

-- name: call_token
-- The token with this hash: whose it is, looked up across tenants, then read as that tenant.
SELECT
    t.tenant, t.id, t.name, t.kind, t.scopes, t.prefix, t.created_at, t.expires_at, t.revoked_at,
    t.owner, t.owner_role, t.owner_disabled_at
FROM interlock_find_token(:hash) AS f
CROSS JOIN LATERAL interlock_tokens(f.tenant, f.id) AS t;

-- name: call_tokens
-- The tokens of a tenant.
SELECT
    tenant, id, name, kind, scopes, prefix, created_at, expires_at, revoked_at, owner, owner_role,
    owner_disabled_at
FROM interlock_tokens(:tenant, NULL);

-- name: call_touch
-- Extend a lease and write nothing else.
SELECT outcome, clock
FROM interlock_touch(:tenant, :unit, :version, :number, :fence, :lease_ms);

-- name: call_units
-- Units from a place in the order of their last change on.
SELECT
    unit, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at, ended_at, tags
FROM interlock_units(
    :tenant, :workflow, :changed_at, :id, :limit, :is_open, :status, :tag
);

-- name: call_whole
-- A unit with everything that belongs to it.
SELECT
    incarnation,
    unit, workflow, digest, unit_status, version, head, made, takes, tally, unit_fields,
    created_at, changed_at, ended_at,
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence, lapsed,
    fields, due, needs,
    part, expression, action, params, target, unit_due, tags
FROM interlock_whole(:tenant, :unit);

-- name: feed_end
-- Where the feed goes on with what has not committed yet; the same for all tenants.
SELECT i.name, pg_snapshot_xmin(pg_current_snapshot())::TEXT
FROM incarnations AS i;

-- name: notify_tenants
-- Tell the other processes whose rows have changed; outside of any commit.
SELECT pg_notify(:channel, t.tenant)
FROM unnest(CAST(:tenants AS TEXT[])) AS t (tenant);
