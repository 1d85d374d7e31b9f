-- The short commit of today, for PostgreSQL; it goes with postgres.sql and its neighbours.
--
-- Most commands move one part of a unit and add one entry; whoever hands one in and takes the next,
-- two. Lists cost more than such a command does: this function takes plain values, and writes exactly
-- what the long one would.

-- The outcome is as in interlock_commit, but for a key that was used before: then it fails. One row, no
-- table: with it comes the part that the queue of the kind and status named would hand out now, if one
-- is named.
CREATE FUNCTION interlock_move(
    in_tenant TEXT, in_unit TEXT, in_before BIGINT, in_at BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT,
    in_status TEXT, in_version BIGINT, in_head TEXT, in_tally TEXT, in_changed_at BIGINT,
    in_entry TEXT, in_first TEXT, in_first_hash TEXT,
    in_number BIGINT, in_part_status TEXT, in_offer BIGINT, in_holder TEXT, in_fence BIGINT,
    in_lapsed BIGINT, in_lease BIGINT, in_body TEXT,
    in_next BIGINT, in_next_status TEXT, in_next_offer BIGINT, in_next_holder TEXT,
    in_next_fence BIGINT, in_next_lapsed BIGINT, in_next_lease BIGINT, in_next_body TEXT,
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
    UPDATE units AS u
    SET status = in_status, version = in_version, head = in_head, tally = in_tally,
        changed_at = in_changed_at
    WHERE u.tenant = in_tenant AND u.id = in_unit AND u.version = in_before;
    IF NOT FOUND THEN
        -- Nothing has been written: somebody was faster, or it was a copy of this command.
        SELECT r.asked, r.text INTO asked, reply
        FROM replies AS r
        WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
        outcome := CASE WHEN FOUND THEN 'known' ELSE 'stale' END;
        RETURN;
    END IF;
    IF in_request IS NOT NULL THEN
        -- If the key was used before, this fails and all is undone: it is decided again, and then
        -- the answer is found. To look for it each time would cost more than all such copies do.
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
    IF in_next IS NOT NULL THEN
        UPDATE parts AS p
        SET status = in_next_status, offer = in_next_offer, holder = in_next_holder,
            fence = in_next_fence, lapsed = in_next_lapsed,
            fields = COALESCE(in_next_body, p.fields),
            due = CASE
                WHEN in_next_holder IS NULL OR in_next_lapsed <> 0 THEN NULL
                ELSE COALESCE(clock + in_next_lease, p.due)
            END
        WHERE p.tenant = in_tenant AND p.unit = in_unit AND p.number = in_next;
    END IF;
    IF in_name IS NOT NULL THEN
        -- Mostly nobody has said it before, and it is the first of its name: what deals with the rest
        -- costs time even where there is nothing to do.
        INSERT INTO contents (tenant, digest, size, bytes)
        VALUES (in_tenant, in_digest, octet_length(in_content), in_content)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            -- What was pruned is there again with whoever says it again; it is locked in any case, so
            -- nobody prunes it now.
            INSERT INTO contents AS known (tenant, digest, size, bytes)
            VALUES (in_tenant, in_digest, octet_length(in_content), in_content)
            ON CONFLICT (tenant, digest) DO UPDATE SET bytes = EXCLUDED.bytes, pruned_at = NULL
            WHERE known.pruned_at IS NOT NULL;
        END IF;
        INSERT INTO artifacts (
            tenant, unit, part, name, version, digest, media_type, mark, author, at
        )
        VALUES (
            in_tenant, in_unit, in_artifact_part, in_name, 1,
            in_digest, in_media_type, in_mark, in_author, in_at
        )
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            -- The unit is locked, so nobody else counts the versions of this name now.
            INSERT INTO artifacts (
                tenant, unit, part, name, version, digest, media_type, mark, author, at
            )
            SELECT
                in_tenant, in_unit, in_artifact_part, in_name, max(a.version) + 1,
                in_digest, in_media_type, in_mark, in_author, in_at
            FROM artifacts AS a
            WHERE a.tenant = in_tenant AND a.unit = in_unit
                AND a.part = in_artifact_part AND a.name = in_name;
        END IF;
    END IF;
    IF in_first IS NOT NULL THEN
        INSERT INTO audit (tenant, unit, sequence, at, body, hash)
        VALUES (in_tenant, in_unit, in_version - 1, in_at, in_first, in_first_hash);
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

-- It is for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname = 'interlock_move'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
