-- name: close_gate
-- Close the open gate of a part.
UPDATE gates
SET decision = :decision, event = :event, decided_at = :decided_at,
    decided_kind = :decided_kind, decided_by = :decided_by, decided_for = :decided_for,
    channel = :channel, decided_sequence = :decided_sequence
WHERE tenant = :tenant AND unit = :unit AND part = :part AND decided_at IS NULL;

-- name: find_gate
-- A gate of a unit by its id.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM gates
WHERE tenant = :tenant AND unit = :unit AND id = :id
    AND EXISTS (
        SELECT 1
        FROM units AS u
        WHERE u.tenant = :tenant AND u.id = gates.unit
          AND (u.deleted_at IS NULL OR :sees_deleted)
    );

-- name: insert_gate
-- Open a gate.
INSERT INTO gates (
    tenant, id, unit, part, workflow, kind, status, digest, policy, title, opened_at,
    opened_kind, opened_by, opened_for, opened_sequence, event, decided_kind, decided_by,
    decided_for, channel
)
VALUES (
    :tenant, :id, :unit, :part, :workflow, :kind, :status, :digest, :policy, :title, :opened_at,
    :opened_kind, :opened_by, :opened_for, :opened_sequence, '', '', '', '', ''
);

-- name: last_gate
-- The last gate of a part.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM gates
WHERE tenant = :tenant AND unit = :unit AND part = :part
ORDER BY opened_sequence DESC
LIMIT 1;

-- name: list_decided_gates
-- Gates that were decided, the last first, from a place in that order on.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM gates
WHERE tenant = :tenant AND decided_at IS NOT NULL
    AND EXISTS (
        SELECT 1
        FROM units AS u
        WHERE u.tenant = :tenant AND u.id = gates.unit
          AND (u.deleted_at IS NULL OR :sees_deleted)
    )
    AND (:unit = '' OR unit = :unit) AND (:workflow = '' OR workflow = :workflow)
    AND (:at IS NULL OR (decided_at, id) < (:at, :after))
ORDER BY decided_at DESC, id DESC
LIMIT :limit;

-- name: list_open_gates
-- Gates that are open, the oldest first, from a place in that order on.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM gates
WHERE tenant = :tenant AND decided_at IS NULL
    AND (:unit = '' OR unit = :unit) AND (:workflow = '' OR workflow = :workflow)
    AND (:at IS NULL OR (opened_at, id) > (:at, :after))
ORDER BY opened_at, id
LIMIT :limit;

-- name: unit_gates
-- The gates of a unit, by part and age.
SELECT
    id, unit, part, workflow, kind, status, digest, policy, title, opened_at, opened_kind,
    opened_by, opened_for, opened_sequence, decision, event, decided_at, decided_kind, decided_by,
    decided_for, channel, decided_sequence
FROM gates
WHERE tenant = :tenant AND unit = :unit
    AND EXISTS (
        SELECT 1
        FROM units AS u
        WHERE u.tenant = :tenant AND u.id = gates.unit
          AND (u.deleted_at IS NULL OR :sees_deleted)
    )
ORDER BY part, opened_sequence;
