-- The records of today beside the units, for PostgreSQL: skills that clients execute, feedback,
-- the log of calls. They go with postgres.sql and its neighbours, after all of them.

CREATE TABLE skills (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id         TEXT COLLATE "C" NOT NULL,
    session    TEXT COLLATE "C" NOT NULL,
    principal  TEXT             NOT NULL,
    name       TEXT             NOT NULL,
    status     TEXT             NOT NULL CHECK (status IN ('started', 'completed', 'failed')),
    metadata   TEXT             NOT NULL,
    unit       TEXT COLLATE "C",
    started_at BIGINT           NOT NULL,
    ended_at   BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    CHECK ((status = 'started') = (ended_at IS NULL))
);
CREATE INDEX skills_by_session ON skills (tenant, session, started_at, id)
    WHERE status = 'started' AND unit IS NULL;
CREATE UNIQUE INDEX skills_by_unit ON skills (tenant, unit) WHERE unit IS NOT NULL;

CREATE TABLE feedback (
    tenant    TEXT COLLATE "C" NOT NULL,
    id        TEXT COLLATE "C" NOT NULL,
    unit      TEXT COLLATE "C" NOT NULL,
    rating    BIGINT           NOT NULL CHECK (rating BETWEEN 1 AND 5),
    text      TEXT             NOT NULL,
    principal TEXT             NOT NULL,
    at        BIGINT           NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);
CREATE INDEX feedback_by_unit ON feedback (tenant, unit, at, id);

CREATE TABLE calls (
    tenant      TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    at          BIGINT           NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    tool        TEXT             NOT NULL,
    kind        TEXT             NOT NULL,
    principal   TEXT             NOT NULL,
    session     TEXT             NOT NULL,
    channel     TEXT             NOT NULL,
    request     TEXT             NOT NULL,
    response    TEXT             NOT NULL,
    duration_ms BIGINT           NOT NULL,
    failed      BIGINT           NOT NULL,
    PRIMARY KEY (tenant, at, id)
);
CREATE INDEX calls_by_at ON calls (at);

CREATE FUNCTION interlock_refuse_rewrite() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER feedback_is_kept BEFORE UPDATE OR TRUNCATE ON feedback
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE feedback ENABLE ALWAYS TRIGGER feedback_is_kept;
CREATE TRIGGER calls_are_kept BEFORE UPDATE OR TRUNCATE ON calls
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE calls ENABLE ALWAYS TRIGGER calls_are_kept;

-- -- who may do what -------------------------------------------------------------------------

GRANT SELECT, INSERT ON skills, feedback, calls TO interlock_app;
GRANT UPDATE (unit, status, metadata, ended_at) ON skills TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY['skills', 'feedback', 'calls'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %1$I USING (tenant %2$s) WITH CHECK (tenant %2$s)',
            one, own
        );
    END LOOP;
END
$$;
-- The app takes nothing out of the log; one function of the owner's does, by age alone.
CREATE POLICY owner_finds ON calls FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_prunes ON calls FOR DELETE TO CURRENT_USER USING (true);

-- -- what is answered but concerns no version -------------------------------------------------

-- Keeps the answer to a key. Where it was answered before, says with what; then nothing more may
-- be written.
CREATE FUNCTION interlock_answer(
    in_tenant TEXT, in_about TEXT, in_at BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT,
    OUT outcome TEXT, OUT asked TEXT, OUT reply TEXT
)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    outcome := 'ok';
    IF in_request IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
    VALUES (in_tenant, in_principal, in_request, in_asked, in_about, in_reply, in_at)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        outcome := 'known';
        SELECT r.asked, r.text INTO asked, reply
        FROM replies AS r
        WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
    END IF;
END
$$;

