-- name: bare_units
-- Units without a card.
SELECT u.id, u.workflow, u.fields
FROM units AS u
WHERE u.tenant = :tenant
  AND NOT EXISTS (SELECT 1 FROM cards AS c WHERE c.tenant = :tenant AND c.unit = u.id)
LIMIT :limit;

-- name: count_bare
-- How many units have no card: counting both is much less than looking for each.
SELECT
    (SELECT count(*) FROM units AS u INDEXED BY units_by_change WHERE u.tenant = :tenant)
    - (SELECT count(*) FROM cards AS c WHERE c.tenant = :tenant);

-- name: count_groups
-- How many units of each workflow and status there are, with and without somebody being asked.
SELECT
    u.workflow, u.status,
    u.id IN (
        SELECT g.unit
        FROM gates AS g INDEXED BY gates_open
        WHERE g.tenant = :tenant AND g.decided_at IS NULL
        UNION ALL
        SELECT h.unit
        FROM cards AS h INDEXED BY cards_held
        WHERE h.tenant = :tenant AND h.held_at IS NOT NULL
    ) AS is_asked,
    count(*)
FROM units AS u INDEXED BY units_by_change
WHERE u.tenant = :tenant
  AND u.deleted_at IS NULL
  AND (
      :sought = ''
      OR u.id IN (
          SELECT c.unit FROM cards AS c WHERE c.tenant = :tenant AND instr(c.sought, :sought) > 0
      )
  )
  AND (
      :tag = ''
      OR EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = :tenant AND t.unit = u.id AND t.tag = :tag
      )
  )
GROUP BY 1, 2, 3;

-- name: fill_card
-- Give a unit its card, unless it has one by now.
INSERT INTO cards (tenant, unit, name, sought, held_at)
VALUES (:tenant, :unit, :name, :sought, :held_at)
ON CONFLICT DO NOTHING;

-- name: list_tiles
-- Units of some groups, the last changed first, from a place in that order on; with all that a
-- board shows of them. A group is a workflow, a status, and 1 where somebody is asked. Which units
-- they are is found by an index alone; only those are then read.
SELECT
    s.id, u.workflow, u.status, s.changed_at, u.tally,
    (
        SELECT json_group_array(a.tag)
        FROM (
            SELECT t.tag FROM tags AS t WHERE t.tenant = :tenant AND t.unit = s.id ORDER BY t.tag
        ) AS a
    ),
    (
        SELECT count(*)
        FROM gates AS g INDEXED BY gates_open
        WHERE g.tenant = :tenant AND g.unit = s.id AND g.decided_at IS NULL
    ),
    (
        SELECT min(g.opened_at)
        FROM gates AS g INDEXED BY gates_open
        WHERE g.tenant = :tenant AND g.unit = s.id AND g.decided_at IS NULL
    ),
    k.name, k.held_at, CASE WHEN k.unit IS NULL THEN u.fields END, u.due
FROM (
    SELECT n.id, n.changed_at
    FROM units AS n INDEXED BY units_by_change
    WHERE n.tenant = :tenant
      AND n.deleted_at IS NULL
      AND (:changed_at IS NULL OR (n.changed_at, n.id) < (:changed_at, :id))
      AND n.workflow || ' ' || n.status || ' ' || (
          n.id IN (
              SELECT g.unit
              FROM gates AS g INDEXED BY gates_open
              WHERE g.tenant = :tenant AND g.decided_at IS NULL
              UNION ALL
              SELECT h.unit
              FROM cards AS h INDEXED BY cards_held
              WHERE h.tenant = :tenant AND h.held_at IS NOT NULL
          )
      ) IN (SELECT w.value FROM json_each(:groups) AS w)
      AND (
          :sought = ''
          OR n.id IN (
              SELECT c.unit
              FROM cards AS c
              WHERE c.tenant = :tenant AND instr(c.sought, :sought) > 0
          )
      )
      AND (
          :tag = ''
          OR EXISTS (
              SELECT 1
              FROM tags AS t
              WHERE t.tenant = :tenant AND t.unit = n.id AND t.tag = :tag
          )
      )
    ORDER BY n.changed_at DESC, n.id DESC
    LIMIT :limit
) AS s
JOIN units AS u ON u.tenant = :tenant AND u.id = s.id
LEFT JOIN cards AS k ON k.tenant = :tenant AND k.unit = s.id
ORDER BY s.changed_at DESC, s.id DESC;

-- name: write_card
-- What a unit is called from now on; it goes on being held since it was.
INSERT INTO cards (tenant, unit, name, sought, held_at)
VALUES (:tenant, :unit, :name, :sought, :held_at)
ON CONFLICT (tenant, unit) DO UPDATE
SET name = :name, sought = :sought,
    held_at = CASE WHEN :held_at IS NULL THEN NULL ELSE coalesce(held_at, :held_at) END;

-- name: list_work
-- What is offered or held, of the oldest unit first, from a place in that order on. The filters
-- are empty for any.
SELECT
    u.created_at, p.unit, u.workflow, p.number, p.kind, p.status, p.role, p.member, p.site,
    p.holder, p.due
FROM units AS u
JOIN parts AS p ON p.tenant = u.tenant AND p.unit = u.id
WHERE u.tenant = :tenant
  AND u.ended_at IS NULL
  AND p.gone_at IS NULL
  AND (
      (p.holder IS NOT NULL AND p.due IS NOT NULL)
      OR (p.offer IS NOT NULL AND instr(',' || u.takes || ',', ',' || p.kind || ',') > 0)
  )
  AND (:unit = '' OR u.id = :unit)
  AND (:workflow = '' OR u.workflow = :workflow)
  AND (:kind = '' OR p.kind = :kind)
  AND (:role = '' OR p.role = :role)
  AND (:member = '' OR p.member = :member)
  AND (:site = '' OR p.site = :site)
  AND (
      :tag = ''
      OR EXISTS (
          SELECT 1 FROM tags AS t WHERE t.tenant = u.tenant AND t.unit = u.id AND t.tag = :tag
      )
  )
  AND (u.created_at, p.unit, p.number) > (:since, :after, :number)
ORDER BY u.created_at, p.unit, p.number
LIMIT :limit;
