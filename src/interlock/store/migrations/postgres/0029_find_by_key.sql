-- Who looks a unit up by its id is not to find it by when it was changed. A server whose statistics
-- know of few units takes the one index for as good as the other, keeps to it for as long as a
-- connection lives, and reads every unit of a tenant once there are many. So the index that has them
-- in the order of their changes is only for those who say that they want it; see schema/postgres.sql.
DROP INDEX units_by_change;
CREATE INDEX units_by_change ON units (tenant, changed_at, id, workflow, status, deleted_at)
    WHERE version > 0;

CREATE OR REPLACE FUNCTION interlock_units(
    in_tenant TEXT, in_workflow TEXT, in_changed_at BIGINT, in_id TEXT, in_limit BIGINT,
    in_is_open BOOLEAN, in_status TEXT, in_tag TEXT
)
RETURNS TABLE (
    unit TEXT, workflow TEXT, digest TEXT, status TEXT, version BIGINT, head TEXT, made BIGINT,
    takes TEXT, tally TEXT, fields TEXT, created_at BIGINT, changed_at BIGINT, ended_at BIGINT,
    tags TEXT[]
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    wanted TEXT[];
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF in_is_open THEN
        wanted := ARRAY(
            SELECT u.id
            FROM units AS u
            WHERE u.tenant = in_tenant AND u.ended_at IS NULL
                AND (in_workflow = '' OR u.workflow = in_workflow)
                AND (in_status = '' OR u.status = in_status)
                AND (in_tag = '' OR EXISTS (
                    SELECT FROM tags AS t
                    WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = in_tag
                ))
                AND (u.changed_at, u.id) < (in_changed_at, in_id)
            ORDER BY u.changed_at DESC, u.id DESC
            LIMIT in_limit
        );
    ELSE
        wanted := ARRAY(
            SELECT u.id
            FROM units AS u
            WHERE u.tenant = in_tenant AND u.version > 0
                AND (in_workflow = '' OR u.workflow = in_workflow)
                AND (in_status = '' OR u.status = in_status)
                AND (in_tag = '' OR EXISTS (
                    SELECT FROM tags AS t
                    WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = in_tag
                ))
                AND (u.changed_at, u.id) < (in_changed_at, in_id)
            ORDER BY u.changed_at DESC, u.id DESC
            LIMIT in_limit
        );
    END IF;
    RETURN QUERY
    SELECT
        u.id, u.workflow, u.digest, u.status, u.version, u.head, u.made,
        u.takes, u.tally, u.fields, u.created_at, u.changed_at, u.ended_at,
        ARRAY(
            SELECT t.tag
            FROM tags AS t
            WHERE t.tenant = in_tenant AND t.unit = u.id
            ORDER BY t.tag
        )
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.id = ANY (wanted)
    ORDER BY u.changed_at DESC, u.id DESC;
END
$$;

CREATE OR REPLACE FUNCTION interlock_bare_units(in_tenant TEXT, in_limit BIGINT)
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

CREATE OR REPLACE FUNCTION interlock_count_groups(in_tenant TEXT, in_sought TEXT, in_tag TEXT)
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

CREATE OR REPLACE FUNCTION interlock_tiles(
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
