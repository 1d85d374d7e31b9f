-- Documents, their chunks, work that must not be forgotten, and what models have cost: tables, who
-- may touch them, and what commands call. It comes after postgres_short.sql.

CREATE TABLE documents (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    unit       TEXT COLLATE "C" NOT NULL,
    part       BIGINT           NOT NULL,
    kind       TEXT             NOT NULL CHECK (kind IN ('artifact', 'output')),
    type       TEXT             NOT NULL,
    title      TEXT             NOT NULL,
    urls       TEXT             NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    version    BIGINT           NOT NULL,
    digest     TEXT COLLATE "C" NOT NULL,
    media_type TEXT             NOT NULL,
    author     TEXT             NOT NULL,
    at         BIGINT           NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit, part, name, version)
        REFERENCES artifacts (tenant, unit, part, name, version)
);
CREATE INDEX documents_by_unit ON documents (tenant, unit, at, id);
CREATE INDEX documents_by_age ON documents (tenant, at, id);

-- `words` has the words of the text as we cut them ourselves, and one that stands for the tenant.
CREATE TABLE chunks (
    tenant   TEXT COLLATE "C" NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    place    BIGINT           NOT NULL,
    text     TEXT             NOT NULL,
    words    TSVECTOR         NOT NULL,
    model    TEXT COLLATE "C" NOT NULL,
    vector   BYTEA,
    PRIMARY KEY (tenant, document, place),
    FOREIGN KEY (tenant, document) REFERENCES documents (tenant, id)
);
CREATE INDEX chunks_by_words ON chunks USING gin (words);

CREATE TABLE jobs (
    tenant   TEXT COLLATE "C" NOT NULL,
    kind     TEXT COLLATE "C" NOT NULL,
    about    TEXT COLLATE "C" NOT NULL,
    due      BIGINT           NOT NULL,
    attempts BIGINT           NOT NULL,
    error    TEXT             NOT NULL,
    at       BIGINT           NOT NULL,
    PRIMARY KEY (tenant, kind, about)
);
CREATE INDEX jobs_by_due ON jobs (due);

