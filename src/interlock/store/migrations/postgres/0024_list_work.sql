-- What is offered or held, of the oldest unit first, from a place in that order on. The filters are
-- empty for any.
CREATE FUNCTION interlock_work(
    in_tenant TEXT, in_unit TEXT, in_workflow TEXT, in_kind TEXT, in_role TEXT, in_member TEXT,
    in_tag TEXT, in_since BIGINT, in_after TEXT, in_number BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    since BIGINT, unit TEXT, workflow TEXT, number BIGINT, kind TEXT, status TEXT, role TEXT,
    member TEXT, holder TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        u.created_at, p.unit, u.workflow, p.number, p.kind, p.status, p.role, p.member, p.holder,
        p.due
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

REVOKE ALL ON FUNCTION interlock_work(
    TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, BIGINT, TEXT, BIGINT, BIGINT
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_work(
    TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, BIGINT, TEXT, BIGINT, BIGINT
) TO interlock_app;

-- Keeps lines of a part; of the unit only so many stay. Two workers of one unit come one after
-- the other. Where they are the last lines of the part already they came a second time.
CREATE OR REPLACE FUNCTION interlock_append_logs(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_member TEXT, in_ats BIGINT[],
    in_streams TEXT[], in_texts TEXT[], in_most BIGINT
)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    amount CONSTANT BIGINT := COALESCE(array_length(in_ats, 1), 0);
    last BIGINT;
    known BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    PERFORM pg_advisory_xact_lock(hashtextextended(in_tenant || ' ' || in_unit, 22));
    SELECT max(k.number), count(*) FILTER (
        WHERE (k.at, k.stream, k.text) = (
            in_ats[amount - k.back], in_streams[amount - k.back], in_texts[amount - k.back]
        )
    )
    INTO last, known
    FROM (
        SELECT
            l.number, l.at, l.stream, l.text, row_number() OVER (ORDER BY l.number DESC) - 1 AS back
        FROM logs AS l
        WHERE l.tenant = in_tenant AND l.unit = in_unit AND l.part = in_part
        ORDER BY l.number DESC
        LIMIT amount
    ) AS k;
    IF amount > 0 AND known = amount THEN
        RETURN last;
    END IF;
    last := COALESCE(
        (SELECT max(l.number) FROM logs AS l WHERE l.tenant = in_tenant AND l.unit = in_unit), 0
    );
    INSERT INTO logs (tenant, unit, number, part, member, at, stream, text)
    SELECT in_tenant, in_unit, last + n.place, in_part, in_member, n.at, n.stream, n.text
    FROM unnest(in_ats, in_streams, in_texts) WITH ORDINALITY AS n (at, stream, text, place);
    last := last + amount;
    DELETE FROM logs WHERE tenant = in_tenant AND unit = in_unit AND number <= last - in_most;
    RETURN last;
END
$$;
