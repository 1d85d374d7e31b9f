-- What grows old is forgotten; see schema/postgres_retention.sql.

ALTER TABLE contents ADD COLUMN pruned_at BIGINT;
GRANT UPDATE (bytes, pruned_at) ON contents TO interlock_app;
CREATE INDEX artifacts_by_digest ON artifacts (tenant, digest);

CREATE OR REPLACE FUNCTION interlock_write_beside(
    in_tenant TEXT, in_unit TEXT, in_at BIGINT,
    in_link_parts BIGINT[], in_link_needs BIGINT[], in_link_places BIGINT[],
    in_condition_parts BIGINT[], in_condition_places BIGINT[], in_expressions TEXT[],
    in_actions TEXT[], in_params TEXT[], in_targets BIGINT[],
    in_tags TEXT[],
    in_artifact_parts BIGINT[], in_names TEXT[], in_digests TEXT[], in_contents BYTEA[],
    in_media_types TEXT[], in_marks TEXT[], in_authors TEXT[]
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_link_parts IS NOT NULL THEN
        INSERT INTO links (tenant, unit, part, need, place)
        SELECT in_tenant, in_unit, l.part, l.need, l.place
        FROM unnest(in_link_parts, in_link_needs, in_link_places) AS l (part, need, place);
    END IF;
    IF in_condition_parts IS NOT NULL THEN
        DELETE FROM conditions AS old
        USING unnest(in_condition_parts, in_condition_places) AS c (part, place)
        WHERE old.tenant = in_tenant AND old.unit = in_unit AND old.part = c.part AND c.place = 0;
        INSERT INTO conditions (tenant, unit, part, place, expression, action, params, target)
        SELECT in_tenant, in_unit, c.part, c.place, c.expression, c.action, c.params, c.target
        FROM unnest(
            in_condition_parts, in_condition_places, in_expressions, in_actions, in_params,
            in_targets
        ) AS c (part, place, expression, action, params, target)
        WHERE c.place > 0;
    END IF;
    IF in_tags IS NOT NULL THEN
        INSERT INTO tags (tenant, unit, tag)
        SELECT in_tenant, in_unit, t.tag
        FROM unnest(in_tags) AS t (tag)
        ON CONFLICT DO NOTHING;
    END IF;
    -- The unit is locked, so nobody else counts the versions of these names now.
    FOR i IN 1 .. COALESCE(cardinality(in_names), 0) LOOP
        INSERT INTO contents AS known (tenant, digest, size, bytes)
        VALUES (in_tenant, in_digests[i], octet_length(in_contents[i]), in_contents[i])
        -- What was pruned is there again with whoever says it again.
        ON CONFLICT (tenant, digest) DO UPDATE SET bytes = EXCLUDED.bytes, pruned_at = NULL
        WHERE known.pruned_at IS NOT NULL;
        INSERT INTO artifacts (
            tenant, unit, part, name, version, digest, media_type, mark, author, at
        )
        VALUES (
            in_tenant, in_unit, in_artifact_parts[i], in_names[i],
            (
                SELECT COALESCE(max(a.version), 0) + 1
                FROM artifacts AS a
                WHERE a.tenant = in_tenant AND a.unit = in_unit
                    AND a.part = in_artifact_parts[i] AND a.name = in_names[i]
            ),
            in_digests[i], in_media_types[i], in_marks[i], in_authors[i], in_at
        );
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION interlock_move(
    in_tenant TEXT, in_unit TEXT, in_before BIGINT, in_at BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT,
    in_status TEXT, in_version BIGINT, in_head TEXT, in_tally TEXT, in_changed_at BIGINT,
    in_entry TEXT,
    in_number BIGINT, in_part_status TEXT, in_offer BIGINT, in_holder TEXT, in_fence BIGINT,
    in_lapsed BIGINT, in_lease BIGINT, in_body TEXT,
    in_artifact_part BIGINT, in_name TEXT, in_digest TEXT, in_content BYTEA, in_media_type TEXT,
    in_mark TEXT, in_author TEXT,
    in_queue_kind TEXT, in_queue_status TEXT,
    OUT outcome TEXT, OUT clock BIGINT, OUT asked TEXT, OUT reply TEXT,
    OUT number BIGINT, OUT kind TEXT, OUT status TEXT, OUT ord BIGINT, OUT parent BIGINT,
    OUT waits BIGINT, OUT feeds BIGINT, OUT branches BIGINT, OUT offer BIGINT, OUT slot TEXT,
    OUT holder TEXT, OUT fence BIGINT, OUT lapsed BIGINT, OUT fields TEXT
)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    clock := interlock_clock();
    outcome := 'ok';
    IF in_request IS NOT NULL AND EXISTS (
        SELECT FROM replies AS r
        WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request
    ) THEN
        outcome := 'known';
    ELSE
        UPDATE units AS u
        SET status = in_status, version = in_version, head = in_head, tally = in_tally,
            changed_at = in_changed_at
        WHERE u.tenant = in_tenant AND u.id = in_unit AND u.version = in_before;
        IF NOT FOUND THEN
            outcome := 'stale';
        END IF;
    END IF;
    IF outcome <> 'ok' THEN
        -- Nothing has been written. A copy of this command may have been the one who was faster.
        SELECT r.asked, r.text INTO asked, reply
        FROM replies AS r
        WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
        IF FOUND THEN
            outcome := 'known';
        END IF;
        RETURN;
    END IF;
    IF in_request IS NOT NULL THEN
        -- If the same key is being used for another unit, this fails and all is undone.
        INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
        VALUES (in_tenant, in_principal, in_request, in_asked, in_unit, in_reply, in_at);
    END IF;
    UPDATE parts AS p
    SET status = in_part_status, offer = in_offer, holder = in_holder, fence = in_fence,
        lapsed = in_lapsed, fields = COALESCE(in_body, p.fields),
        due = CASE
            WHEN in_holder IS NULL OR in_lapsed <> 0 THEN NULL
            ELSE COALESCE(clock + in_lease, p.due)
        END
    WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.number = in_number;
    IF in_name IS NOT NULL THEN
        INSERT INTO contents AS known (tenant, digest, size, bytes)
        VALUES (in_tenant, in_digest, octet_length(in_content), in_content)
        -- What was pruned is there again with whoever says it again.
        ON CONFLICT (tenant, digest) DO UPDATE SET bytes = EXCLUDED.bytes, pruned_at = NULL
        WHERE known.pruned_at IS NOT NULL;
        -- The unit is locked, so nobody else counts the versions of this name now.
        INSERT INTO artifacts (
            tenant, unit, part, name, version, digest, media_type, mark, author, at
        )
        VALUES (
            in_tenant, in_unit, in_artifact_part, in_name,
            (
                SELECT COALESCE(max(a.version), 0) + 1
                FROM artifacts AS a
                WHERE a.tenant = in_tenant AND a.unit = in_unit
                    AND a.part = in_artifact_part AND a.name = in_name
            ),
            in_digest, in_media_type, in_mark, in_author, in_at
        );
    END IF;
    INSERT INTO audit (tenant, unit, sequence, at, body, hash)
    VALUES (in_tenant, in_unit, in_version, in_at, in_entry, in_head);
    IF in_queue_kind IS NOT NULL THEN
        SELECT
            p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
            p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
        INTO
            number, kind, status, ord, parent, waits, feeds,
            branches, offer, slot, holder, fence, lapsed, fields
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit
            AND p.kind = in_queue_kind AND p.status = in_queue_status AND p.offer IS NOT NULL
        ORDER BY p.offer, p.ord
        LIMIT 1;
    END IF;
END
$$;

DROP FUNCTION interlock_content(TEXT, TEXT);
CREATE FUNCTION interlock_content(in_tenant TEXT, in_digest TEXT)
RETURNS TABLE (bytes BYTEA, pruned_at BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT c.bytes, c.pruned_at FROM contents AS c
    WHERE c.tenant = in_tenant AND c.digest = in_digest;
END
$$;
REVOKE ALL ON FUNCTION interlock_content(TEXT, TEXT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_content(TEXT, TEXT) TO interlock_app;

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
CREATE FUNCTION interlock_prune_contents(in_before BIGINT, in_limit BIGINT, in_is_dry BOOLEAN)
RETURNS BIGINT LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH given AS MATERIALIZED (
        SELECT LEAST(in_before, public.interlock_clock() - 86400000) AS before
    ),
    old AS (
        SELECT c.tenant, c.digest
        FROM public.contents AS c
        CROSS JOIN given AS g
        WHERE c.pruned_at IS NULL
            AND EXISTS (
                SELECT FROM public.artifacts AS a
                WHERE a.tenant = c.tenant AND a.digest = c.digest
            )
            AND NOT EXISTS (
                SELECT FROM public.artifacts AS a
                LEFT JOIN public.units AS u ON u.tenant = a.tenant AND u.id = a.unit
                WHERE a.tenant = c.tenant AND a.digest = c.digest
                    AND (
                        u.ended_at IS NULL OR u.ended_at >= g.before
                        OR NOT EXISTS (
                            SELECT FROM public.artifacts AS n
                            WHERE n.tenant = a.tenant AND n.unit = a.unit AND n.part = a.part
                                AND n.name = a.name AND n.version > a.version
                        )
                    )
            )
        LIMIT in_limit
    ),
    gone AS (
        UPDATE public.contents AS c SET bytes = '', pruned_at = public.interlock_clock()
        FROM old AS o
        WHERE c.tenant = o.tenant AND c.digest = o.digest AND NOT in_is_dry
        RETURNING 1
    )
    SELECT CASE WHEN in_is_dry THEN (SELECT count(*) FROM old) ELSE (SELECT count(*) FROM gone) END
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
