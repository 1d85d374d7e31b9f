-- What grows old is forgotten, as it is today, for PostgreSQL; it goes with postgres.sql and its
-- neighbours, after all of them. Each function takes so many rows of all tenants by age alone, and
-- nothing that a unit needs which has not ended; what is younger than a day nobody takes. Dry, it
-- only counts. They run as the owner, for the app may take nothing away.

CREATE POLICY owner_finds ON replies FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON replies FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON skills FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON logs FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON logs FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON artifacts FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON contents FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON contents FOR UPDATE TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON deliveries FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON sessions FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON logins FOR DELETE TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON invitations FOR DELETE TO CURRENT_USER USING (true);

-- Answers to request ids, of units and executions that have ended.
CREATE FUNCTION interlock_prune_replies(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT r.tenant, r.principal, r.request
        FROM public.replies AS r
        CROSS JOIN given AS g
        WHERE r.at < g.before
            AND NOT EXISTS (
                SELECT FROM public.units AS u
                WHERE u.tenant = r.tenant AND u.id = r.unit AND u.ended_at IS NULL
            )
            AND NOT EXISTS (
                SELECT FROM public.skills AS s
                WHERE s.tenant = r.tenant AND s.id = r.unit AND s.status = 'started'
            )
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.replies AS r
        USING old AS o
        WHERE r.tenant = o.tenant AND r.principal = o.principal AND r.request = o.request AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- What hooks were sent, or could not be sent for good.
CREATE FUNCTION interlock_prune_deliveries(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT d.tenant, d.id
        FROM public.deliveries AS d
        CROSS JOIN given AS g
        WHERE d.at < g.before AND d.status <> 'pending'
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.deliveries AS d
        USING old AS o
        WHERE d.tenant = o.tenant AND d.id = o.id AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- What workers told of units that have ended.
CREATE FUNCTION interlock_prune_logs(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT l.tenant, l.unit, l.number
        FROM public.logs AS l
        CROSS JOIN given AS g
        WHERE l.at < g.before
            AND NOT EXISTS (
                SELECT FROM public.units AS u
                WHERE u.tenant = l.tenant AND u.id = l.unit AND u.ended_at IS NULL
            )
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.logs AS l
        USING old AS o
        WHERE l.tenant = o.tenant AND l.unit = o.unit AND l.number = o.number AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- Sessions that are over.
CREATE FUNCTION interlock_prune_sessions(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT s.tenant, s.id
        FROM public.sessions AS s
        CROSS JOIN given AS g
        WHERE LEAST(s.expires_at, s.ended_at) < g.before
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.sessions AS s
        USING old AS o
        WHERE s.tenant = o.tenant AND s.id = o.id AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- Login links that were used, or are no longer good.
CREATE FUNCTION interlock_prune_logins(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT l.tenant, l.id
        FROM public.logins AS l
        CROSS JOIN given AS g
        WHERE LEAST(l.expires_at, l.used_at) < g.before
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.logins AS l
        USING old AS o
        WHERE l.tenant = o.tenant AND l.id = o.id AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- Invitations that were accepted, withdrawn, or not taken.
CREATE FUNCTION interlock_prune_invitations(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT i.tenant, i.id
        FROM public.invitations AS i
        CROSS JOIN given AS g
        WHERE LEAST(i.expires_at, i.accepted_at, i.withdrawn_at) < g.before
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.invitations AS i
        USING old AS o
        WHERE i.tenant = o.tenant AND i.id = o.id AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
$$;

-- The bytes of old versions that only units have which have ended; what they were stays known.
--
-- It looks twice: what was found is locked first, then it is looked for again. Whoever has said it anew
-- in between is seen the second time; who is just saying it holds it, so it is passed over, and whoever
-- comes later waits, and brings it back.
CREATE FUNCTION interlock_prune_contents(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
DECLARE
    old_before CONSTANT BIGINT := LEAST(in_before, public.interlock_clock() - 86400000);
    old_tenants TEXT[];
    old_digests TEXT[];
BEGIN
    FOR look IN 1 .. 2 LOOP
        SELECT array_agg(o.tenant), array_agg(o.digest) INTO old_tenants, old_digests
        FROM (
            SELECT c.tenant, c.digest
            FROM public.contents AS c
            WHERE c.pruned_at IS NULL
                AND (
                    look = 1
                    OR (c.tenant, c.digest) IN (
                        SELECT f.tenant, f.digest
                        FROM unnest(old_tenants, old_digests) AS f (tenant, digest)
                    )
                )
                AND EXISTS (
                    SELECT FROM public.artifacts AS a
                    WHERE a.tenant = c.tenant AND a.digest = c.digest
                )
                AND NOT EXISTS (
                    SELECT FROM public.artifacts AS a
                    LEFT JOIN public.units AS u ON u.tenant = a.tenant AND u.id = a.unit
                    WHERE a.tenant = c.tenant AND a.digest = c.digest
                        AND (
                            u.ended_at IS NULL OR u.ended_at >= old_before
                            OR NOT EXISTS (
                                SELECT FROM public.artifacts AS n
                                WHERE n.tenant = a.tenant AND n.unit = a.unit AND n.part = a.part
                                    AND n.name = a.name AND n.version > a.version
                            )
                        )
                )
            LIMIT in_limit
            FOR UPDATE OF c SKIP LOCKED
        ) AS o;
    END LOOP;
    IF NOT in_is_dry THEN
        UPDATE public.contents AS c SET bytes = '', pruned_at = public.interlock_clock()
        FROM unnest(old_tenants, old_digests) AS o (tenant, digest)
        WHERE c.tenant = o.tenant AND c.digest = o.digest;
    END IF;
    RETURN COALESCE(cardinality(old_digests), 0);
END
$$;

-- They are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname LIKE 'interlock\_prune\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
