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

REVOKE ALL ON FUNCTION interlock_place(TEXT, TEXT, TEXT, BIGINT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_place(TEXT, TEXT, TEXT, BIGINT) TO interlock_app;

-- A lease is good up to its last moment: it has run out only after it.
CREATE OR REPLACE FUNCTION interlock_list_due(in_limit BIGINT)
RETURNS TABLE (tenant TEXT, unit TEXT, workflow TEXT, kind TEXT, number BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT p.tenant, p.unit, u.workflow, p.kind, p.number
    FROM public.parts AS p
    JOIN public.units AS u ON u.tenant = p.tenant AND u.id = p.unit
    WHERE p.due < (SELECT public.interlock_clock())
    ORDER BY p.due
    LIMIT in_limit
$$;
