-- What commands call: load and commit, one function and one trip each. Rows come back in the
-- columns that rows.py reads.
--
-- A tenant is set for the length of the call by its first statement, as one transaction, and row
-- security does the rest. What only reads is STABLE, which also means: all of it at one moment.
-- Lists come as parallel arrays; one that is not needed is NULL. Nobody looks into a body.
-- In a call, `in_` marks what came in, so that nothing is mistaken for a column.

-- -- what a command asks for -----------------------------------------------------------------

-- The best part of each kind and status. It sees what its caller's tenant sees.
CREATE FUNCTION interlock_best(
    in_tenant TEXT, in_unit TEXT, in_kinds TEXT[], in_statuses TEXT[], in_without BIGINT[]
)
RETURNS TABLE (
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    -- One by one: for a join with the lists the server would think anew at every call.
    FOR i IN 1 .. cardinality(in_kinds) LOOP
        RETURN QUERY
        SELECT
            p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
            p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit
            AND p.kind = in_kinds[i] AND p.status = in_statuses[i] AND p.offer IS NOT NULL
            AND (in_without IS NULL OR p.number <> ALL (in_without))
        ORDER BY p.offer, p.ord
        LIMIT 1;
    END LOOP;
END
$$;

-- A unit with one of its parts and the earlier reply to a key; then the heads of its queues.
CREATE FUNCTION interlock_load(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_kinds TEXT[], in_statuses TEXT[],
    in_principal TEXT, in_request TEXT
)
RETURNS TABLE (
    clock BIGINT, incarnation TEXT, asked TEXT, reply TEXT,
    unit TEXT, workflow TEXT, digest TEXT, unit_status TEXT, version BIGINT, head TEXT,
    made BIGINT, takes TEXT, tally TEXT, unit_fields TEXT, created_at BIGINT, changed_at BIGINT,
    ended_at BIGINT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        interlock_clock(), i.name, r.asked, r.text,
        u.id, u.workflow, u.digest, u.status, u.version, u.head,
        u.made, u.takes, u.tally, u.fields, u.created_at, u.changed_at, u.ended_at,
        p.number, p.kind, p.status, p.ord, p.parent, p.waits, p.feeds,
        p.branches, p.offer, p.slot, p.holder, p.fence, p.lapsed, p.fields
    FROM incarnations AS i
    LEFT JOIN units AS u ON u.tenant = in_tenant AND u.id = in_unit
    LEFT JOIN parts AS p ON p.tenant = in_tenant AND p.unit = in_unit
        AND p.number = in_part AND p.gone_at IS NULL
    LEFT JOIN replies AS r ON r.tenant = in_tenant AND r.principal = in_principal
        AND r.request = in_request
    WHERE i.id = 1;
    IF in_kinds IS NOT NULL THEN
        RETURN QUERY
        SELECT
            NULL::BIGINT, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL::BIGINT, NULL,
            NULL::BIGINT, NULL, NULL, NULL, NULL::BIGINT, NULL::BIGINT, NULL::BIGINT,
            b.*
        FROM interlock_best(in_tenant, in_unit, in_kinds, in_statuses, NULL) AS b;
    END IF;
END
$$;

-- The heads of queues again, without some parts; the first row has the version of the unit.
CREATE FUNCTION interlock_heads(
    in_tenant TEXT, in_unit TEXT, in_kinds TEXT[], in_statuses TEXT[], in_without BIGINT[]
)
RETURNS TABLE (
    version BIGINT,
    number BIGINT, kind TEXT, status TEXT, ord BIGINT, parent BIGINT, waits BIGINT, feeds BIGINT,
    branches BIGINT, offer BIGINT, slot TEXT, holder TEXT, fence BIGINT, lapsed BIGINT, fields TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    version := (SELECT u.version FROM units AS u WHERE u.tenant = in_tenant AND u.id = in_unit);
    RETURN NEXT;
    RETURN QUERY
    SELECT NULL::BIGINT, b.*
    FROM interlock_best(in_tenant, in_unit, in_kinds, in_statuses, in_without) AS b;
END
$$;

-- The order of the part that follows an order.
CREATE FUNCTION interlock_gap(in_tenant TEXT, in_unit TEXT, in_ord BIGINT)
RETURNS TABLE (version BIGINT, ord BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.version, (
        SELECT min(p.ord)
        FROM parts AS p
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.gone_at IS NULL AND p.ord > in_ord
    )
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.id = in_unit;
END
$$;

-- -- what a command writes -------------------------------------------------------------------

-- What belongs to a unit beside its parts; few commands have any of it.
CREATE FUNCTION interlock_write_beside(
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

-- Takes parts out for good; their rows stay for those who look back.
CREATE FUNCTION interlock_write_gone(
    in_tenant TEXT, in_unit TEXT, in_at BIGINT, in_gone BIGINT[]
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE parts
    SET gone_at = in_at, offer = NULL, slot = NULL, due = NULL, holder = NULL
    WHERE tenant = in_tenant AND unit = in_unit AND number = ANY (in_gone);
    DELETE FROM links
    WHERE tenant = in_tenant AND unit = in_unit
        AND (part = ANY (in_gone) OR need = ANY (in_gone));
    DELETE FROM conditions
    WHERE tenant = in_tenant AND unit = in_unit
        AND (part = ANY (in_gone) OR target = ANY (in_gone));
END
$$;

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

-- Extends a lease and writes nothing else, if unit and lease are what was decided on.
CREATE FUNCTION interlock_touch(
    in_tenant TEXT, in_unit TEXT, in_version BIGINT, in_number BIGINT, in_fence BIGINT,
    in_lease_ms BIGINT
)
RETURNS TABLE (outcome TEXT, clock BIGINT)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    clock := interlock_clock();
    UPDATE parts AS p
    SET due = clock + in_lease_ms
    WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.number = in_number
        AND p.fence = in_fence AND p.holder IS NOT NULL AND p.lapsed = 0 AND p.gone_at IS NULL
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = in_unit AND u.version = in_version
        );
    outcome := CASE WHEN FOUND THEN 'ok' ELSE 'stale' END;
    RETURN NEXT;
END
$$;
