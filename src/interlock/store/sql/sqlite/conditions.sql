-- name: all_conditions
-- The branches of all parts of a unit.
SELECT part, expression, action, params, target
FROM conditions
WHERE tenant = :tenant AND unit = :unit
ORDER BY part, place;

-- name: cut_branches
-- Take away the branches that hang on a part.
DELETE FROM conditions
WHERE tenant = :tenant AND unit = :unit AND part = :part;

-- name: cut_conditions
-- Take away the branches that hang on a part or lead to it.
DELETE FROM conditions
WHERE tenant = :tenant AND unit = :unit AND (part = :number OR target = :number);

-- name: insert_condition
-- Hang a branch on a part.
INSERT INTO conditions (tenant, unit, part, place, expression, action, params, target)
VALUES (:tenant, :unit, :part, :place, :expression, :action, :params, :target);

-- name: part_conditions
-- The branches that hang on a part, in the order they are asked.
SELECT expression, action, params, target
FROM conditions
WHERE tenant = :tenant AND unit = :unit AND part = :part
ORDER BY place;
