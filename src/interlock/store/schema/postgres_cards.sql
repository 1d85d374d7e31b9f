-- Boards of today, for PostgreSQL; it goes with postgres.sql and its neighbours. What the columns
-- mean is said in sqlite_gates.sql.

CREATE TABLE cards (
    tenant  TEXT COLLATE "C" NOT NULL,
    unit    TEXT COLLATE "C" NOT NULL,
    name    TEXT             NOT NULL,
    sought  TEXT COLLATE "C" NOT NULL,
    held_at BIGINT,
    PRIMARY KEY (tenant, unit),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);
CREATE INDEX cards_held ON cards (tenant, unit) WHERE held_at IS NOT NULL;

GRANT SELECT, INSERT ON cards TO interlock_app;
GRANT UPDATE (name, sought, held_at) ON cards TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
BEGIN
    ALTER TABLE cards ENABLE ROW LEVEL SECURITY;
    ALTER TABLE cards FORCE ROW LEVEL SECURITY;
    EXECUTE format(
        'CREATE POLICY own_tenant ON cards USING (tenant %1$s) WITH CHECK (tenant %1$s)', own
    );
END
$$;

-- Writes the card of a unit, if there is one to write. It is called in the statement that commits,
-- once for each row of the outcome: the unit is locked. It goes on being held since it was.
CREATE FUNCTION interlock_write_card(
    in_outcome TEXT, in_tenant TEXT, in_unit TEXT, in_name TEXT, in_sought TEXT, in_held_at BIGINT
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' OR in_name IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO cards AS c (tenant, unit, name, sought, held_at)
    VALUES (in_tenant, in_unit, in_name, in_sought, in_held_at)
    ON CONFLICT (tenant, unit) DO UPDATE
    SET name = in_name, sought = in_sought,
        held_at = CASE WHEN in_held_at IS NULL THEN NULL ELSE COALESCE(c.held_at, in_held_at) END;
    RETURN true;
END
$$;

-- Gives units their cards that have none.
CREATE FUNCTION interlock_fill_cards(
    in_tenant TEXT, in_units TEXT[], in_names TEXT[], in_sought TEXT[], in_held_at BIGINT[]
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO cards (tenant, unit, name, sought, held_at)
    SELECT in_tenant, n.unit, n.name, n.sought, n.held_at
    FROM unnest(in_units, in_names, in_sought, in_held_at) AS n (unit, name, sought, held_at)
    ON CONFLICT DO NOTHING;
END
$$;

-- Units without a card; that there are none is known by counting.
CREATE FUNCTION interlock_bare_units(in_tenant TEXT, in_limit BIGINT)
RETURNS TABLE (unit TEXT, workflow TEXT, fields TEXT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF (SELECT count(*) FROM units AS u WHERE u.tenant = in_tenant AND u.version > 0)
        <= (
            SELECT count(*)
            FROM cards AS c
            JOIN units AS u ON u.tenant = in_tenant AND u.id = c.unit
            WHERE c.tenant = in_tenant
        )
    THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT u.id, u.workflow, u.fields
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.version > 0
        AND NOT EXISTS (SELECT FROM cards AS c WHERE c.tenant = in_tenant AND c.unit = u.id)
    LIMIT in_limit;
END
$$;

-- How many units of each workflow and status there are, with and without somebody being asked.
CREATE FUNCTION interlock_count_groups(in_tenant TEXT, in_sought TEXT, in_tag TEXT)
RETURNS TABLE (workflow TEXT, status TEXT, is_asked BOOLEAN, amount BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT s.workflow, s.status, s.is_asked, count(*)
    FROM (
        -- The order of a language costs more than all the rest.
        SELECT
            u.workflow COLLATE "C" AS workflow, u.status COLLATE "C" AS status,
            u.id IN (
                SELECT g.unit FROM gates AS g WHERE g.tenant = in_tenant AND g.decided_at IS NULL
                UNION ALL
                SELECT h.unit FROM cards AS h WHERE h.tenant = in_tenant AND h.held_at IS NOT NULL
            ) AS is_asked
        FROM units AS u
        WHERE u.tenant = in_tenant AND u.version > 0
            AND (in_sought = '' OR u.id IN (
                SELECT c.unit
                FROM cards AS c
                WHERE c.tenant = in_tenant AND strpos(c.sought, in_sought) > 0
            ))
            AND (in_tag = '' OR EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = in_tag
            ))
    ) AS s
    GROUP BY s.workflow, s.status, s.is_asked;
END
$$;

-- Units of some groups, the last changed first, from a place in that order on; with all that a
-- board shows of them. A group is a workflow, a status, and 1 where somebody is asked.
CREATE FUNCTION interlock_tiles(
    in_tenant TEXT, in_sought TEXT, in_tag TEXT,
    in_groups TEXT[], in_changed_at BIGINT, in_id TEXT, in_limit BIGINT
)
RETURNS TABLE (
    id TEXT, workflow TEXT, status TEXT, changed_at BIGINT, tally TEXT, tags TEXT[],
    gates BIGINT, gate_since BIGINT, name TEXT, held_at BIGINT, fields TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE
-- A board is short and asked for rarely: it is thought about each time, and sorted at its end.
SET enable_sort = on SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    wanted CONSTANT TEXT := set_config('interlock.tenant', in_tenant, true);
BEGIN
    RETURN QUERY
    SELECT
        u.id, u.workflow, u.status, u.changed_at, u.tally,
        ARRAY(
            SELECT t.tag FROM tags AS t WHERE t.tenant = wanted AND t.unit = u.id ORDER BY t.tag
        ),
        o.amount, o.since, k.name, k.held_at, CASE WHEN k.unit IS NULL THEN u.fields END, u.due
    FROM (
        SELECT n.id
        FROM units AS n
        WHERE n.tenant = wanted AND n.version > 0
            AND (n.changed_at, n.id) < (in_changed_at, in_id)
            -- As a test of each row it is a look into a hash; as a join it would be done first.
            AND (concat(
                n.workflow, ' ', n.status, ' ',
                CAST(
                    n.id IN (
                        SELECT g.unit
                        FROM gates AS g
                        WHERE g.tenant = wanted AND g.decided_at IS NULL
                        UNION ALL
                        SELECT h.unit
                        FROM cards AS h
                        WHERE h.tenant = wanted AND h.held_at IS NOT NULL
                    ) AS INTEGER
                )
            ) COLLATE "C" IN (SELECT unnest(in_groups))) IS TRUE
            AND (in_sought = '' OR n.id IN (
                SELECT c.unit
                FROM cards AS c
                WHERE c.tenant = wanted AND strpos(c.sought, in_sought) > 0
            ))
            AND (in_tag = '' OR EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = wanted AND t.unit = n.id AND t.tag = in_tag
            ))
        ORDER BY n.changed_at DESC, n.id DESC
        LIMIT in_limit
    ) AS s
    JOIN units AS u ON u.tenant = wanted AND u.id = s.id
    LEFT JOIN cards AS k ON k.tenant = wanted AND k.unit = s.id
    CROSS JOIN LATERAL (
        SELECT count(*) AS amount, min(g.opened_at) AS since
        FROM gates AS g
        WHERE g.tenant = wanted AND g.unit = s.id AND g.decided_at IS NULL
    ) AS o
    ORDER BY u.changed_at DESC, u.id DESC;
END
$$;

-- They are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname IN (
            'interlock_write_card', 'interlock_fill_cards', 'interlock_bare_units',
            'interlock_count_groups', 'interlock_tiles'
        )
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;

-- How a tenant is doing, in numbers: parts that can be handed out by workflow and kind, open gates
-- by workflow with the instant since when the first of them is open, leases that were not given
-- back, and how many of these have run out by the database's clock.
CREATE FUNCTION interlock_vitals(in_tenant TEXT)
RETURNS TABLE (what TEXT, workflow TEXT, kind TEXT, amount BIGINT, since BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT 'queue', u.workflow, p.kind, count(*), CAST(NULL AS BIGINT)
    FROM units AS u
    JOIN parts AS p ON p.tenant = in_tenant AND p.unit = u.id AND p.offer IS NOT NULL
    WHERE u.tenant = in_tenant AND u.takes <> ''
        AND p.kind = ANY (string_to_array(u.takes, ','))
    GROUP BY u.workflow, p.kind;
    RETURN QUERY
    SELECT 'gates', g.workflow, '', count(*), min(g.opened_at)
    FROM gates AS g
    WHERE g.tenant = in_tenant AND g.decided_at IS NULL
    GROUP BY g.workflow;
    RETURN QUERY
    SELECT
        'leases', '', '', count(*),
        count(*) FILTER (WHERE p.due < interlock_clock())
    FROM parts AS p
    JOIN units AS u ON u.tenant = in_tenant AND u.id = p.unit
    WHERE p.tenant = in_tenant AND p.due IS NOT NULL AND p.holder IS NOT NULL;
END
$$;

REVOKE ALL ON FUNCTION interlock_vitals(TEXT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_vitals(TEXT) TO interlock_app;
