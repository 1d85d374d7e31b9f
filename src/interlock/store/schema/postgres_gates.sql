-- Gates of today, for PostgreSQL; it goes with postgres.sql and its neighbours. What the columns
-- mean is said in sqlite_gates.sql.

CREATE TABLE gates (
    tenant           TEXT COLLATE "C" NOT NULL,
    id               TEXT COLLATE "C" NOT NULL,
    unit             TEXT COLLATE "C" NOT NULL,
    part             BIGINT           NOT NULL,
    workflow         TEXT             NOT NULL,
    kind             TEXT             NOT NULL,
    status           TEXT             NOT NULL,
    digest           TEXT             NOT NULL,
    policy           TEXT             NOT NULL CHECK (policy IN ('human', 'relay', '')),
    title            TEXT             NOT NULL,
    opened_at        BIGINT           NOT NULL,
    opened_kind      TEXT             NOT NULL,
    opened_by        TEXT             NOT NULL,
    opened_for       TEXT             NOT NULL,
    opened_sequence  BIGINT           NOT NULL,
    decision         TEXT,
    event            TEXT             NOT NULL,
    decided_at       BIGINT,
    decided_kind     TEXT             NOT NULL,
    decided_by       TEXT             NOT NULL,
    decided_for      TEXT             NOT NULL,
    channel          TEXT             NOT NULL,
    decided_sequence BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    CHECK ((decision IS NULL) = (decided_at IS NULL)),
    CHECK ((decision IS NULL) = (decided_sequence IS NULL))
);
CREATE UNIQUE INDEX gates_open ON gates (tenant, unit, part) WHERE decided_at IS NULL;
CREATE INDEX gates_by_unit ON gates (tenant, unit, part, opened_sequence);
CREATE INDEX gates_waiting ON gates (tenant, opened_at, id) WHERE decided_at IS NULL;
CREATE INDEX gates_decided ON gates (tenant, decided_at, id) WHERE decided_at IS NOT NULL;

CREATE FUNCTION interlock_decide_once() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.decided_at IS NULL THEN
        RETURN NEW;
    ELSIF TG_OP = 'DELETE' AND interlock_is_erased(OLD.tenant) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a gate is decided once' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER gates_decide_once BEFORE UPDATE OR DELETE ON gates
    FOR EACH ROW EXECUTE FUNCTION interlock_decide_once();
ALTER TABLE gates ENABLE ALWAYS TRIGGER gates_decide_once;
CREATE TRIGGER gates_are_kept BEFORE TRUNCATE ON gates
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE gates ENABLE ALWAYS TRIGGER gates_are_kept;

GRANT SELECT, INSERT ON gates TO interlock_app;
GRANT UPDATE (
    decision, event, decided_at, decided_kind, decided_by, decided_for, channel, decided_sequence
) ON gates TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
BEGIN
    ALTER TABLE gates ENABLE ROW LEVEL SECURITY;
    ALTER TABLE gates FORCE ROW LEVEL SECURITY;
    EXECUTE format(
        'CREATE POLICY own_tenant ON gates USING (tenant %1$s) WITH CHECK (tenant %1$s)', own
    );
END
$$;

