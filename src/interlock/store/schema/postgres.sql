-- The tables of today, for PostgreSQL 15 and newer, and who may touch them; what commands call
-- is in postgres_commands.sql and postgres_short.sql, what reads is in postgres_lists.sql and
-- postgres_reads.sql, what is kept beside units is in postgres_records.sql, and people are in
-- postgres_people.sql: all belong together. A test compares them with all migrations applied.
--
-- Tables and columns are those of SQLite; see there what they mean. What differs: the audit has
-- the number of its transaction in place of a position, rows are guarded by row security, and
-- keys are compared byte by byte, as SQLite does, whatever language the server speaks.
-- Whoever runs this owns everything; programs work as `interlock_app`, which owns nothing.

CREATE TABLE incarnations (
    id         BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE tenants (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name       TEXT             NOT NULL,
    created_at BIGINT           NOT NULL,
    closed_at  BIGINT
);

CREATE TABLE tokens (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT             NOT NULL,
    kind       TEXT             NOT NULL CHECK (kind IN ('user', 'agent', 'worker')),
    scopes     TEXT             NOT NULL,
    hash       TEXT COLLATE "C" NOT NULL UNIQUE,
    prefix     TEXT             NOT NULL,
    created_at BIGINT           NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    owner      TEXT COLLATE "C",
    PRIMARY KEY (tenant, id),
    -- An agent never decides as a person, whatever the code above says.
    CHECK (kind = 'user' OR strpos(scopes, 'decide') = 0)
);

CREATE TABLE units (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id         TEXT COLLATE "C" NOT NULL,
    workflow   TEXT             NOT NULL,
    digest     TEXT             NOT NULL,
    status     TEXT             NOT NULL,
    version    BIGINT           NOT NULL CHECK (version > 0),
    head       TEXT             NOT NULL,
    made       BIGINT           NOT NULL,
    takes      TEXT             NOT NULL,
    tally      TEXT             NOT NULL,
    fields     TEXT             NOT NULL,
    created_at BIGINT           NOT NULL,
    changed_at BIGINT           NOT NULL,
    ended_at   BIGINT,
    deleted_at BIGINT,
    due        BIGINT,
    PRIMARY KEY (tenant, id)
);
-- It has all units, and for whoever says so alone: else a server that knows of few units yet takes it
-- for as good as the key where one is looked up by its id, and goes on so when there are many.
CREATE INDEX units_by_change ON units (tenant, changed_at, id, workflow, status, deleted_at)
    WHERE version > 0;
CREATE INDEX units_by_open ON units (tenant, changed_at, id) WHERE ended_at IS NULL;
CREATE INDEX units_by_work ON units (tenant, created_at, id) WHERE takes <> '';
CREATE INDEX units_by_due ON units (due) WHERE due IS NOT NULL;

CREATE TABLE tags (
    tenant TEXT COLLATE "C" NOT NULL,
    unit   TEXT COLLATE "C" NOT NULL,
    tag    TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, unit, tag),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);

CREATE TABLE parts (
    tenant   TEXT COLLATE "C" NOT NULL,
    unit     TEXT COLLATE "C" NOT NULL,
    number   BIGINT           NOT NULL,
    kind     TEXT COLLATE "C" NOT NULL,
    status   TEXT COLLATE "C" NOT NULL,
    ord      BIGINT           NOT NULL,
    parent   BIGINT,
    waits    BIGINT           NOT NULL,
    feeds    BIGINT           NOT NULL,
    branches BIGINT           NOT NULL,
    offer    BIGINT,
    slot     TEXT COLLATE "C",
    role     TEXT,
    member   TEXT,
    holder   TEXT,
    fence    BIGINT           NOT NULL,
    lapsed   BIGINT           NOT NULL,
    due      BIGINT,
    fields   TEXT             NOT NULL,
    gone_at  BIGINT,
    site     TEXT,
    -- One check, not three: each is read anew for every statement that writes.
    CHECK (waits >= 0 AND feeds >= 0 AND branches >= 0),
    PRIMARY KEY (tenant, unit, number),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);
CREATE UNIQUE INDEX parts_by_slot ON parts (tenant, unit, slot) WHERE slot IS NOT NULL;
CREATE INDEX parts_by_ord ON parts (tenant, unit, ord) WHERE gone_at IS NULL;
CREATE INDEX parts_by_offer ON parts (tenant, unit, kind, status, offer, ord)
    WHERE offer IS NOT NULL;
CREATE INDEX parts_by_parent ON parts (tenant, unit, parent) WHERE parent IS NOT NULL;
CREATE INDEX parts_by_due ON parts (due) WHERE due IS NOT NULL;

