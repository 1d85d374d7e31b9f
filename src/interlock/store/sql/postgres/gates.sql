-- The functions about gates, one trip each; schema/postgres_gates.sql has them.

-- name: call_commit_gates
-- Everything one command writes, gates included, or nothing.
SELECT
    c.outcome, c.clock, c.asked, c.reply,
    c.number, c.kind, c.status, c.ord, c.parent, c.waits, c.feeds, c.branches, c.offer, c.slot,
    c.holder, c.fence, c.lapsed, c.fields,
    g.is_written
FROM interlock_commit(
    :tenant, :unit, :before, :at, :overdue,
    :principal, :request, :asked, :reply,
    :workflow, :digest, :status, :version, :head, :made, :takes, :tally, :fields,
    :created_at, :changed_at, :ended_at,
    :sequences, :instants, :entries, :hashes,
    :numbers, :statuses, :ords, :waits, :feeds, :branches, :offers, :slots, :roles, :members,
    :holders, :fences, :lapsed, :leases, :bodies, :changed, :kinds, :parents,
    :gone, :has_beside,
    :link_parts, :link_needs, :link_places,
    :condition_parts, :condition_places, :expressions, :actions, :params, :targets,
    :tags,
    :artifact_parts, :names, :digests, :contents, :media_types, :marks, :authors,
    :skill, :skill_before, :skill_status, :skill_metadata, :skill_ended_at,
    :queue_kinds, :queue_statuses
) AS c
CROSS JOIN LATERAL interlock_write_gates(
    c.outcome, :tenant, :unit, :workflow,
    :closed_parts, :decisions, :events, :decided_at, :decided_kinds, :decided_by, :decided_for,
    :channels, :decided_sequences,
    :gate_ids, :gate_parts, :gate_kinds, :gate_statuses, :gate_digests, :policies, :titles,
    :opened_at, :opened_kinds, :opened_by, :opened_for, :opened_sequences
) AS g (is_written);

-- name: call_gate_at
-- The gate with an id, else the last one of a part.
SELECT
    version,
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM interlock_gate_at(:tenant, :unit, :part, :id);

-- name: call_gates
-- Gates of a tenant, open or decided.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM interlock_gates(:tenant, :is_open, :unit, :workflow, :at, :after, :limit);

-- name: call_unit_gates
-- The gates of a unit, or the one with an id.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM interlock_unit_gates(:tenant, :unit, :id);
