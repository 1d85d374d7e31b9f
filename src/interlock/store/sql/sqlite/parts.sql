-- name: all_parts
-- All parts of a unit in their order, with when their leases run out.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields, due
FROM parts
WHERE tenant = :tenant AND unit = :unit AND gone_at IS NULL
ORDER BY ord;

-- name: count_children
-- How many parts under a part stand where. Without figures about the file SQLite would look at
-- all parts of the unit, so here and below it is told by which index to find them.
SELECT kind, status, count(*)
FROM parts INDEXED BY parts_by_parent
WHERE tenant = :tenant AND unit = :unit AND parent = :parent AND gone_at IS NULL
GROUP BY kind, status;

-- name: count_range
-- How many parts of a kind between two orders stand where.
SELECT status, count(*)
FROM parts
WHERE tenant = :tenant AND unit = :unit AND kind = :kind AND gone_at IS NULL
  AND ord > :low AND ord < :high
GROUP BY status;

-- name: count_to_ord
-- How many parts of a kind stand at an order or before it.
SELECT count(*)
FROM parts
WHERE tenant = :tenant AND unit = :unit AND ord <= :ord AND gone_at IS NULL AND kind = :kind;

-- name: find_all
-- All parts of a kind (none named: of every kind), in their order.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts
WHERE tenant = :tenant AND unit = :unit AND (:kind = '' OR kind = :kind) AND gone_at IS NULL
ORDER BY ord;

-- name: find_children
-- The parts of a kind under a part, in their order.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts INDEXED BY parts_by_parent
WHERE tenant = :tenant AND unit = :unit AND parent = :parent AND kind = :kind
  AND gone_at IS NULL
ORDER BY ord;

-- name: find_head
-- The part that a queue hands out first among those of a kind and status.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts
WHERE tenant = :tenant AND unit = :unit AND kind = :kind AND status = :status
  AND offer IS NOT NULL
ORDER BY offer, ord
LIMIT 1;

-- name: find_head_without
-- The same, passing over some parts.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts
WHERE tenant = :tenant AND unit = :unit AND kind = :kind AND status = :status
  AND offer IS NOT NULL
  AND number NOT IN (SELECT value FROM json_each(:without))
ORDER BY offer, ord
LIMIT 1;

-- name: find_range
-- The parts of a kind between two orders, in their order.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts
WHERE tenant = :tenant AND unit = :unit AND kind = :kind AND gone_at IS NULL
  AND ord > :low AND ord < :high
ORDER BY ord;

-- name: insert_part
-- Make a part.
INSERT INTO parts (
    tenant, unit, number, kind, parent, status, ord, waits, feeds, branches, offer, slot,
    role, member, site, holder, fence, lapsed, due, fields
)
VALUES (
    :tenant, :unit, :number, :kind, :parent, :status, :ord, :waits, :feeds, :branches, :offer,
    :slot, :role, :member, :site, :holder, :fence, :lapsed, :due, :fields
);

-- name: is_due
-- Whether the lease or the timer of a part has run out.
SELECT 1
FROM parts
WHERE tenant = :tenant AND unit = :unit AND number = :number AND due < :now;

-- name: load_part
-- A part with everything a decision needs of it.
SELECT
    number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
    holder, fence, lapsed, fields
FROM parts
WHERE tenant = :tenant AND unit = :unit AND number = :number AND gone_at IS NULL;

-- name: move_part
-- Write what most decisions change of a part: status, lease, body. SQLite writes every index anew
-- that a column set here is part of, so what has not changed is not set. The lease as below.
UPDATE parts
SET status = :status, offer = :offer, holder = :holder, fence = :fence, lapsed = :lapsed,
    fields = coalesce(:fields, fields),
    due = CASE
        WHEN :due < 0 THEN due
        WHEN :due IS NOT NULL THEN :due
        WHEN :holder IS NULL OR :lapsed <> 0 THEN NULL
        ELSE due
    END
WHERE tenant = :tenant AND unit = :unit AND number = :number;

-- name: list_leases
-- Leases from a place in the order of their ends on; an empty unit stands for all of them. Left
-- to itself SQLite looks through all parts that the tenant has ever had.
SELECT p.unit, u.workflow, p.number, p.kind, p.status, p.holder, p.due
FROM parts AS p INDEXED BY parts_by_due
JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
WHERE p.tenant = :tenant AND p.due IS NOT NULL AND p.holder IS NOT NULL
  AND (u.deleted_at IS NULL OR :sees_deleted)
  AND (:unit = '' OR p.unit = :unit)
  AND (:due IS NULL OR (p.due, p.unit, p.number) > (:due, :after, :number))
ORDER BY p.due, p.unit, p.number
LIMIT :limit;

-- name: next_ord
-- The order of the part that follows an order.
SELECT min(ord)
FROM parts
WHERE tenant = :tenant AND unit = :unit AND ord > :ord AND gone_at IS NULL;

-- name: part_place
-- Where a part stands, as far as a branch that leads to it must know.
SELECT status, ord
FROM parts
WHERE tenant = :tenant AND unit = :unit AND number = :number AND gone_at IS NULL;

-- name: remove_part
-- Take a part out for good; its row stays for those who look back.
UPDATE parts
SET gone_at = :at, offer = NULL, slot = NULL, due = NULL, holder = NULL
WHERE tenant = :tenant AND unit = :unit AND number = :number;

-- name: stop_timers
-- End the timers of all parts of a unit; leases stay as they are.
UPDATE parts
SET due = NULL
WHERE tenant = :tenant AND unit = :unit AND due IS NOT NULL AND holder IS NULL;

-- name: touch_part
-- Extend a lease that is alive, and nothing else.
UPDATE parts
SET due = :due
WHERE tenant = :tenant AND unit = :unit AND number = :number
  AND fence = :fence AND holder IS NOT NULL AND lapsed = 0 AND gone_at IS NULL;

-- name: update_part
-- Write what a decision has made of a part. A lease that was given or proved runs from now on,
-- one that nobody holds or that has run out has no end, any other keeps its own. A timer that
-- goes on is told by a number below 0.
UPDATE parts
SET status = :status, ord = :ord, waits = :waits, feeds = :feeds, branches = :branches,
    offer = :offer, slot = :slot, role = :role, member = :member, site = :site,
    holder = :holder, fence = :fence, lapsed = :lapsed, fields = coalesce(:fields, fields),
    due = CASE
        WHEN :due < 0 THEN due
        WHEN :due IS NOT NULL THEN :due
        WHEN :holder IS NULL OR :lapsed <> 0 THEN NULL
        ELSE due
    END
WHERE tenant = :tenant AND unit = :unit AND number = :number;
