-- Where a part can be worked on; nothing where anywhere.
ALTER TABLE parts ADD COLUMN site TEXT;

DROP FUNCTION interlock_commit;
DROP FUNCTION interlock_offers;
DROP FUNCTION interlock_work;

-- Everything one command writes, or nothing. The first row has the outcome: ok; known (the key
-- was answered before, and with what); stale (somebody was faster); early (the lease that was to
-- lapse or the timer that was to end has more time); moved (the execution of a skill that goes with it stands elsewhere by
-- now). Further rows are the heads of queues as they are now. Of the parts,
-- those that take no slot come first, then those that do, then new ones: they have a kind.
CREATE FUNCTION interlock_commit(
    in_tenant TEXT, in_unit TEXT, in_before BIGINT, in_at BIGINT, in_overdue BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT,
    in_workflow TEXT, in_digest TEXT, in_status TEXT, in_version BIGINT, in_head TEXT,
    in_made BIGINT, in_takes TEXT, in_tally TEXT, in_fields TEXT, in_created_at BIGINT,
    in_changed_at BIGINT, in_ended_at BIGINT,
    in_sequences BIGINT[], in_instants BIGINT[], in_entries TEXT[], in_hashes TEXT[],
    in_numbers BIGINT[], in_statuses TEXT[], in_ords BIGINT[], in_waits BIGINT[],
    in_feeds BIGINT[], in_branches BIGINT[], in_offers BIGINT[], in_slots TEXT[],
    in_roles TEXT[], in_members TEXT[], in_sites TEXT[], in_holders TEXT[], in_fences BIGINT[],
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
            role = in_roles[i], member = in_members[i], site = in_sites[i],
            holder = in_holders[i], fence = in_fences[i], lapsed = in_lapsed[i],
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
            role, member, site, holder, fence, lapsed, due, fields
        )
        SELECT
            in_tenant, in_unit, n.number, n.kind, n.status, n.ord, n.parent, n.waits, n.feeds,
            n.branches, n.offer, n.slot, n.role, n.member, n.site, n.holder, n.fence, n.lapsed,
            clock + n.lease, n.body
        FROM unnest(
            in_numbers, in_kinds, in_statuses, in_ords, in_parents, in_waits, in_feeds,
            in_branches, in_offers, in_slots, in_roles, in_members, in_sites, in_holders,
            in_fences, in_lapsed, in_leases, in_bodies
        ) AS n (
            number, kind, status, ord, parent, waits, feeds, branches, offer, slot, role, member,
            site, holder, fence, lapsed, lease, body
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

-- Units whose queues may have work, the oldest first, with a part that stands for each queue. What
-- is bound to a site is for those who name it.
CREATE FUNCTION interlock_offers(
    in_tenant TEXT, in_workflow TEXT, in_kind TEXT, in_role TEXT, in_member TEXT, in_tags TEXT[],
    in_site TEXT, in_limit BIGINT
)
RETURNS TABLE (unit TEXT, workflow TEXT, kind TEXT, number BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.id, u.workflow, q.kind, h.number
    FROM units AS u
    CROSS JOIN LATERAL unnest(string_to_array(u.takes, ',')) AS q (kind)
    CROSS JOIN LATERAL (
        -- OFFSET 0: by the index of the queue, not by walking over all parts to the first.
        SELECT min(f.number) AS number
        FROM (
            SELECT p.number
            FROM parts AS p
            WHERE p.tenant = in_tenant AND p.unit = u.id AND p.kind = q.kind
                AND p.offer IS NOT NULL
                AND (in_role = '' OR p.role = in_role)
                AND (in_member = '' OR p.member = in_member)
                AND COALESCE(p.site, '') IN ('', in_site)
            OFFSET 0
        ) AS f
        HAVING count(*) > 0
    ) AS h
    WHERE u.tenant = in_tenant AND u.takes <> ''
        AND (in_workflow = '' OR u.workflow = in_workflow)
        AND (in_kind = '' OR q.kind = in_kind)
        AND NOT EXISTS (
            SELECT FROM unnest(in_tags) AS w (tag)
            WHERE NOT EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = w.tag
            )
        )
    ORDER BY u.created_at, u.id, q.kind
    LIMIT in_limit;
END
$$;

-- What is offered or held, of the oldest unit first, from a place in that order on. The filters are
-- empty for any.
CREATE FUNCTION interlock_work(
    in_tenant TEXT, in_unit TEXT, in_workflow TEXT, in_kind TEXT, in_role TEXT, in_member TEXT,
    in_tag TEXT, in_site TEXT, in_since BIGINT, in_after TEXT, in_number BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    since BIGINT, unit TEXT, workflow TEXT, number BIGINT, kind TEXT, status TEXT, role TEXT,
    member TEXT, site TEXT, holder TEXT, due BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        u.created_at, p.unit, u.workflow, p.number, p.kind, p.status, p.role, p.member, p.site,
        p.holder, p.due
    FROM units AS u
    JOIN parts AS p ON p.tenant = u.tenant AND p.unit = u.id
    WHERE u.tenant = in_tenant
        AND u.ended_at IS NULL
        AND p.gone_at IS NULL
        AND (
            (p.holder IS NOT NULL AND p.due IS NOT NULL)
            OR (p.offer IS NOT NULL AND p.kind = ANY (string_to_array(u.takes, ',')))
        )
        AND (in_unit = '' OR u.id = in_unit)
        AND (in_workflow = '' OR u.workflow = in_workflow)
        AND (in_kind = '' OR p.kind = in_kind)
        AND (in_role = '' OR p.role = in_role)
        AND (in_member = '' OR p.member = in_member)
        AND (in_site = '' OR p.site = in_site)
        AND (
            in_tag = ''
            OR EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = u.id AND t.tag = in_tag
            )
        )
        AND (u.created_at, p.unit, p.number) > (in_since, in_after, in_number)
    ORDER BY u.created_at, p.unit, p.number
    LIMIT in_limit;
END
$$;

REVOKE ALL ON FUNCTION interlock_commit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_commit TO interlock_app;
REVOKE ALL ON FUNCTION interlock_offers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_offers TO interlock_app;
REVOKE ALL ON FUNCTION interlock_work FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_work TO interlock_app;