CREATE TABLE usage (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    who        TEXT             NOT NULL,
    what       TEXT             NOT NULL,
    model      TEXT             NOT NULL,
    tokens_in  BIGINT           NOT NULL,
    tokens_out BIGINT           NOT NULL,
    at         BIGINT           NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX usage_by_age ON usage (tenant, at, id);

GRANT SELECT, INSERT ON documents, chunks, jobs, usage TO interlock_app;
GRANT UPDATE ON jobs TO interlock_app;
GRANT DELETE ON chunks, jobs TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY['documents', 'chunks', 'jobs', 'usage'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %1$I USING (tenant %2$s) WITH CHECK (tenant %2$s)',
            one, own
        );
    END LOOP;
END
$$;
-- For the two functions below that run as the owner and return nothing but ids.
CREATE POLICY owner_finds ON documents FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON chunks FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON jobs FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON tags FOR SELECT TO CURRENT_USER USING (true);

-- -- documents -------------------------------------------------------------------------------

-- The last version of a name of a part; 0 is none.
CREATE FUNCTION interlock_latest(in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_name TEXT)
RETURNS TABLE (version BIGINT, latest BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.version, (
        SELECT COALESCE(max(a.version), 0)
        FROM artifacts AS a
        WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.part = in_part AND a.name = in_name
    )
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.id = in_unit;
END
$$;

-- Writes the documents of a commit, and the jobs that index them. It is called in the statement
-- that commits, once for each row of the outcome: the artifacts are there, the unit is locked.
CREATE FUNCTION interlock_write_documents(
    in_outcome TEXT, in_tenant TEXT, in_unit TEXT, in_at BIGINT,
    in_ids TEXT[], in_parts BIGINT[], in_names TEXT[], in_kinds TEXT[], in_types TEXT[],
    in_titles TEXT[], in_urls TEXT[], in_digests TEXT[], in_media_types TEXT[], in_authors TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' THEN
        RETURN false;
    END IF;
    INSERT INTO documents (
        tenant, id, unit, part, kind, type, title, urls, name, version, digest, media_type,
        author, at
    )
    SELECT
        in_tenant, d.id, in_unit, d.part, d.kind, d.type, d.title, d.urls, d.name,
        (
            SELECT max(a.version)
            FROM artifacts AS a
            WHERE a.tenant = in_tenant AND a.unit = in_unit
                AND a.part = d.part AND a.name = d.name
        ),
        d.digest, d.media_type, d.author, in_at
    FROM unnest(
        in_ids, in_parts, in_names, in_kinds, in_types, in_titles, in_urls, in_digests,
        in_media_types, in_authors
    ) AS d (id, part, name, kind, type, title, urls, digest, media_type, author);
    INSERT INTO jobs (tenant, kind, about, due, attempts, error, at)
    SELECT in_tenant, 'index', d.id, interlock_clock(), 0, '', in_at
    FROM unnest(in_ids) AS d (id);
    RETURN true;
END
$$;

-- The documents of a unit, the oldest first, or the one with an id.
CREATE FUNCTION interlock_documents(in_tenant TEXT, in_unit TEXT, in_id TEXT)
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

-- -- work that must not be forgotten ---------------------------------------------------------

CREATE FUNCTION interlock_list_jobs(in_limit BIGINT)
RETURNS TABLE (tenant TEXT, kind TEXT, about TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT j.tenant, j.kind, j.about
    FROM public.jobs AS j
    WHERE j.due <= (SELECT public.interlock_clock())
    ORDER BY j.due
    LIMIT in_limit
$$;

-- Takes a job for a while; returns which attempt this is, or NULL where somebody else has it.
CREATE FUNCTION interlock_take_job(
    in_tenant TEXT, in_kind TEXT, in_about TEXT, in_lease_ms BIGINT
)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    attempt BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE jobs
    SET due = interlock_clock() + in_lease_ms, attempts = attempts + 1
    WHERE tenant = in_tenant AND kind = in_kind AND about = in_about AND due <= interlock_clock()
    RETURNING attempts INTO attempt;
    RETURN attempt;
END
$$;

-- Writes the chunks of a document and removes its job, if it is still the caller's to do. With a
-- delay the job stays, and is due again after it.
CREATE FUNCTION interlock_finish_job(
    in_tenant TEXT, in_kind TEXT, in_about TEXT, in_attempt BIGINT, in_model TEXT,
    in_delay_ms BIGINT, in_error TEXT,
    in_places BIGINT[], in_texts TEXT[], in_words TEXT[], in_vectors BYTEA[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE jobs
    SET due = interlock_clock() + in_delay_ms, error = in_error
    WHERE tenant = in_tenant AND kind = in_kind AND about = in_about AND attempts = in_attempt
        AND in_delay_ms IS NOT NULL;
    IF NOT FOUND THEN
        DELETE FROM jobs
        WHERE tenant = in_tenant AND kind = in_kind AND about = in_about
            AND attempts = in_attempt AND in_delay_ms IS NULL;
    END IF;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM chunks WHERE tenant = in_tenant AND document = in_about;
    INSERT INTO chunks (tenant, document, place, text, words, model, vector)
    SELECT
        in_tenant, in_about, c.place, c.text,
        c.words::TSVECTOR || array_to_tsvector(ARRAY['@' || in_tenant]), in_model, c.vector
    FROM unnest(in_places, in_texts, in_words, in_vectors) AS c (place, text, words, vector);
    RETURN true;
END
$$;

-- Puts a job off, and keeps what went wrong.
CREATE FUNCTION interlock_fail_job(
    in_tenant TEXT, in_kind TEXT, in_about TEXT, in_attempt BIGINT, in_delay_ms BIGINT,
    in_error TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE jobs
    SET due = interlock_clock() + in_delay_ms, error = in_error
    WHERE tenant = in_tenant AND kind = in_kind AND about = in_about AND attempts = in_attempt;
    RETURN FOUND;
END
$$;

-- The jobs of a tenant, the oldest first.
CREATE FUNCTION interlock_jobs(in_tenant TEXT, in_limit BIGINT)
RETURNS TABLE (kind TEXT, about TEXT, due BIGINT, attempts BIGINT, error TEXT, at BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT j.kind, j.about, j.due, j.attempts, j.error, j.at
    FROM jobs AS j
    WHERE j.tenant = in_tenant
    ORDER BY j.at, j.kind, j.about
    LIMIT in_limit;
END
$$;
