-- The functions about boards, one trip each; schema/postgres_cards.sql has them.

-- name: call_bare_units
-- Units without a card.
SELECT unit, workflow, fields
FROM interlock_bare_units(:tenant, :limit);

-- name: call_count_groups
-- How many units of each group there are.
SELECT workflow, status, is_asked, amount
FROM interlock_count_groups(:tenant, :sought, :tag);

-- name: call_fill_cards
-- Give units their cards that have none.
SELECT interlock_fill_cards(:tenant, :units, :names, :sought, :held_at);

-- name: call_tiles
-- Units of some groups with all that a board shows of them.
SELECT
    id, workflow, status, changed_at, tally, tags, gates, gate_since, name, held_at, fields,
    due
FROM interlock_tiles(:tenant, :sought, :tag, :groups, :changed_at, :id, :limit);

-- name: call_vitals
-- How a tenant is doing, in numbers.
SELECT what, workflow, kind, amount, since
FROM interlock_vitals(:tenant);

-- name: call_work
-- What is offered or held, from a place on.
SELECT since, unit, workflow, number, kind, status, role, member, site, holder, due
FROM interlock_work(
    :tenant, :unit, :workflow, :kind, :role, :member, :tag, :site, :since, :after, :number, :limit
);
