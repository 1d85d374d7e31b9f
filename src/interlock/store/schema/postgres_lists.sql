-- Lists of today, for PostgreSQL; they go with postgres.sql and its neighbours. See
-- postgres_commands.sql how a tenant is set.

-- Units with their tags, the last changed first, from a place in that order on. The filters are
-- empty for any; those that have not ended are found by an index that has no others.
CREATE FUNCTION interlock_units(
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

-- How many parts of a kind stand at an order or before it.
CREATE FUNCTION interlock_place(in_tenant TEXT, in_unit TEXT, in_kind TEXT, in_ord BIGINT)
RETURNS TABLE (version BIGINT, place BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.version, (
        SELECT count(*)
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.gone_at IS NULL
            AND p.ord <= in_ord AND p.kind = in_kind
    )
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.id = in_unit;
END
$$;

-- Leases that were not given back, the one that ends first at the top, from a place in that order
-- on. An empty unit stands for all of them.
CREATE FUNCTION interlock_leases(
    in_tenant TEXT, in_unit TEXT, in_due BIGINT, in_after TEXT, in_number BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    unit TEXT, workflow TEXT, number BIGINT, kind TEXT, status TEXT, holder TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT p.unit, u.workflow, p.number, p.kind, p.status, p.holder, p.due
    FROM parts AS p
    JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
    WHERE p.tenant = in_tenant AND p.due IS NOT NULL AND p.holder IS NOT NULL
        AND (in_unit = '' OR p.unit = in_unit)
        AND (p.due, p.unit, p.number) > (in_due, in_after, in_number)
    ORDER BY p.due, p.unit, p.number
    LIMIT in_limit;
END
$$;

-- What is offered or held, of the oldest unit first, from a place in that order on. The filters are
-- empty for any.
CREATE FUNCTION interlock_work(
    in_tenant TEXT, in_unit TEXT, in_workflow TEXT, in_kind TEXT, in_role TEXT, in_member TEXT,
    in_tag TEXT, in_site TEXT, in_since BIGINT, in_after TEXT, in_number BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    since BIGINT, unit TEXT, workflow TEXT, number BIGINT, kind TEXT, status TEXT, role TEXT,
    member TEXT, site TEXT, holder TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        u.created_at, p.unit, u.workflow, p.number, p.kind, p.status, p.role, p.member, p.site,
        p.holder, p.due
    FROM units AS u
    JOIN parts AS p ON p.tenant = u.tenant AND p.unit = u.id
    WHERE u.tenant = in_tenant
        AND u.ended_at IS NULL
        AND p.gone_at IS NULL
        AND (
            (p.holder IS NOT NULL AND p.due IS NOT NULL)
            OR (p.offer IS NOT NULL AND p.kind = ANY (string_to_array(u.takes, ',')))
        )
        AND (in_unit = '' OR u.id = in_unit)
        AND (in_workflow = '' OR u.workflow = in_workflow)
        AND (in_kind = '' OR p.kind = in_kind)
        AND (in_role = '' OR p.role = in_role)
        AND (in_member = '' OR p.member = in_member)
        AND (in_site = '' OR p.site = in_site)
        AND (
            in_tag = ''
            OR EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = in_tag
            )
        )
        AND (u.created_at, p.unit, p.number) > (in_since, in_after, in_number)
    ORDER BY u.created_at, p.unit, p.number
    LIMIT in_limit;
END
$$;
