-- What belongs to a part is found by its number, however many parts the unit has.
CREATE OR REPLACE FUNCTION interlock_find(
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

CREATE OR REPLACE FUNCTION interlock_around(
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

CREATE OR REPLACE FUNCTION interlock_unit_gates(in_tenant TEXT, in_unit TEXT, in_id TEXT)
RETURNS TABLE (
    id TEXT, unit TEXT, part BIGINT, workflow TEXT, kind TEXT, status TEXT, digest TEXT,
    policy TEXT, title TEXT, opened_at BIGINT, opened_kind TEXT, opened_by TEXT, opened_for TEXT,
    opened_sequence BIGINT, decision TEXT, event TEXT, decided_at BIGINT, decided_kind TEXT,
    decided_by TEXT, decided_for TEXT, channel TEXT, decided_sequence BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF in_id IS NOT NULL THEN
        -- OFFSET 0: by its id, not among all gates of the unit.
        RETURN QUERY
        SELECT
            g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
            g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
            g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
            g.decided_by, g.decided_for, g.channel, g.decided_sequence
        FROM (
            SELECT o.* FROM gates AS o WHERE o.tenant = in_tenant AND o.id = in_id OFFSET 0
        ) AS g
        WHERE g.unit = in_unit
            AND EXISTS (
                SELECT FROM units AS u
                WHERE u.tenant = in_tenant AND u.id = g.unit
            );
        RETURN;
    END IF;
    RETURN QUERY
    SELECT
        g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
        g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
        g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
        g.decided_by, g.decided_for, g.channel, g.decided_sequence
    FROM gates AS g
    WHERE g.tenant = in_tenant AND g.unit = in_unit
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = g.unit
        )
    ORDER BY g.part, g.opened_sequence;
END
$$;
