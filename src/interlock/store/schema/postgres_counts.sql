-- What is counted over all tenants, for whoever runs the server.

-- How much waits, over all tenants: parts that can be handed out, and open gates with the instant
-- since when the first of them is open. Numbers and nothing else.
CREATE FUNCTION interlock_count_waiting()
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
        min(g.opened_at)
    FROM public.gates AS g
    WHERE g.decided_at IS NULL
$$;

REVOKE ALL ON FUNCTION interlock_count_waiting() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_count_waiting() TO interlock_app;
