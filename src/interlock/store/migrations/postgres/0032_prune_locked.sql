-- What is pruned is locked and looked at a second time: a content that somebody was just saying again was
-- pruned, although a unit that goes on had it. schema/postgres_retention.sql has it as it is today.

CREATE OR REPLACE FUNCTION interlock_prune_contents(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
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
