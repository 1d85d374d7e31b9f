-- name: count_leases
-- How many leases of a tenant were not given back, and how many of these have run out. Left to
-- itself SQLite looks through all parts that the tenant has ever had.
SELECT count(*), coalesce(sum(p.due < :now), 0)
FROM parts AS p INDEXED BY parts_by_due
JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
WHERE p.tenant = :tenant
  AND p.due IS NOT NULL
  AND p.holder IS NOT NULL
  AND u.deleted_at IS NULL;

-- name: count_open_gates
-- How many gates of each workflow are open, and since when the first of them is.
SELECT workflow, count(*), min(opened_at)
FROM gates INDEXED BY gates_waiting
WHERE tenant = :tenant AND decided_at IS NULL
GROUP BY workflow
ORDER BY workflow;

-- name: count_queues
-- How many parts of each workflow and kind can be handed out.
SELECT u.workflow, p.kind, count(*)
FROM units AS u
JOIN parts AS p ON p.tenant = u.tenant AND p.unit = u.id AND p.offer IS NOT NULL
WHERE u.tenant = :tenant
  AND u.takes <> ''
  AND u.deleted_at IS NULL
  AND instr(',' || u.takes || ',', ',' || p.kind || ',') > 0
GROUP BY u.workflow, p.kind
ORDER BY u.workflow, p.kind;
