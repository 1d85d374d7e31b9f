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
