-- How much waits, over all tenants: parts that can be handed out, and units at a gate with the
-- instant since when the first of them stands there. Numbers and nothing else; a gate is written
-- as its workflow, a blank, and the status.
CREATE FUNCTION interlock_count_waiting(in_gates TEXT[])
RETURNS TABLE (claimable BIGINT, gates BIGINT, since BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT
        (
            SELECT count(*)
            FROM public.parts AS p
            JOIN public.units AS u ON u.tenant = p.tenant AND u.id = p.unit
            WHERE p.offer IS NOT NULL
                AND p.kind = ANY (string_to_array(u.takes, ','))
        ),
        count(*),
        min(u.changed_at)
    FROM public.units AS u
    WHERE u.ended_at IS NULL AND u.workflow || ' ' || u.status = ANY (in_gates)
$$;

REVOKE ALL ON FUNCTION interlock_count_waiting(TEXT[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_count_waiting(TEXT[]) TO interlock_app;
