-- name: all_links
-- What each part of a unit needs, in the order it came to need it.
SELECT part, need
FROM links
WHERE tenant = :tenant AND unit = :unit
ORDER BY part, place;

-- name: count_dependents
-- How many parts that need a part stand where.
SELECT p.kind, p.status, count(*)
FROM links AS l
CROSS JOIN parts AS p ON p.tenant = l.tenant AND p.unit = l.unit AND p.number = l.part
WHERE l.tenant = :tenant AND l.unit = :unit AND l.need = :need AND p.gone_at IS NULL
GROUP BY p.kind, p.status;

-- name: cut_links
-- Let nobody need a part, nor it anybody.
DELETE FROM links
WHERE tenant = :tenant AND unit = :unit AND (part = :number OR need = :number);

-- name: find_dependents
-- The parts that need a part (of a kind, where one is named), in their order. CROSS: the links
-- come first, because of the parts there may be many.
SELECT
    p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds, p.branches, p.offer, p.slot,
    p.holder, p.fence, p.lapsed, p.fields
FROM links AS l
CROSS JOIN parts AS p ON p.tenant = l.tenant AND p.unit = l.unit AND p.number = l.part
WHERE l.tenant = :tenant AND l.unit = :unit AND l.need = :need AND p.gone_at IS NULL
  AND (:kind = '' OR p.kind = :kind)
ORDER BY p.ord;

-- name: insert_link
-- Let a part need another one.
INSERT INTO links (tenant, unit, part, need, place)
VALUES (:tenant, :unit, :part, :need, :place);