-- Closes and opens the gates of a commit. It is called in the statement that commits, once for
-- each row of the outcome: the unit is locked. What is closed comes first, to make room.
CREATE FUNCTION interlock_write_gates(
    in_outcome TEXT, in_tenant TEXT, in_unit TEXT, in_workflow TEXT,
    in_closed_parts BIGINT[], in_decisions TEXT[], in_events TEXT[], in_decided_at BIGINT[],
    in_decided_kinds TEXT[], in_decided_by TEXT[], in_decided_for TEXT[], in_channels TEXT[],
    in_decided_sequences BIGINT[],
    in_ids TEXT[], in_parts BIGINT[], in_kinds TEXT[], in_statuses TEXT[], in_digests TEXT[],
    in_policies TEXT[], in_titles TEXT[], in_opened_at BIGINT[], in_opened_kinds TEXT[],
    in_opened_by TEXT[], in_opened_for TEXT[], in_opened_sequences BIGINT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' THEN
        RETURN false;
    END IF;
    UPDATE gates AS g
    SET decision = c.decision, event = c.event, decided_at = c.decided_at,
        decided_kind = c.decided_kind, decided_by = c.decided_by, decided_for = c.decided_for,
        channel = c.channel, decided_sequence = c.decided_sequence
    FROM unnest(
        in_closed_parts, in_decisions, in_events, in_decided_at, in_decided_kinds, in_decided_by,
        in_decided_for, in_channels, in_decided_sequences
    ) AS c (
        part, decision, event, decided_at, decided_kind, decided_by, decided_for, channel,
        decided_sequence
    )
    WHERE g.tenant = in_tenant AND g.unit = in_unit AND g.part = c.part
        AND g.decided_at IS NULL;
    INSERT INTO gates (
        tenant, id, unit, part, workflow, kind, status, digest, policy, title, opened_at,
        opened_kind, opened_by, opened_for, opened_sequence, event, decided_kind, decided_by,
        decided_for, channel
    )
    SELECT
        in_tenant, o.id, in_unit, o.part, in_workflow, o.kind, o.status, o.digest, o.policy,
        o.title, o.opened_at, o.opened_kind, o.opened_by, o.opened_for, o.opened_sequence, '', '',
        '', '', ''
    FROM unnest(
        in_ids, in_parts, in_kinds, in_statuses, in_digests, in_policies, in_titles, in_opened_at,
        in_opened_kinds, in_opened_by, in_opened_for, in_opened_sequences
    ) AS o (
        id, part, kind, status, digest, policy, title, opened_at, opened_kind, opened_by,
        opened_for, opened_sequence
    );
    RETURN true;
END
$$;

-- The gate with an id, else the last one of a part; with it the version of the unit.
CREATE FUNCTION interlock_gate_at(in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_id TEXT)
RETURNS TABLE (
    version BIGINT,
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
        u.version,
        g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
        g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
        g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
        g.decided_by, g.decided_for, g.channel, g.decided_sequence
    FROM units AS u
    LEFT JOIN gates AS g ON g.tenant = in_tenant AND g.unit = in_unit AND g.part = in_part
        AND (in_id IS NULL OR g.id = in_id)
    WHERE u.tenant = in_tenant AND u.id = in_unit
    ORDER BY g.opened_sequence DESC NULLS LAST
    LIMIT 1;
END
$$;

-- The gate with an id, or all those of a unit.
CREATE FUNCTION interlock_unit_gates(in_tenant TEXT, in_unit TEXT, in_id TEXT)
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
    IF in_id IS NOT NULL THEN
        -- OFFSET 0: by its id, not among all gates of the unit.
        RETURN QUERY
        SELECT
            g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
            g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
            g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
            g.decided_by, g.decided_for, g.channel, g.decided_sequence
        FROM (
            SELECT o.* FROM gates AS o WHERE o.tenant = in_tenant AND o.id = in_id OFFSET 0
        ) AS g
        WHERE g.unit = in_unit
            AND EXISTS (
                SELECT FROM units AS u
                WHERE u.tenant = in_tenant AND u.id = g.unit
            );
        RETURN;
    END IF;
    RETURN QUERY
    SELECT
        g.id, g.unit, g.part, g.workflow, g.kind, g.status, g.digest,
        g.policy, g.title, g.opened_at, g.opened_kind, g.opened_by, g.opened_for,
        g.opened_sequence, g.decision, g.event, g.decided_at, g.decided_kind,
        g.decided_by, g.decided_for, g.channel, g.decided_sequence
    FROM gates AS g
    WHERE g.tenant = in_tenant AND g.unit = in_unit
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = g.unit
        )
    ORDER BY g.part, g.opened_sequence;
END
$$;

-- Gates of a tenant that are open, the oldest first, or decided, the last first, from a place in
-- that order on.
CREATE FUNCTION interlock_gates(
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

-- They are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname IN (
            'interlock_write_gates', 'interlock_gate_at', 'interlock_unit_gates',
            'interlock_gates', 'interlock_decide_once'
        )
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