CREATE TABLE links (
    tenant TEXT COLLATE "C" NOT NULL,
    unit   TEXT COLLATE "C" NOT NULL,
    part   BIGINT           NOT NULL,
    need   BIGINT           NOT NULL,
    place  BIGINT           NOT NULL,
    PRIMARY KEY (tenant, unit, part, need),
    FOREIGN KEY (tenant, unit, part) REFERENCES parts (tenant, unit, number),
    FOREIGN KEY (tenant, unit, need) REFERENCES parts (tenant, unit, number)
);
CREATE INDEX links_by_need ON links (tenant, unit, need);

CREATE TABLE conditions (
    tenant     TEXT COLLATE "C" NOT NULL,
    unit       TEXT COLLATE "C" NOT NULL,
    part       BIGINT           NOT NULL,
    place      BIGINT           NOT NULL,
    expression TEXT             NOT NULL,
    action     TEXT             NOT NULL,
    params     TEXT             NOT NULL,
    target     BIGINT,
    PRIMARY KEY (tenant, unit, part, place),
    FOREIGN KEY (tenant, unit, part) REFERENCES parts (tenant, unit, number)
);
CREATE INDEX conditions_by_target ON conditions (tenant, unit, target) WHERE target IS NOT NULL;

-- What happened, for ever. Transactions do not become visible in the order of their numbers: a
-- feed reads only below the oldest one that is still open, so it passes over nothing.
CREATE TABLE audit (
    tenant   TEXT COLLATE "C" NOT NULL,
    unit     TEXT COLLATE "C" NOT NULL,
    sequence BIGINT           NOT NULL,
    at       BIGINT           NOT NULL,
    body     TEXT             NOT NULL,
    hash     TEXT             NOT NULL,
    xid      XID8             NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (tenant, unit, sequence),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
);
CREATE INDEX audit_by_xid ON audit (tenant, xid, unit, sequence);

CREATE FUNCTION interlock_refuse_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    -- What may be done then is asked of each row.
    IF TG_OP = 'UPDATE' AND interlock_is_erased(current_setting('interlock.tenant', true)) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_change();
-- Also where a session pretends to be a replica.
ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_is_kept;

CREATE TABLE replies (
    tenant    TEXT COLLATE "C" NOT NULL,
    principal TEXT COLLATE "C" NOT NULL,
    request   TEXT COLLATE "C" NOT NULL,
    asked     TEXT             NOT NULL,
    unit      TEXT             NOT NULL,
    text      TEXT             NOT NULL,
    at        BIGINT           NOT NULL,
    PRIMARY KEY (tenant, principal, request)
);

CREATE TABLE contents (
    tenant    TEXT COLLATE "C" NOT NULL,
    digest    TEXT COLLATE "C" NOT NULL,
    size      BIGINT           NOT NULL,
    bytes     BYTEA            NOT NULL,
    pruned_at BIGINT,
    PRIMARY KEY (tenant, digest)
);

CREATE TABLE artifacts (
    tenant     TEXT COLLATE "C" NOT NULL,
    unit       TEXT COLLATE "C" NOT NULL,
    part       BIGINT           NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    version    BIGINT           NOT NULL,
    digest     TEXT COLLATE "C" NOT NULL,
    media_type TEXT             NOT NULL,
    mark       TEXT             NOT NULL,
    author     TEXT             NOT NULL,
    at         BIGINT           NOT NULL,
    PRIMARY KEY (tenant, unit, part, name, version),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    FOREIGN KEY (tenant, digest) REFERENCES contents (tenant, digest)
);
CREATE INDEX artifacts_by_digest ON artifacts (tenant, digest);

-- A database that is made has its first incarnation; a restored one is given another.
INSERT INTO incarnations (id, name, created_at)
VALUES (
    1,
    left(replace(gen_random_uuid()::TEXT, '-', ''), 12),
    floor(extract(EPOCH FROM clock_timestamp()) * 1000)::BIGINT
);

-- -- who may do what -------------------------------------------------------------------------

-- Roles belong to the whole server, so another database may have made this one already.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'interlock_app') THEN
        CREATE ROLE interlock_app NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
END
$$;
-- So that the owner's own login can work as the app, too.
DO $$
BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        GRANT interlock_app TO CURRENT_USER;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO interlock_app;
GRANT SELECT ON incarnations TO interlock_app;
DO $$
BEGIN
    -- This one table is not made here; the app must see whether it knows the schema.
    IF to_regclass('migrations') IS NOT NULL THEN
        GRANT SELECT ON migrations TO interlock_app;
    END IF;
END
$$;
GRANT SELECT, INSERT ON
    tenants, tokens, units, tags, parts, links, conditions, audit, replies, contents, artifacts
