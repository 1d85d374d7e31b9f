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
