-- When the timer of a unit runs out; those of parts share the column of leases.
ALTER TABLE units ADD COLUMN due BIGINT;
CREATE INDEX units_by_due ON units (due) WHERE due IS NOT NULL;

-- Begins the timer of a unit anew or ends it (0), and ends those of its parts; leases stay. It is
-- called in the statement that commits, once for each row of the outcome: the unit is locked.
CREATE FUNCTION interlock_write_timers(
    in_outcome TEXT, in_clock BIGINT, in_tenant TEXT, in_unit TEXT, in_lasts BIGINT,
    in_stops BOOLEAN
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' THEN
        RETURN false;
    END IF;
    IF in_lasts IS NOT NULL THEN
        UPDATE units
        SET due = in_clock + NULLIF(in_lasts, 0)
        WHERE tenant = in_tenant AND id = in_unit;
    END IF;
    IF in_stops THEN
        UPDATE parts
        SET due = NULL
        WHERE tenant = in_tenant AND unit = in_unit AND due IS NOT NULL AND holder IS NULL;
    END IF;
    RETURN true;
END
$$;

-- It is for the app alone.
REVOKE ALL ON FUNCTION interlock_write_timers(TEXT, BIGINT, TEXT, TEXT, BIGINT, BOOLEAN)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_write_timers(TEXT, BIGINT, TEXT, TEXT, BIGINT, BOOLEAN)
TO interlock_app;

-- Everything one command writes, or nothing. The first row has the outcome: ok; known (the key
-- was answered before, and with what); stale (somebody was faster); early (the lease that was to
-- lapse or the timer that was to end has more time); moved (the execution of a skill that goes with it stands elsewhere by
-- now). Further rows are the heads of queues as they are now. Of the parts,
-- those that take no slot come first, then those that do, then new ones: they have a kind.
CREATE OR REPLACE FUNCTION interlock_commit(
    in_tenant TEXT, in_unit TEXT, in_before BIGINT, in_at BIGINT, in_overdue BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT,
    in_workflow TEXT, in_digest TEXT, in_status TEXT, in_version BIGINT, in_head TEXT,
    in_made BIGINT, in_takes TEXT, in_tally TEXT, in_fields TEXT, in_created_at BIGINT,
    in_changed_at BIGINT, in_ended_at BIGINT,
    in_sequences BIGINT[], in_instants BIGINT[], in_entries TEXT[], in_hashes TEXT[],
    in_numbers BIGINT[], in_statuses TEXT[], in_ords BIGINT[], in_waits BIGINT[],
    in_feeds BIGINT[], in_branches BIGINT[], in_offers BIGINT[], in_slots TEXT[],
    in_roles TEXT[], in_members TEXT[], in_holders TEXT[], in_fences BIGINT[],
    in_lapsed BIGINT[], in_leases BIGINT[], in_bodies TEXT[],
    in_changed INTEGER, in_kinds TEXT[], in_parents BIGINT[],
    in_gone BIGINT[],
    in_has_beside BOOLEAN,
    in_link_parts BIGINT[], in_link_needs BIGINT[], in_link_places BIGINT[],
    in_condition_parts BIGINT[], in_condition_places BIGINT[], in_expressions TEXT[],
    in_actions TEXT[], in_params TEXT[], in_targets BIGINT[],
    in_tags TEXT[],
    in_artifact_parts BIGINT[], in_names TEXT[], in_digests TEXT[], in_contents BYTEA[],
    in_media_types TEXT[], in_marks TEXT[], in_authors TEXT[],
    in_skill TEXT, in_skill_before TEXT, in_skill_status TEXT, in_skill_metadata TEXT,
    in_skill_ended_at BIGINT,
    in_queue_kinds TEXT[], in_queue_statuses TEXT[]
)
RETURNS TABLE (
    outcome TEXT, clock BIGINT, asked TEXT, reply TEXT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    ends BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    outcome := 'ok';
    IF in_skill IS NOT NULL
        AND NOT interlock_hold_skill(in_tenant, in_skill, in_skill_before, in_unit)
    THEN
        outcome := 'moved';
    ELSIF in_before = 0 THEN
        -- Of many copies of one request, each with a unit of its own, the first one is carried
        -- out; the others wait here for its end.
        INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
        SELECT in_tenant, in_principal, in_request, in_asked, in_unit, in_reply, in_at
        WHERE in_request IS NOT NULL
        ON CONFLICT DO NOTHING;
        IF in_request IS NOT NULL AND NOT FOUND THEN
            outcome := 'known';
        ELSE
            INSERT INTO units (
                tenant, id, workflow, digest, status, version, head, made, takes, tally, fields,
                created_at, changed_at, ended_at
            )
            VALUES (
                in_tenant, in_unit, in_workflow, in_digest, in_status, in_version, in_head,
                in_made, in_takes, in_tally, in_fields, in_created_at, in_changed_at, in_ended_at
            );
        END IF;
    ELSE
        IF in_request IS NOT NULL AND EXISTS (
            SELECT FROM replies AS r
            WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request
        ) THEN
            outcome := 'known';
        ELSIF in_overdue IS NOT NULL THEN
            -- Only locks, in the order in which everybody locks: the unit, then its part.
            -- Its number is 0 where the unit itself is meant.
            SELECT u.due INTO ends
            FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = in_unit AND u.version = in_before
            FOR NO KEY UPDATE;
            IF FOUND AND in_overdue = 0 THEN
                outcome := CASE WHEN ends <= interlock_clock() THEN 'ok' ELSE 'early' END;
            ELSIF FOUND THEN
                PERFORM FROM parts AS p
                WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.number = in_overdue
                    AND p.due <= interlock_clock()
                FOR NO KEY UPDATE;
                outcome := CASE WHEN FOUND THEN 'ok' ELSE 'early' END;
            END IF;
        END IF;
        IF outcome = 'ok' THEN
            UPDATE units AS u
            SET status = in_status, version = in_version, head = in_head, made = in_made,
                takes = in_takes, tally = in_tally, fields = COALESCE(in_fields, u.fields),
                changed_at = in_changed_at, ended_at = in_ended_at
            WHERE u.tenant = in_tenant AND u.id = in_unit AND u.version = in_before;
            IF NOT FOUND THEN
                outcome := 'stale';
            ELSIF in_request IS NOT NULL THEN
                -- If the same key is being used for another unit, this fails and all is undone.
                INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
                VALUES (in_tenant, in_principal, in_request, in_asked, in_unit, in_reply, in_at);
            END IF;
        END IF;
    END IF;
    clock := interlock_clock();
    IF outcome <> 'ok' THEN
        -- Nothing has been written. A copy of this command may have been the one who was faster.
        SELECT r.asked, r.text INTO asked, reply
        FROM replies AS r
        WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
        IF FOUND THEN
            outcome := 'known';
        END IF;
        RETURN NEXT;
        RETURN;
    END IF;
    IF in_gone IS NOT NULL THEN
        PERFORM interlock_write_gone(in_tenant, in_unit, in_at, in_gone);
    END IF;
    FOR i IN 1 .. in_changed LOOP
        UPDATE parts AS p
        SET status = in_statuses[i], ord = in_ords[i], waits = in_waits[i], feeds = in_feeds[i],
            branches = in_branches[i], offer = in_offers[i], slot = in_slots[i],
            role = in_roles[i], member = in_members[i], holder = in_holders[i],
            fence = in_fences[i], lapsed = in_lapsed[i],
            fields = COALESCE(in_bodies[i], p.fields),
            due = CASE
                WHEN in_leases[i] < 0 THEN p.due
                WHEN in_leases[i] IS NOT NULL THEN clock + in_leases[i]
                WHEN in_holders[i] IS NULL OR in_lapsed[i] <> 0 THEN NULL
                ELSE p.due
            END
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.number = in_numbers[i];
    END LOOP;
    IF in_kinds IS NOT NULL THEN
        INSERT INTO parts (
            tenant, unit, number, kind, status, ord, parent, waits, feeds, branches, offer, slot,
            role, member, holder, fence, lapsed, due, fields
        )
        SELECT
            in_tenant, in_unit, n.number, n.kind, n.status, n.ord, n.parent, n.waits, n.feeds,
            n.branches, n.offer, n.slot, n.role, n.member, n.holder, n.fence, n.lapsed,
            clock + n.lease, n.body
        FROM unnest(
            in_numbers, in_kinds, in_statuses, in_ords, in_parents, in_waits, in_feeds,
            in_branches, in_offers, in_slots, in_roles, in_members, in_holders, in_fences,
            in_lapsed, in_leases, in_bodies
        ) AS n (
            number, kind, status, ord, parent, waits, feeds, branches, offer, slot, role, member,
            holder, fence, lapsed, lease, body
        )
        WHERE n.kind IS NOT NULL;
    END IF;
    IF in_has_beside THEN
        PERFORM interlock_write_beside(
            in_tenant, in_unit, in_at, in_link_parts, in_link_needs, in_link_places,
            in_condition_parts, in_condition_places, in_expressions, in_actions, in_params,
            in_targets, in_tags, in_artifact_parts, in_names, in_digests, in_contents,
            in_media_types, in_marks, in_authors
        );
    END IF;
    IF in_skill IS NOT NULL THEN
        UPDATE skills AS s
        SET unit = in_unit, status = in_skill_status,
            metadata = COALESCE(in_skill_metadata, s.metadata), ended_at = in_skill_ended_at
        WHERE s.tenant = in_tenant AND s.id = in_skill;
    END IF;
    INSERT INTO audit (tenant, unit, sequence, at, body, hash)
    SELECT in_tenant, in_unit, e.sequence, e.at, e.body, e.hash
    FROM unnest(in_sequences, in_instants, in_entries, in_hashes) AS e (sequence, at, body, hash);
    RETURN NEXT;
    IF in_queue_kinds IS NOT NULL THEN
        RETURN QUERY
        SELECT NULL, NULL::BIGINT, NULL, NULL, b.*
        FROM interlock_best(in_tenant, in_unit, in_queue_kinds, in_queue_statuses, NULL) AS b;
    END IF;
END
$$;

DROP FUNCTION interlock_whole(TEXT, TEXT);

-- A unit with everything that belongs to it: the unit, its parts in order, then its conditions.
CREATE FUNCTION interlock_whole(in_tenant TEXT, in_unit TEXT)
RETURNS TABLE (
    incarnation TEXT,
    unit TEXT, workflow TEXT, digest TEXT, unit_status TEXT, version BIGINT, head TEXT,
    made BIGINT, takes TEXT, tally TEXT, unit_fields TEXT, created_at BIGINT, changed_at BIGINT,
    ended_at BIGINT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT,
    fields TEXT, due BIGINT, needs BIGINT[],
    part BIGINT, expression TEXT, action TEXT, params TEXT, target BIGINT, unit_due BIGINT,
    tags TEXT[]
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    SELECT
        i.name, u.id, u.workflow, u.digest, u.status, u.version, u.head,
        u.made, u.takes, u.tally, u.fields, u.created_at, u.changed_at, u.ended_at, u.due,
        ARRAY(
            SELECT t.tag
            FROM tags AS t
            WHERE t.tenant = in_tenant AND t.unit = in_unit
            ORDER BY t.tag
        )
    INTO
        incarnation, unit, workflow, digest, unit_status, version, head,
        made, takes, tally, unit_fields, created_at, changed_at, ended_at, unit_due, tags
    FROM units AS u
    CROSS JOIN incarnations AS i
    WHERE u.tenant = in_tenant AND u.id = in_unit;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN NEXT;
    FOR number, kind, status, ord, parent, waits, feeds, branches, offer, slot, holder, fence,
        lapsed, fields, due, needs
    IN
        SELECT
            p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds, p.branches, p.offer,
            p.slot, p.holder, p.fence, p.lapsed, p.fields, p.due, n.needs
        FROM parts AS p
        LEFT JOIN (
            SELECT l.part, array_agg(l.need ORDER BY l.place) AS needs
            FROM links AS l
            WHERE l.tenant = in_tenant AND l.unit = in_unit
            GROUP BY l.part
        ) AS n ON n.part = p.number
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.gone_at IS NULL
        ORDER BY p.ord
    LOOP
        RETURN NEXT;
    END LOOP;
    FOR part, expression, action, params, target IN
        SELECT c.part, c.expression, c.action, c.params, c.target
        FROM conditions AS c
        WHERE c.tenant = in_tenant AND c.unit = in_unit
        ORDER BY c.part, c.place
    LOOP
        RETURN NEXT;
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION interlock_whole(TEXT, TEXT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_whole(TEXT, TEXT) TO interlock_app;

DROP FUNCTION interlock_tiles(TEXT, TEXT, TEXT, TEXT[], BIGINT, TEXT, BIGINT);

-- Units of some groups, the last changed first, from a place in that order on; with all that a
-- board shows of them. A group is a workflow, a status, and 1 where somebody is asked.
CREATE FUNCTION interlock_tiles(
    in_tenant TEXT, in_sought TEXT, in_tag TEXT,
    in_groups TEXT[], in_changed_at BIGINT, in_id TEXT, in_limit BIGINT
)
RETURNS TABLE (
    id TEXT, workflow TEXT, status TEXT, changed_at BIGINT, tally TEXT, tags TEXT[],
    gates BIGINT, gate_since BIGINT, name TEXT, held_at BIGINT, fields TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE
-- A board is short and asked for rarely: it is thought about each time, and sorted at its end.
SET enable_sort = on SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
    wanted CONSTANT TEXT := set_config('interlock.tenant', in_tenant, true);
BEGIN
    RETURN QUERY
    SELECT
        u.id, u.workflow, u.status, u.changed_at, u.tally,
        ARRAY(
            SELECT t.tag FROM tags AS t WHERE t.tenant = wanted AND t.unit = u.id ORDER BY t.tag
        ),
        o.amount, o.since, k.name, k.held_at, CASE WHEN k.unit IS NULL THEN u.fields END, u.due
    FROM (
        SELECT n.id
        FROM units AS n
        WHERE n.tenant = wanted
            AND (n.changed_at, n.id) < (in_changed_at, in_id)
            -- As a test of each row it is a look into a hash; as a join it would be done first.
            AND (concat(
                n.workflow, ' ', n.status, ' ',
                CAST(
                    n.id IN (
                        SELECT g.unit
                        FROM gates AS g
                        WHERE g.tenant = wanted AND g.decided_at IS NULL
                        UNION ALL
                        SELECT h.unit
                        FROM cards AS h
                        WHERE h.tenant = wanted AND h.held_at IS NOT NULL
                    ) AS INTEGER
                )
            ) COLLATE "C" IN (SELECT unnest(in_groups))) IS TRUE
            AND (in_sought = '' OR n.id IN (
                SELECT c.unit
                FROM cards AS c
                WHERE c.tenant = wanted AND strpos(c.sought, in_sought) > 0
            ))
            AND (in_tag = '' OR EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = wanted AND t.unit = n.id AND t.tag = in_tag
            ))
        ORDER BY n.changed_at DESC, n.id DESC
        LIMIT in_limit
    ) AS s
    JOIN units AS u ON u.tenant = wanted AND u.id = s.id
    LEFT JOIN cards AS k ON k.tenant = wanted AND k.unit = s.id
    CROSS JOIN LATERAL (
        SELECT count(*) AS amount, min(g.opened_at) AS since
        FROM gates AS g
        WHERE g.tenant = wanted AND g.unit = s.id AND g.decided_at IS NULL
    ) AS o
    ORDER BY u.changed_at DESC, u.id DESC;
END
$$;

REVOKE ALL ON FUNCTION interlock_tiles(TEXT, TEXT, TEXT, TEXT[], BIGINT, TEXT, BIGINT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_tiles(TEXT, TEXT, TEXT, TEXT[], BIGINT, TEXT, BIGINT) TO interlock_app;

-- Across tenants: ids and nothing else.
CREATE OR REPLACE FUNCTION interlock_list_due(in_limit BIGINT)
RETURNS TABLE (tenant TEXT, unit TEXT, workflow TEXT, kind TEXT, number BIGINT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT d.tenant, d.unit, d.workflow, d.kind, d.number
    FROM (
        SELECT p.tenant, p.unit, u.workflow, p.kind, p.number, p.due
        FROM public.parts AS p
        JOIN public.units AS u ON u.tenant = p.tenant AND u.id = p.unit
        WHERE p.due < (SELECT public.interlock_clock())
        UNION ALL
        SELECT u.tenant, u.id, u.workflow, '', 0, u.due
        FROM public.units AS u
        WHERE u.due < (SELECT public.interlock_clock()) AND u.deleted_at IS NULL
    ) AS d
    ORDER BY d.due
    LIMIT in_limit
$$;