TO interlock_app;
GRANT UPDATE ON units, parts TO interlock_app;
GRANT UPDATE (revoked_at) ON tokens TO interlock_app;
GRANT UPDATE (bytes, pruned_at) ON contents TO interlock_app;
GRANT DELETE ON links, conditions TO interlock_app;

-- No tenant set, or an empty one: no rows, no writes. That holds for the owner, too.
DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY[
        'tenants', 'tokens', 'units', 'tags', 'parts', 'links', 'conditions', 'audit', 'replies',
        'contents', 'artifacts'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %1$I USING (%2$I %3$s) WITH CHECK (%2$I %3$s)',
            one, CASE one WHEN 'tenants' THEN 'id' ELSE 'tenant' END, own
        );
    END LOOP;
END
$$;
-- A unit that was deleted is found by nobody, except where a transaction says that it wants to:
-- to prove the audit, or to delete.
ALTER POLICY own_tenant ON units USING (
    tenant = NULLIF(current_setting('interlock.tenant', true), '')
    AND (deleted_at IS NULL OR current_setting('interlock.deleted', true) = 'seen')
);
-- The few functions that look across tenants run as the owner and return nothing but ids.
CREATE POLICY owner_finds ON tenants FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON tokens FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON units FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON parts FOR SELECT TO CURRENT_USER USING (true);

-- The only clock that leases go by.
CREATE FUNCTION interlock_clock() RETURNS BIGINT LANGUAGE sql VOLATILE AS $$
    SELECT floor(extract(EPOCH FROM clock_timestamp()) * 1000)::BIGINT
$$;

-- -- tenants and tokens ----------------------------------------------------------------------

-- Makes a tenant, unless there is one.
CREATE FUNCTION interlock_add_tenant(in_tenant TEXT, in_name TEXT, in_at BIGINT) RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO tenants (id, name, created_at) VALUES (in_tenant, in_name, in_at)
    ON CONFLICT DO NOTHING;
END
$$;

-- Keeps a token under the SHA-256 of its secret. Its owner is who made it, if that is a person.
CREATE FUNCTION interlock_add_token(
    in_tenant TEXT, in_id TEXT, in_name TEXT, in_kind TEXT, in_scopes TEXT, in_prefix TEXT,
    in_created_at BIGINT, in_expires_at BIGINT, in_owner TEXT, in_hash TEXT, in_act TEXT[]
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO tokens (
        tenant, id, name, kind, scopes, hash, prefix, created_at, expires_at, owner
    )
    VALUES (
        in_tenant, in_id, in_name, in_kind, in_scopes, in_hash, in_prefix, in_created_at,
        in_expires_at,
        (SELECT u.id FROM users AS u WHERE u.tenant = in_tenant AND u.id = in_owner)
    );
    RETURN interlock_act(true, in_tenant, in_created_at, in_act);
END $$;

-- Revokes a token; says whether there was one that was still good.
CREATE FUNCTION interlock_revoke_token(in_tenant TEXT, in_id TEXT, in_at BIGINT, in_act TEXT[])
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE tokens SET revoked_at = in_at
    WHERE tenant = in_tenant AND id = in_id AND revoked_at IS NULL;
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END $$;

-- The tokens of a tenant, the oldest first, or the one with an id; with what its owner may do.
CREATE FUNCTION interlock_tokens(in_tenant TEXT, in_id TEXT) RETURNS TABLE (
    tenant TEXT, id TEXT, name TEXT, kind TEXT, scopes TEXT, prefix TEXT, created_at BIGINT,
    expires_at BIGINT, revoked_at BIGINT, owner TEXT, owner_role TEXT, owner_disabled_at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        t.tenant, t.id, t.name, t.kind, t.scopes, t.prefix, t.created_at, t.expires_at,
        t.revoked_at, t.owner, u.role, u.disabled_at
    FROM tokens AS t
    LEFT JOIN users AS u ON u.tenant = t.tenant AND u.id = t.owner
    WHERE t.tenant = in_tenant AND (in_id IS NULL OR t.id = in_id)
    ORDER BY t.created_at, t.id;
END $$;

-- -- across tenants: ids and nothing else, as the owner, with names that nobody can bend -------

CREATE FUNCTION interlock_find_token(in_hash TEXT) RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT t.tenant, t.id FROM public.tokens AS t WHERE t.hash = in_hash
$$;

CREATE FUNCTION interlock_list_tenants() RETURNS TABLE (tenant TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT t.id FROM public.tenants AS t ORDER BY t.id
$$;

CREATE FUNCTION interlock_list_due(in_limit BIGINT)
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
