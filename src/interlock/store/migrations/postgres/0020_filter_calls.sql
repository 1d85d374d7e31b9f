DROP FUNCTION interlock_calls(TEXT, BIGINT, TEXT, BIGINT);

-- Calls from a place in their order on, the newest first; the filters are empty for any. What a
-- call is about stands in what was asked or answered.
CREATE FUNCTION interlock_calls(
    in_tenant TEXT, in_at BIGINT, in_id TEXT, in_limit BIGINT, in_tool TEXT, in_about TEXT,
    in_is_failed BOOLEAN
)
RETURNS TABLE (
    tenant TEXT, at BIGINT, id TEXT, tool TEXT, kind TEXT, principal TEXT, session TEXT,
    channel TEXT, request TEXT, response TEXT, duration_ms BIGINT, failed BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        c.tenant, c.at, c.id, c.tool, c.kind, c.principal, c.session, c.channel, c.request,
        c.response, c.duration_ms, c.failed
    FROM calls AS c
    WHERE c.tenant = in_tenant
        AND (c.at, c.id) < (in_at, in_id)
        AND (in_tool = '' OR c.tool = in_tool)
        AND (NOT in_is_failed OR c.failed = 1)
        AND (
            in_about = ''
            OR strpos(c.request, in_about) > 0
            OR strpos(c.response, in_about) > 0
        )
    ORDER BY c.at DESC, c.id DESC
    LIMIT in_limit;
END
$$;

REVOKE ALL ON FUNCTION interlock_calls(TEXT, BIGINT, TEXT, BIGINT, TEXT, TEXT, BOOLEAN) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_calls(TEXT, BIGINT, TEXT, BIGINT, TEXT, TEXT, BOOLEAN)
TO interlock_app;
