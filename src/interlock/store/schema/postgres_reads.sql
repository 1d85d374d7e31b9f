-- What is read beside load and commit, also one function and one trip each; see there how a
-- tenant is set.

-- The parts that a bulk move or a link is about; the first row has the version of the unit.
CREATE FUNCTION interlock_find(
    in_tenant TEXT, in_unit TEXT, in_whom TEXT, in_kind TEXT, in_of BIGINT, in_to BIGINT,
    in_statuses TEXT[], in_ids BIGINT[]
)
RETURNS TABLE (
    version BIGINT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    numbers BIGINT[] := in_ids;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    version := (SELECT u.version FROM units AS u WHERE u.tenant = in_tenant AND u.id = in_unit);
    RETURN NEXT;
    IF in_whom = 'all' THEN
        RETURN QUERY
        SELECT
            NULL::BIGINT,
            p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
            p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit
            AND p.gone_at IS NULL
            AND (in_kind = '' OR p.kind = in_kind)
            AND (in_statuses IS NULL OR p.status = ANY (in_statuses))
        ORDER BY p.ord;
        RETURN;
    ELSIF in_whom = 'children' THEN
        numbers := ARRAY(
            SELECT p.number
            FROM parts AS p
            WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.parent = in_of
        );
    ELSIF in_whom = 'dependents' THEN
        numbers := ARRAY(
            SELECT l.part
            FROM links AS l
            WHERE l.tenant = in_tenant AND l.unit = in_unit AND l.need = in_of
        );
    ELSIF in_whom = 'range' THEN
        numbers := ARRAY(
            SELECT p.number
            FROM parts AS a
            JOIN parts AS z ON z.tenant = in_tenant AND z.unit = in_unit AND z.number = in_to
            JOIN parts AS p ON p.tenant = in_tenant AND p.unit = in_unit AND p.gone_at IS NULL
                AND p.ord > a.ord AND p.ord < z.ord
            WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.number = in_of
        );
    END IF;
    -- OFFSET 0 keeps the planner from reading all parts of the unit in their order instead.
    RETURN QUERY
    SELECT
        NULL::BIGINT,
        p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
        p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
    FROM unnest(numbers) AS n (number)
    CROSS JOIN LATERAL (
        SELECT o.* FROM parts AS o
        WHERE o.tenant = in_tenant AND o.unit = in_unit AND o.number = n.number OFFSET 0
    ) AS p
    WHERE p.gone_at IS NULL
        AND (in_kind = '' OR p.kind = in_kind)
        AND (in_statuses IS NULL OR p.status = ANY (in_statuses))
    ORDER BY p.ord;
END
$$;

-- What a rule sees around a part. `what` says what a row is: the unit's version, a part, an amount
-- of parts by kind and status, a condition, or how many of a status lie between it and its target.
CREATE FUNCTION interlock_around(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_parent BIGINT, in_current BIGINT,
    in_head BIGINT, in_has_dependents BOOLEAN, in_has_conditions BOOLEAN
)
RETURNS TABLE (
    what TEXT, amount BIGINT, place BIGINT, expression TEXT, action TEXT, params TEXT,
    target BIGINT, is_later BOOLEAN,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    what := 'unit';
    amount := (SELECT u.version FROM units AS u WHERE u.tenant = in_tenant AND u.id = in_unit);
    RETURN NEXT;
    RETURN QUERY
    SELECT
        w.what, NULL::BIGINT, NULL::BIGINT, NULL, NULL, NULL, NULL::BIGINT, NULL::BOOLEAN,
        p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
        p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
    FROM (VALUES ('parent', in_parent), ('current', in_current)) AS w (what, number)
    CROSS JOIN LATERAL (
        SELECT o.* FROM parts AS o
        WHERE o.tenant = in_tenant AND o.unit = in_unit AND o.number = w.number OFFSET 0
    ) AS p
    WHERE p.gone_at IS NULL;
    FOR what, kind, status, amount IN
        SELECT 'children', p.kind, p.status, count(*)
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.parent = in_head
            AND p.gone_at IS NULL
        GROUP BY p.kind, p.status
        UNION ALL
        SELECT 'dependents', p.kind, p.status, count(*)
        FROM links AS l
        CROSS JOIN LATERAL (
            SELECT o.kind, o.status, o.gone_at FROM parts AS o
            WHERE o.tenant = in_tenant AND o.unit = in_unit AND o.number = l.part OFFSET 0
        ) AS p
        WHERE in_has_dependents AND p.gone_at IS NULL
            AND l.tenant = in_tenant AND l.unit = in_unit AND l.need = in_part
        GROUP BY p.kind, p.status
    LOOP
        RETURN NEXT;
    END LOOP;
    IF NOT in_has_conditions THEN
        RETURN;
    END IF;
    FOR what, place, expression, action, params, target, status, is_later IN
        SELECT
            'condition', c.place, c.expression, c.action, c.params, c.target,
            t.status, t.ord > p.ord
        FROM conditions AS c
        JOIN parts AS p ON p.tenant = in_tenant AND p.unit = in_unit AND p.number = c.part
        LEFT JOIN parts AS t ON t.tenant = in_tenant AND t.unit = in_unit
            AND t.number = c.target AND t.gone_at IS NULL
        WHERE c.tenant = in_tenant AND c.unit = in_unit AND c.part = in_part
        ORDER BY c.place
    LOOP
        RETURN NEXT;
    END LOOP;
    FOR what, place, status, amount IN
        SELECT 'between', c.place, b.status, count(*)
        FROM conditions AS c
        JOIN parts AS p ON p.tenant = in_tenant AND p.unit = in_unit AND p.number = c.part
        JOIN parts AS t ON t.tenant = in_tenant AND t.unit = in_unit AND t.number = c.target
            AND t.gone_at IS NULL
        JOIN parts AS b ON b.tenant = in_tenant AND b.unit = in_unit AND b.kind = p.kind
            AND b.gone_at IS NULL AND b.ord > p.ord AND b.ord < t.ord
        WHERE c.tenant = in_tenant AND c.unit = in_unit AND c.part = in_part
        GROUP BY c.place, b.status
    LOOP
        RETURN NEXT;
    END LOOP;
END
$$;

-- A unit with everything that belongs to it: the unit, its parts in order, then its conditions.
CREATE FUNCTION interlock_whole(in_tenant TEXT, in_unit TEXT)
RETURNS TABLE (
    incarnation TEXT,
    unit TEXT, workflow TEXT, digest TEXT, unit_status TEXT, version BIGINT, head TEXT,
    made BIGINT, takes TEXT, tally TEXT, unit_fields TEXT, created_at BIGINT, changed_at BIGINT,
    ended_at BIGINT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT,
    fields TEXT, due BIGINT, needs BIGINT[],
    part BIGINT, expression TEXT, action TEXT, params TEXT, target BIGINT, unit_due BIGINT,
    tags TEXT[]
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    SELECT
        i.name, u.id, u.workflow, u.digest, u.status, u.version, u.head,
        u.made, u.takes, u.tally, u.fields, u.created_at, u.changed_at, u.ended_at, u.due,
        ARRAY(
            SELECT t.tag
            FROM tags AS t
            WHERE t.tenant = in_tenant AND t.unit = in_unit
            ORDER BY t.tag
        )
    INTO
        incarnation, unit, workflow, digest, unit_status, version, head,
        made, takes, tally, unit_fields, created_at, changed_at, ended_at, unit_due, tags
    FROM units AS u
    CROSS JOIN incarnations AS i
    WHERE u.tenant = in_tenant AND u.id = in_unit;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN NEXT;
    FOR number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence,
        lapsed, fields, due, needs
    IN
        SELECT
            p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds, p.branches, p.offer,
            p.slot, p.holder, p.fence, p.lapsed, p.fields, p.due, n.needs
        FROM parts AS p
        LEFT JOIN (
            SELECT l.part, array_agg(l.need ORDER BY l.place) AS needs
            FROM links AS l
            WHERE l.tenant = in_tenant AND l.unit = in_unit
            GROUP BY l.part
        ) AS n ON n.part = p.number
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.gone_at IS NULL
        ORDER BY p.ord
    LOOP
        RETURN NEXT;
    END LOOP;
    FOR part, expression, action, params, target IN
        SELECT c.part, c.expression, c.action, c.params, c.target
        FROM conditions AS c
        WHERE c.tenant = in_tenant AND c.unit = in_unit
        ORDER BY c.part, c.place
    LOOP
        RETURN NEXT;
    END LOOP;
END
$$;

-- Units whose queues may have work, the oldest first, with a part that stands for each queue. What
-- is bound to a site is for those who name it.
CREATE FUNCTION interlock_offers(
    in_tenant TEXT, in_workflow TEXT, in_kind TEXT, in_role TEXT, in_member TEXT, in_tags TEXT[],
    in_site TEXT, in_limit BIGINT
)
RETURNS TABLE (unit TEXT, workflow TEXT, kind TEXT, number BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.id, u.workflow, q.kind, h.number
    FROM units AS u
    CROSS JOIN LATERAL unnest(string_to_array(u.takes, ',')) AS q (kind)
    CROSS JOIN LATERAL (
        -- OFFSET 0: by the index of the queue, not by walking over all parts to the first.
        SELECT min(f.number) AS number
        FROM (
            SELECT p.number
            FROM parts AS p
            WHERE p.tenant = in_tenant AND p.unit = u.id AND p.kind = q.kind
                AND p.offer IS NOT NULL
                AND (in_role = '' OR p.role = in_role)
                AND (in_member = '' OR p.member = in_member)
                AND COALESCE(p.site, '') IN ('', in_site)
            OFFSET 0
        ) AS f
        HAVING count(*) > 0
    ) AS h
    WHERE u.tenant = in_tenant AND u.takes <> ''
        AND (in_workflow = '' OR u.workflow = in_workflow)
        AND (in_kind = '' OR q.kind = in_kind)
        AND NOT EXISTS (
            SELECT FROM unnest(in_tags) AS w (tag)
            WHERE NOT EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = w.tag
            )
        )
    ORDER BY u.created_at, u.id, q.kind
    LIMIT in_limit;
END
$$;

-- Entries of one unit in their order.
CREATE FUNCTION interlock_audit(
    in_tenant TEXT, in_unit TEXT, in_after BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    incarnation TEXT, xid TEXT, unit TEXT, sequence BIGINT, at BIGINT, body TEXT, hash TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT i.name, a.xid::TEXT, a.unit, a.sequence, a.at, a.body, a.hash
    FROM audit AS a
    CROSS JOIN incarnations AS i
    WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.sequence > in_after
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.sequence
    LIMIT in_limit;
END
$$;

-- Entries of all units from a position on; a position of another incarnation is none. Whatever
-- may still be joined by an entry of a transaction that is open is left for the next time.
CREATE FUNCTION interlock_feed(
    in_tenant TEXT, in_incarnation TEXT, in_xid TEXT, in_unit TEXT, in_sequence BIGINT,
    in_limit BIGINT
)
RETURNS TABLE (
    incarnation TEXT, xid TEXT, unit TEXT, sequence BIGINT, at BIGINT, body TEXT, hash TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    now_is CONSTANT TEXT := (SELECT i.name FROM incarnations AS i);
    after_xid CONSTANT XID8 := CASE WHEN in_incarnation = now_is THEN in_xid ELSE '0' END;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT now_is, a.xid::TEXT, a.unit, a.sequence, a.at, a.body, a.hash
    FROM audit AS a
    WHERE a.tenant = in_tenant
        AND (a.xid, a.unit, a.sequence) > (after_xid, in_unit, in_sequence)
        AND a.xid < pg_snapshot_xmin(pg_current_snapshot())
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.xid, a.unit, a.sequence
    LIMIT in_limit;
END
$$;

-- The functions are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname LIKE 'interlock\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
