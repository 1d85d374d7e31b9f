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

REVOKE ALL ON FUNCTION interlock_leases(TEXT, TEXT, BIGINT, TEXT, BIGINT, BIGINT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_leases(TEXT, TEXT, BIGINT, TEXT, BIGINT, BIGINT)
    TO interlock_app;
