-- Projects and logs, as they are today, for PostgreSQL; it goes with postgres.sql and its
-- neighbours. What the columns mean is said in sqlite_projects.sql.

CREATE TABLE projects (
    tenant      TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id          TEXT COLLATE "C" NOT NULL,
    name        TEXT             NOT NULL,
    repository  TEXT             NOT NULL,
    base_branch TEXT             NOT NULL,
    settings    TEXT             NOT NULL,
    version     BIGINT           NOT NULL CHECK (version > 0),
    created_by  TEXT             NOT NULL,
    created_at  BIGINT           NOT NULL,
    changed_at  BIGINT           NOT NULL,
    archived_at BIGINT,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE logs (
    tenant TEXT COLLATE "C" NOT NULL,
    unit   TEXT COLLATE "C" NOT NULL,
    number BIGINT           NOT NULL,
    part   BIGINT           NOT NULL,
    member TEXT COLLATE "C" NOT NULL,
    at     BIGINT           NOT NULL,
    stream TEXT             NOT NULL,
    text   TEXT             NOT NULL,
    PRIMARY KEY (tenant, unit, number),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);

GRANT SELECT, INSERT ON projects, logs TO interlock_app;
GRANT UPDATE (name, repository, base_branch, settings, version, changed_at, archived_at)
    ON projects TO interlock_app;
GRANT DELETE ON logs TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY['projects', 'logs'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %1$I USING (tenant %2$s) WITH CHECK (tenant %2$s)',
            one, own
        );
    END LOOP;
END
$$;

-- Keeps a project.
CREATE FUNCTION interlock_add_project(
    in_tenant TEXT, in_id TEXT, in_name TEXT, in_repository TEXT, in_base_branch TEXT,
    in_settings TEXT, in_version BIGINT, in_created_by TEXT, in_created_at BIGINT,
    in_changed_at BIGINT, in_archived_at BIGINT, in_act TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO projects (
        tenant, id, name, repository, base_branch, settings, version, created_by, created_at,
        changed_at, archived_at
    )
    VALUES (
        in_tenant, in_id, in_name, in_repository, in_base_branch, in_settings, in_version,
        in_created_by, in_created_at, in_changed_at, in_archived_at
    );
    RETURN interlock_act(true, in_tenant, in_created_at, in_act);
END
$$;

-- The projects of a tenant, the oldest first, or the one with an id.
CREATE FUNCTION interlock_projects(in_tenant TEXT, in_id TEXT)
RETURNS TABLE (
    id TEXT, name TEXT, repository TEXT, base_branch TEXT, settings TEXT, version BIGINT,
    created_by TEXT, created_at BIGINT, changed_at BIGINT, archived_at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        p.id, p.name, p.repository, p.base_branch, p.settings, p.version, p.created_by,
        p.created_at, p.changed_at, p.archived_at
    FROM projects AS p
    WHERE p.tenant = in_tenant AND (in_id IS NULL OR p.id = in_id)
    ORDER BY p.created_at, p.id;
END
$$;

-- Writes a project anew, if it is still at the version that was seen.
CREATE FUNCTION interlock_change_project(
    in_tenant TEXT, in_id TEXT, in_name TEXT, in_repository TEXT, in_base_branch TEXT,
    in_settings TEXT, in_version BIGINT, in_changed_at BIGINT, in_archived_at BIGINT,
    in_seen BIGINT, in_act TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE projects
    SET name = in_name, repository = in_repository, base_branch = in_base_branch,
        settings = in_settings, version = in_version, changed_at = in_changed_at,
        archived_at = in_archived_at
    WHERE tenant = in_tenant AND id = in_id AND version = in_seen;
    RETURN interlock_act(FOUND, in_tenant, in_changed_at, in_act);
END
$$;

-- Keeps lines of a part; of the unit only so many stay. Two workers of one unit come one after
-- the other. Where they are the last lines of the part already they came a second time.
CREATE FUNCTION interlock_append_logs(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_member TEXT, in_ats BIGINT[],
    in_streams TEXT[], in_texts TEXT[], in_most BIGINT
)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    amount CONSTANT BIGINT := COALESCE(array_length(in_ats, 1), 0);
    last BIGINT;
    known BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    PERFORM pg_advisory_xact_lock(hashtextextended(in_tenant || ' ' || in_unit, 22));
    SELECT max(k.number), count(*) FILTER (
        WHERE (k.at, k.stream, k.text) = (
            in_ats[amount - k.back], in_streams[amount - k.back], in_texts[amount - k.back]
        )
    )
    INTO last, known
    FROM (
        SELECT
            l.number, l.at, l.stream, l.text, row_number() OVER (ORDER BY l.number DESC) - 1 AS back
        FROM logs AS l
        WHERE l.tenant = in_tenant AND l.unit = in_unit AND l.part = in_part
        ORDER BY l.number DESC
        LIMIT amount
    ) AS k;
    IF amount > 0 AND known = amount THEN
        RETURN last;
    END IF;
    last := COALESCE(
        (SELECT max(l.number) FROM logs AS l WHERE l.tenant = in_tenant AND l.unit = in_unit), 0
    );
    INSERT INTO logs (tenant, unit, number, part, member, at, stream, text)
    SELECT in_tenant, in_unit, last + n.place, in_part, in_member, n.at, n.stream, n.text
    FROM unnest(in_ats, in_streams, in_texts) WITH ORDINALITY AS n (at, stream, text, place);
    last := last + amount;
    DELETE FROM logs WHERE tenant = in_tenant AND unit = in_unit AND number <= last - in_most;
    RETURN last;
END
$$;

-- Lines of a unit in their order.
CREATE FUNCTION interlock_logs(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_member TEXT, in_after BIGINT, in_limit BIGINT
)
RETURNS TABLE (
    number BIGINT, part BIGINT, member TEXT, at BIGINT, stream TEXT, text TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT l.number, l.part, l.member, l.at, l.stream, l.text
    FROM logs AS l
    WHERE l.tenant = in_tenant AND l.unit = in_unit AND l.number > in_after
        AND (in_part = 0 OR l.part = in_part)
        AND (in_member = '' OR l.member = in_member)
    ORDER BY l.number
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
            'interlock_add_project', 'interlock_projects', 'interlock_change_project',
            'interlock_append_logs', 'interlock_logs'
        )
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
