-- name: count_waiting
-- How much waits, over all tenants: parts that can be handed out, and open gates with the instant
-- since when the first of them is open.
SELECT
    (
        SELECT count(*)
        FROM parts AS p
        JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
        WHERE p.offer IS NOT NULL
          AND instr(',' || u.takes || ',', ',' || p.kind || ',') > 0
    ),
    count(*),
    min(opened_at)
FROM gates
WHERE decided_at IS NULL;

-- name: insert_unit
-- Make a unit; one with this id in this tenant must not be there.
INSERT INTO units (
    tenant, id, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at, ended_at, due
)
VALUES (
    :tenant, :id, :workflow, :digest, :status, :version, :head, :made, :takes, :tally, :fields,
    :created_at, :changed_at, :ended_at, nullif(:due, 0)
);

-- name: is_unit_due
-- Whether the timer of a unit has run out.
SELECT 1
FROM units
WHERE tenant = :tenant AND id = :unit AND due < :now;

-- name: list_offers
-- Units whose queues may have work, the oldest first; a part that may be handed out stands for
-- each queue. The filters are empty for any; what is bound to a site is for those who name
-- it. CROSS and the indexes: units that may have work come
-- first and of each only what is offered, however many parts there are.
SELECT u.id, u.workflow, p.kind, min(p.number)
FROM units AS u INDEXED BY units_by_work
CROSS JOIN parts AS p INDEXED BY parts_by_offer
    ON p.tenant = u.tenant AND p.unit = u.id AND p.offer IS NOT NULL
WHERE u.tenant = :tenant
  AND u.takes <> ''
  AND (:workflow = '' OR u.workflow = :workflow)
  AND instr(',' || u.takes || ',', ',' || p.kind || ',') > 0
  AND (:kind = '' OR p.kind = :kind)
  AND (:role = '' OR p.role = :role)
  AND (:member = '' OR p.member = :member)
  AND coalesce(p.site, '') IN ('', :site)
  AND NOT EXISTS (
      SELECT 1
      FROM json_each(:tags) AS wanted
      WHERE NOT EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = u.tenant AND t.unit = u.id AND t.tag = wanted.value
      )
  )
GROUP BY u.created_at, u.id, p.kind
ORDER BY u.created_at, u.id, p.kind
LIMIT :limit;

-- name: list_open_units
-- The same of those that have not ended, by an index that has no others.
SELECT
    id, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at, ended_at
FROM units
WHERE tenant = :tenant
  AND ended_at IS NULL
  AND (:workflow = '' OR workflow = :workflow)
  AND (:status = '' OR status = :status)
  AND (
      :tag = ''
      OR EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = units.tenant AND t.unit = units.id AND t.tag = :tag
      )
  )
  AND (:changed_at IS NULL OR (changed_at, id) < (:changed_at, :id))
ORDER BY changed_at DESC, id DESC
LIMIT :limit;

-- name: list_units
-- Units from a place in the order of their last change on, the newest first.
SELECT
    id, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at, ended_at
FROM units
WHERE tenant = :tenant
  AND (deleted_at IS NULL OR :sees_deleted)
  AND (:workflow = '' OR workflow = :workflow)
  AND (:status = '' OR status = :status)
  AND (
      :tag = ''
      OR EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = units.tenant AND t.unit = units.id AND t.tag = :tag
      )
  )
  AND (:changed_at IS NULL OR (changed_at, id) < (:changed_at, :id))
ORDER BY changed_at DESC, id DESC
LIMIT :limit;

-- name: load_unit
-- A unit with everything a decision needs of it.
SELECT
    id, workflow, digest, status, version, head, made, takes, tally, fields,
    created_at, changed_at, ended_at
FROM units
WHERE tenant = :tenant AND id = :id AND (deleted_at IS NULL OR :sees_deleted);

-- name: mark_deleted
-- Say that a unit is deleted; it stays for the audit, and nobody else finds it.
UPDATE units
SET deleted_at = :at
WHERE tenant = :tenant AND id = :id;

-- name: move_unit
-- Write what every decision changes of a unit, if nobody was faster.
UPDATE units
SET status = :status, version = :version, head = :head, tally = :tally, changed_at = :changed_at
WHERE tenant = :tenant AND id = :id AND version = :before;

-- name: tag_unit
-- Give a unit a tag.
INSERT INTO tags (tenant, unit, tag)
VALUES (:tenant, :unit, :tag)
ON CONFLICT DO NOTHING;

-- name: unit_due
-- When the timer of a unit runs out.
SELECT due
FROM units
WHERE tenant = :tenant AND id = :id AND due IS NOT NULL;

-- name: unit_tags
-- The tags of a unit.
SELECT tag
FROM tags
WHERE tenant = :tenant AND unit = :unit
ORDER BY tag;

-- name: unit_version
-- The version that a touch is guarded by.
SELECT version
FROM units
WHERE tenant = :tenant AND id = :id AND deleted_at IS NULL;

-- name: update_unit
-- Write what a decision has made of a unit, if nobody was faster.
UPDATE units
SET status = :status, version = :version, head = :head, made = :made, takes = :takes,
    tally = :tally, fields = coalesce(:fields, fields), changed_at = :changed_at,
    ended_at = :ended_at, due = CASE WHEN :due IS NULL THEN due ELSE nullif(:due, 0) END
WHERE tenant = :tenant AND id = :id AND version = :before;
