-- Units that were deleted stay for the audit, and are found by nobody else. What reads of a unit
-- without looking at its row does so from now on; commands look anyway, so they stay as they are.
ALTER TABLE units ADD COLUMN deleted_at BIGINT;

-- A unit that was deleted is found by nobody, except where a transaction says that it wants to:
-- to prove the audit, or to delete.
ALTER POLICY own_tenant ON units USING (
    tenant = NULLIF(current_setting('interlock.tenant', true), '')
    AND (deleted_at IS NULL OR current_setting('interlock.deleted', true) = 'seen')
);

-- Entries of one unit in their order.
CREATE OR REPLACE FUNCTION interlock_audit(
    in_tenant TEXT, in_unit TEXT, in_after BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    incarnation TEXT, xid TEXT, unit TEXT, sequence BIGINT, at BIGINT, body TEXT, hash TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT i.name, a.xid::TEXT, a.unit, a.sequence, a.at, a.body, a.hash
    FROM audit AS a
    CROSS JOIN incarnations AS i
    WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.sequence > in_after
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.sequence
    LIMIT in_limit;
END
$$;

-- Entries of all units from a position on; a position of another incarnation is none. Whatever
-- may still be joined by an entry of a transaction that is open is left for the next time.
CREATE OR REPLACE FUNCTION interlock_feed(
    in_tenant TEXT, in_incarnation TEXT, in_xid TEXT, in_unit TEXT, in_sequence BIGINT,
    in_limit BIGINT
)
RETURNS TABLE (
    incarnation TEXT, xid TEXT, unit TEXT, sequence BIGINT, at BIGINT, body TEXT, hash TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    now_is CONSTANT TEXT := (SELECT i.name FROM incarnations AS i);
    after_xid CONSTANT XID8 := CASE WHEN in_incarnation = now_is THEN in_xid ELSE '0' END;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT now_is, a.xid::TEXT, a.unit, a.sequence, a.at, a.body, a.hash
    FROM audit AS a
    WHERE a.tenant = in_tenant
        AND (a.xid, a.unit, a.sequence) > (after_xid, in_unit, in_sequence)
        AND a.xid < pg_snapshot_xmin(pg_current_snapshot())
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.xid, a.unit, a.sequence
    LIMIT in_limit;
END
$$;

-- What is kept for a unit, without the content.
CREATE OR REPLACE FUNCTION interlock_artifacts(in_tenant TEXT, in_unit TEXT)
RETURNS TABLE (
    unit TEXT, part BIGINT, name TEXT, version BIGINT, digest TEXT, size BIGINT, media_type TEXT,
    mark TEXT, author TEXT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        a.unit, a.part, a.name, a.version, a.digest, c.size, a.media_type, a.mark, a.author, a.at
    FROM artifacts AS a
    JOIN contents AS c ON c.tenant = in_tenant AND c.digest = a.digest
    WHERE a.tenant = in_tenant AND a.unit = in_unit
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.part, a.name, a.version;
END
$$;

-- The documents of a unit, the oldest first, or the one with an id.
CREATE OR REPLACE FUNCTION interlock_documents(in_tenant TEXT, in_unit TEXT, in_id TEXT)
RETURNS TABLE (
    id TEXT, unit TEXT, part BIGINT, kind TEXT, type TEXT, title TEXT, urls TEXT, name TEXT,
    version BIGINT, digest TEXT, media_type TEXT, author TEXT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        d.id, d.unit, d.part, d.kind, d.type, d.title, d.urls, d.name, d.version, d.digest,
        d.media_type, d.author, d.at
    FROM documents AS d
    WHERE d.tenant = in_tenant
        AND (in_unit IS NULL OR d.unit = in_unit) AND (in_id IS NULL OR d.id = in_id)
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = d.unit
        )
    ORDER BY d.at, d.id;
END
$$;

-- Executions with where their units stand: the one with an id, or of a unit, or the one of a
-- session that began last and has no unit yet.
CREATE OR REPLACE FUNCTION interlock_skills(in_tenant TEXT, in_id TEXT, in_unit TEXT, in_session TEXT)
RETURNS TABLE (
    tenant TEXT, id TEXT, session TEXT, principal TEXT, name TEXT, status TEXT, metadata TEXT,
    unit TEXT, started_at BIGINT, ended_at BIGINT, workflow TEXT, unit_status TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    wanted TEXT := in_id;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF in_unit IS NOT NULL THEN
        wanted := (SELECT s.id FROM skills AS s WHERE s.tenant = in_tenant AND s.unit = in_unit);
    ELSIF in_session IS NOT NULL THEN
        wanted := (
            SELECT s.id
            FROM skills AS s
            WHERE s.tenant = in_tenant AND s.session = in_session AND s.status = 'started'
                AND s.unit IS NULL
            ORDER BY s.started_at DESC, s.id DESC
            LIMIT 1
        );
    END IF;
    RETURN QUERY
    SELECT
        s.tenant, s.id, s.session, s.principal, s.name, s.status, s.metadata, s.unit,
        s.started_at, s.ended_at, u.workflow, u.status
    FROM skills AS s
    LEFT JOIN units AS u ON u.tenant = in_tenant AND u.id = s.unit
    WHERE s.tenant = in_tenant AND s.id = wanted AND (s.unit IS NULL OR u.id IS NOT NULL);
END
$$;

-- What was said of a unit, the oldest first.
CREATE OR REPLACE FUNCTION interlock_feedback(in_tenant TEXT, in_unit TEXT)
RETURNS TABLE (
    tenant TEXT, id TEXT, unit TEXT, rating BIGINT, text TEXT, principal TEXT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT f.tenant, f.id, f.unit, f.rating, f.text, f.principal, f.at
    FROM feedback AS f
    WHERE f.tenant = in_tenant AND f.unit = in_unit
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = f.unit
        )
    ORDER BY f.at, f.id;
END
$$;

-- The gate with an id, or all those of a unit.
CREATE OR REPLACE FUNCTION interlock_unit_gates(in_tenant TEXT, in_unit TEXT, in_id TEXT)
RETURNS TABLE (
    id TEXT, unit TEXT, part BIGINT, workflow TEXT, kind TEXT, status TEXT, digest TEXT,
    policy TEXT, title TEXT, opened_at BIGINT, opened_kind TEXT, opened_by TEXT, opened_for TEXT,
    opened_sequence BIGINT, decision TEXT, event TEXT, decided_at BIGINT, decided_kind TEXT,
    decided_by TEXT, decided_for TEXT, channel TEXT, decided_sequence BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
        g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
        g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
        g.decided_by, g.decided_for, g.channel, g.decided_sequence
    FROM gates AS g
    WHERE g.tenant = in_tenant AND g.unit = in_unit AND (in_id IS NULL OR g.id = in_id)
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = g.unit
        )
    ORDER BY g.part, g.opened_sequence;
END
$$;

-- Gates of a tenant that are open, the oldest first, or decided, the last first, from a place in
-- that order on.
CREATE OR REPLACE FUNCTION interlock_gates(
    in_tenant TEXT, in_is_open BOOLEAN, in_unit TEXT, in_workflow TEXT, in_at BIGINT,
    in_after TEXT, in_limit BIGINT
)
RETURNS TABLE (
    id TEXT, unit TEXT, part BIGINT, workflow TEXT, kind TEXT, status TEXT, digest TEXT,
    policy TEXT, title TEXT, opened_at BIGINT, opened_kind TEXT, opened_by TEXT, opened_for TEXT,
    opened_sequence BIGINT, decision TEXT, event TEXT, decided_at BIGINT, decided_kind TEXT,
    decided_by TEXT, decided_for TEXT, channel TEXT, decided_sequence BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF in_is_open THEN
        RETURN QUERY
        SELECT
            g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
            g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
            g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
            g.decided_by, g.decided_for, g.channel, g.decided_sequence
        FROM gates AS g
        WHERE g.tenant = in_tenant AND g.decided_at IS NULL
            AND (in_unit = '' OR g.unit = in_unit)
            AND (in_workflow = '' OR g.workflow = in_workflow)
            AND (in_at IS NULL OR (g.opened_at, g.id) > (in_at, in_after))
        ORDER BY g.opened_at, g.id
        LIMIT in_limit;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT
        g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
        g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
        g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
        g.decided_by, g.decided_for, g.channel, g.decided_sequence
    FROM gates AS g
    WHERE g.tenant = in_tenant AND g.decided_at IS NOT NULL
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = g.unit
        )
        AND (in_unit = '' OR g.unit = in_unit)
        AND (in_workflow = '' OR g.workflow = in_workflow)
        AND (in_at IS NULL OR (g.decided_at, g.id) < (in_at, in_after))
    ORDER BY g.decided_at DESC, g.id DESC
    LIMIT in_limit;
END
$$;

-- Marks a unit as deleted and forgets what finds its documents; what they say stays. It is called
-- in the statement that commits, once for each row of the outcome: the unit is locked.
CREATE FUNCTION interlock_write_deleted(
    in_outcome TEXT, in_tenant TEXT, in_unit TEXT, in_at BIGINT
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    known CONSTANT TEXT[] := ARRAY(
        SELECT d.id FROM documents AS d WHERE d.tenant = in_tenant AND d.unit = in_unit
    );
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' THEN
        RETURN false;
    END IF;
    DELETE FROM chunks WHERE tenant = in_tenant AND document = ANY (known);
    DELETE FROM jobs WHERE tenant = in_tenant AND about = ANY (known);
    PERFORM set_config('interlock.deleted', 'seen', true);
    UPDATE units SET deleted_at = in_at WHERE tenant = in_tenant AND id = in_unit;
    PERFORM set_config('interlock.deleted', '', true);
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION interlock_write_deleted(TEXT, TEXT, TEXT, BIGINT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_write_deleted(TEXT, TEXT, TEXT, BIGINT) TO interlock_app;