-- The answer that was given to a key.
CREATE FUNCTION interlock_reply(in_tenant TEXT, in_principal TEXT, in_request TEXT)
RETURNS TABLE (asked TEXT, reply TEXT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT r.asked, r.text
    FROM replies AS r
    WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
END
$$;

-- -- skills ----------------------------------------------------------------------------------

-- Keeps an execution that has begun.
CREATE FUNCTION interlock_add_skill(
    in_tenant TEXT, in_id TEXT, in_session TEXT, in_holder TEXT, in_name TEXT, in_metadata TEXT,
    in_at BIGINT, in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT
)
RETURNS TABLE (outcome TEXT, asked TEXT, reply TEXT)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    SELECT a.outcome, a.asked, a.reply INTO outcome, asked, reply
    FROM interlock_answer(
        in_tenant, in_id, in_at, in_principal, in_request, in_asked, in_reply
    ) AS a;
    IF outcome = 'ok' THEN
        INSERT INTO skills (tenant, id, session, principal, name, status, metadata, started_at)
        VALUES (
            in_tenant, in_id, in_session, in_holder, in_name, 'started', in_metadata, in_at
        );
    END IF;
    RETURN NEXT;
END
$$;

-- Locks an execution that still stands where it was seen and has this unit or none; says whether.
CREATE FUNCTION interlock_hold_skill(
    in_tenant TEXT, in_id TEXT, in_status TEXT, in_unit TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM skills AS s
    WHERE s.tenant = in_tenant AND s.id = in_id AND s.status = in_status
        AND (s.unit IS NULL OR s.unit = in_unit)
    FOR NO KEY UPDATE;
    RETURN FOUND;
END
$$;

-- Ends an execution that has no unit. The outcome is moved if it stands elsewhere by now.
CREATE FUNCTION interlock_move_skill(
    in_tenant TEXT, in_at BIGINT, in_id TEXT, in_before TEXT, in_status TEXT, in_metadata TEXT,
    in_ended_at BIGINT, in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT
)
RETURNS TABLE (outcome TEXT, asked TEXT, reply TEXT)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF NOT interlock_hold_skill(in_tenant, in_id, in_before, NULL) THEN
        outcome := 'moved';
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT a.outcome, a.asked, a.reply INTO outcome, asked, reply
    FROM interlock_answer(
        in_tenant, in_id, in_at, in_principal, in_request, in_asked, in_reply
    ) AS a;
    IF outcome = 'ok' THEN
        UPDATE skills AS s
        SET status = in_status, metadata = COALESCE(in_metadata, s.metadata),
            ended_at = in_ended_at
        WHERE s.tenant = in_tenant AND s.id = in_id;
    END IF;
    RETURN NEXT;
END
$$;

-- Executions with where their units stand: the one with an id, or of a unit, or the one of a
-- session that began last and has no unit yet.
CREATE FUNCTION interlock_skills(in_tenant TEXT, in_id TEXT, in_unit TEXT, in_session TEXT)
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

-- -- feedback --------------------------------------------------------------------------------

-- Keeps what somebody thinks of a unit. The outcome is none if there is no such unit.
CREATE FUNCTION interlock_add_feedback(
    in_tenant TEXT, in_id TEXT, in_unit TEXT, in_rating BIGINT, in_text TEXT, in_author TEXT,
    in_at BIGINT, in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT
)
RETURNS TABLE (outcome TEXT, asked TEXT, reply TEXT)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF NOT EXISTS (SELECT FROM units AS u WHERE u.tenant = in_tenant AND u.id = in_unit) THEN
        outcome := 'none';
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT a.outcome, a.asked, a.reply INTO outcome, asked, reply
    FROM interlock_answer(
        in_tenant, in_unit, in_at, in_principal, in_request, in_asked, in_reply
    ) AS a;
    IF outcome = 'ok' THEN
        INSERT INTO feedback (tenant, id, unit, rating, text, principal, at)
        VALUES (in_tenant, in_id, in_unit, in_rating, in_text, in_author, in_at);
    END IF;
    RETURN NEXT;
END
$$;

-- What was said of a unit, the oldest first.
CREATE FUNCTION interlock_feedback(in_tenant TEXT, in_unit TEXT)
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

-- -- the log of calls ------------------------------------------------------------------------

-- Keeps calls of one tenant.
CREATE FUNCTION interlock_add_calls(
    in_tenant TEXT, in_instants BIGINT[], in_ids TEXT[], in_tools TEXT[], in_kinds TEXT[],
    in_principals TEXT[], in_sessions TEXT[], in_channels TEXT[], in_requests TEXT[],
    in_responses TEXT[], in_durations BIGINT[], in_failed BIGINT[]
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO calls (
        tenant, at, id, tool, kind, principal, session, channel, request, response, duration_ms,
        failed
    )
    SELECT in_tenant, c.*
    FROM unnest(
        in_instants, in_ids, in_tools, in_kinds, in_principals, in_sessions, in_channels,
        in_requests, in_responses, in_durations, in_failed
    ) AS c;
END
$$;

-- Calls from a place in their order on, the newest first; the filters are empty for any. What a
-- call is about stands in what was asked or answered.
CREATE FUNCTION interlock_calls(
    in_tenant TEXT, in_at BIGINT, in_id TEXT, in_limit BIGINT, in_tool TEXT, in_about TEXT,
    in_is_failed BOOLEAN
)
RETURNS TABLE (
    tenant TEXT, at BIGINT, id TEXT, tool TEXT, kind TEXT, principal TEXT, session TEXT,
    channel TEXT, request TEXT, response TEXT, duration_ms BIGINT, failed BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        c.tenant, c.at, c.id, c.tool, c.kind, c.principal, c.session, c.channel, c.request,
        c.response, c.duration_ms, c.failed
    FROM calls AS c
    WHERE c.tenant = in_tenant
        AND (c.at, c.id) < (in_at, in_id)
        AND (in_tool = '' OR c.tool = in_tool)
        AND (NOT in_is_failed OR c.failed = 1)
        AND (
            in_about = ''
            OR strpos(c.request, in_about) > 0
            OR strpos(c.response, in_about) > 0
        )
    ORDER BY c.at DESC, c.id DESC
    LIMIT in_limit;
END
$$;

-- Forgets calls of all tenants by age alone, the oldest first; says how many. What is younger than
-- a day nobody takes out, whatever instant is named.
CREATE FUNCTION interlock_prune_calls(in_before BIGINT, in_limit BIGINT) RETURNS BIGINT
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    WITH old AS (
        SELECT c.tenant, c.at, c.id
        FROM public.calls AS c
        WHERE c.at < LEAST(in_before, (SELECT public.interlock_clock()) - 86400000)
        ORDER BY c.at
        LIMIT in_limit
    ),
    gone AS (
        DELETE FROM public.calls AS c
        USING old AS o
        WHERE c.tenant = o.tenant AND c.at = o.at AND c.id = o.id
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

-- The functions are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname LIKE 'interlock\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
