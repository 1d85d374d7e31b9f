-- The functions about gates, one trip each; schema/postgres_gates.sql has them.

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
