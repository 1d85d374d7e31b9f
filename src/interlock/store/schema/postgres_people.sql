-- People on PostgreSQL: who they are, how they come in, what they did to each other's rights.
-- The tables are those of sqlite_people.sql; see there what they mean. Tokens are in postgres.sql.

CREATE TABLE users (
    tenant      TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id          TEXT COLLATE "C" NOT NULL,
    email       TEXT COLLATE "C" NOT NULL,
    name        TEXT             NOT NULL,
    role        TEXT             NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    password    TEXT,
    subject     TEXT COLLATE "C",
    created_at  BIGINT           NOT NULL,
    disabled_at BIGINT,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, email)
);
CREATE INDEX users_by_email ON users (email);
CREATE UNIQUE INDEX users_by_subject ON users (subject, tenant) WHERE subject IS NOT NULL;

CREATE TABLE invitations (
    tenant       TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id           TEXT COLLATE "C" NOT NULL,
    hash         TEXT COLLATE "C" NOT NULL UNIQUE,
    email        TEXT COLLATE "C" NOT NULL,
    role         TEXT             NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    invited_by   TEXT             NOT NULL,
    created_at   BIGINT           NOT NULL,
    expires_at   BIGINT           NOT NULL,
    accepted_at  BIGINT,
    withdrawn_at BIGINT,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE sessions (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    hash       TEXT COLLATE "C" NOT NULL UNIQUE,
    person     TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    seen_at    BIGINT           NOT NULL,
    expires_at BIGINT           NOT NULL,
    ended_at   BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, person) REFERENCES users (tenant, id)
);
CREATE INDEX sessions_by_person ON sessions (tenant, person, created_at);

CREATE TABLE logins (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    hash       TEXT COLLATE "C" NOT NULL UNIQUE,
    person     TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    expires_at BIGINT           NOT NULL,
    used_at    BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, person) REFERENCES users (tenant, id)
);
CREATE INDEX logins_by_person ON logins (tenant, person);

CREATE TABLE acts (
    tenant  TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    at      BIGINT           NOT NULL,
    id      TEXT COLLATE "C" NOT NULL,
    kind    TEXT             NOT NULL,
    who     TEXT             NOT NULL,
    behalf  TEXT             NOT NULL,
    channel TEXT             NOT NULL,
    act     TEXT             NOT NULL,
    about   TEXT             NOT NULL,
    told    TEXT             NOT NULL,
    PRIMARY KEY (tenant, at, id)
);
CREATE TRIGGER acts_are_kept BEFORE UPDATE OR TRUNCATE ON acts
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE acts ENABLE ALWAYS TRIGGER acts_are_kept;

-- Of no tenant: who tries to log in has not said which. Only one function touches it.
CREATE TABLE tries (
    key    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    minute BIGINT           NOT NULL,
    count  BIGINT           NOT NULL
);
CREATE INDEX tries_by_minute ON tries (minute);

GRANT SELECT, INSERT ON users, invitations, sessions, logins, acts TO interlock_app;
GRANT UPDATE (role, password, subject, disabled_at) ON users TO interlock_app;
GRANT UPDATE (accepted_at, withdrawn_at) ON invitations TO interlock_app;
GRANT UPDATE (seen_at, expires_at, ended_at) ON sessions TO interlock_app;
GRANT UPDATE (used_at) ON logins TO interlock_app;
GRANT UPDATE (name) ON tenants TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY['users', 'invitations', 'sessions', 'logins', 'acts'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY own_tenant ON %1$I USING (tenant %2$s) WITH CHECK (tenant %2$s)',
            one, own
        );
    END LOOP;
END $$;
CREATE POLICY owner_finds ON users FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON invitations FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON sessions FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON logins FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION interlock_find_people(in_email TEXT, in_subject TEXT)
RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT u.tenant, u.id FROM public.users AS u WHERE u.email = in_email
    UNION ALL
    SELECT u.tenant, u.id FROM public.users AS u WHERE u.subject = in_subject
$$;

CREATE FUNCTION interlock_find_invitation(in_hash TEXT) RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT i.tenant, i.id FROM public.invitations AS i WHERE i.hash = in_hash
$$;

CREATE FUNCTION interlock_find_session(in_hash TEXT) RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT s.tenant, s.id FROM public.sessions AS s WHERE s.hash = in_hash
$$;

CREATE FUNCTION interlock_find_login(in_hash TEXT)
RETURNS TABLE (tenant TEXT, id TEXT, person TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT l.tenant, l.id, l.person FROM public.logins AS l WHERE l.hash = in_hash
$$;

-- Counts a try, and forgets those of the hour before.
CREATE FUNCTION interlock_count_try(in_key TEXT, in_minute BIGINT) RETURNS BIGINT
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM public.tries WHERE minute < in_minute - 60;
    INSERT INTO public.tries AS t (key, minute, count) VALUES (in_key, in_minute, 1)
    ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN t.minute = EXCLUDED.minute THEN t.count + 1 ELSE 1 END,
        minute = EXCLUDED.minute
    RETURNING count
$$;

-- Writes an act down in the transaction that does it, and hands on whether it was done.
CREATE FUNCTION interlock_act(in_is_done BOOLEAN, in_tenant TEXT, in_at BIGINT, in_act TEXT[])
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_is_done AND in_act IS NOT NULL THEN
        INSERT INTO acts (tenant, at, id, kind, who, behalf, channel, act, about, told)
        SELECT in_tenant, in_at, a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]
        FROM (SELECT in_act AS a) AS given;
    END IF;
    RETURN in_is_done;
END $$;

CREATE FUNCTION interlock_acts(in_tenant TEXT, in_at BIGINT, in_id TEXT, in_limit BIGINT)
RETURNS SETOF acts LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY SELECT a.* FROM acts AS a
    WHERE a.tenant = in_tenant AND (a.at, a.id) < (in_at, in_id) ORDER BY a.at DESC, a.id DESC
    LIMIT in_limit;
END $$;

CREATE FUNCTION interlock_tenant(in_tenant TEXT) RETURNS SETOF tenants
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY SELECT t.* FROM tenants AS t WHERE t.id = in_tenant;
END $$;

CREATE FUNCTION interlock_rename_tenant(in_tenant TEXT, in_name TEXT, in_at BIGINT, in_act TEXT[])
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE tenants SET name = in_name WHERE id = in_tenant;
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END $$;

-- The people of a tenant, or the one with an id.
CREATE FUNCTION interlock_users(in_tenant TEXT, in_id TEXT) RETURNS SETOF users
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY SELECT u.* FROM users AS u
    WHERE u.tenant = in_tenant AND (in_id IS NULL OR u.id = in_id) ORDER BY u.created_at, u.id;
END $$;

-- Makes the first person of a tenant, unless there is one.
CREATE FUNCTION interlock_add_first(
    in_tenant TEXT, in_id TEXT, in_email TEXT, in_name TEXT, in_role TEXT, in_at BIGINT
) RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO users (tenant, id, email, name, role, created_at)
    SELECT in_tenant, in_id, in_email, in_name, in_role, in_at
    WHERE NOT EXISTS (SELECT FROM users AS u WHERE u.tenant = in_tenant) ON CONFLICT DO NOTHING;
END $$;

-- Gives a person who is as the caller has seen them another role, or shuts them out with all they
-- have open. Says `stale`, or `last` where the tenant would be left without an owner.
CREATE FUNCTION interlock_change_user(
    in_tenant TEXT, in_id TEXT, in_role_before TEXT, in_disabled_before BIGINT, in_role TEXT,
    in_disabled_at BIGINT, in_at BIGINT, in_act TEXT[]
) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    -- One at a time: two owners who demote each other at once would each see the other one.
    PERFORM FROM tenants WHERE id = in_tenant FOR NO KEY UPDATE;
    IF in_role_before = 'owner' AND (in_role <> 'owner' OR in_disabled_at IS NOT NULL)
        AND in_disabled_before IS NULL AND NOT EXISTS (SELECT FROM users AS u
        WHERE u.tenant = in_tenant AND u.id <> in_id AND u.role = 'owner' AND u.disabled_at IS NULL
    ) THEN
        RETURN 'last';
    END IF;
    UPDATE users AS u SET role = in_role, disabled_at = in_disabled_at
    WHERE u.tenant = in_tenant AND u.id = in_id AND u.role = in_role_before
        AND u.disabled_at IS NOT DISTINCT FROM in_disabled_before;
    IF NOT interlock_act(FOUND, in_tenant, in_at, in_act) THEN
        RETURN 'stale';
    END IF;
    UPDATE sessions AS s SET ended_at = in_disabled_at
    WHERE s.tenant = in_tenant AND s.person = in_id AND s.ended_at IS NULL;
    UPDATE logins AS l SET used_at = in_disabled_at
    WHERE l.tenant = in_tenant AND l.person = in_id AND l.used_at IS NULL;
    RETURN 'done';
END $$;

-- Sets a password, or once how an identity provider knows a person. Ends all sessions but one; a
-- NULL in place of that one ends none.
CREATE FUNCTION interlock_set_access(
    in_tenant TEXT, in_id TEXT, in_password TEXT, in_subject TEXT, in_keep TEXT, in_at BIGINT,
    in_act TEXT[]
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE sessions AS s SET ended_at = in_at
    WHERE s.tenant = in_tenant AND s.person = in_id AND s.ended_at IS NULL AND s.id <> in_keep;
    UPDATE users AS u
    SET password = COALESCE(in_password, u.password), subject = COALESCE(u.subject, in_subject)
    WHERE u.tenant = in_tenant AND u.id = in_id AND (in_subject IS NULL OR u.subject IS NULL);
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END $$;

CREATE FUNCTION interlock_add_invitation(
    in_tenant TEXT, in_id TEXT, in_email TEXT, in_role TEXT, in_invited_by TEXT, in_at BIGINT,
    in_expires_at BIGINT, in_hash TEXT, in_act TEXT[]
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO invitations (tenant, id, hash, email, role, invited_by, created_at, expires_at)
    VALUES (in_tenant, in_id, in_hash, in_email, in_role, in_invited_by, in_at, in_expires_at);
    RETURN interlock_act(true, in_tenant, in_at, in_act);
END $$;

CREATE FUNCTION interlock_invitations(in_tenant TEXT, in_id TEXT) RETURNS SETOF invitations
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY SELECT i.* FROM invitations AS i
    WHERE i.tenant = in_tenant AND (in_id IS NULL OR i.id = in_id) ORDER BY i.created_at, i.id;
END $$;

CREATE FUNCTION interlock_withdraw(in_tenant TEXT, in_id TEXT, in_at BIGINT, in_act TEXT[])
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE invitations AS i SET withdrawn_at = in_at WHERE i.tenant = in_tenant AND i.id = in_id
        AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL;
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END $$;

-- Makes a person of an invitation that is still good: with its e-mail and role, whatever they say.
CREATE FUNCTION interlock_accept(
    in_tenant TEXT, in_invitation TEXT, in_id TEXT, in_name TEXT, in_password TEXT,
    in_subject TEXT, in_at BIGINT, in_act TEXT[]
) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    -- One at a time, so that nobody takes the e-mail in between.
    PERFORM FROM tenants WHERE id = in_tenant FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM users AS u JOIN invitations AS i ON i.tenant = u.tenant AND i.email = u.email
        WHERE u.tenant = in_tenant AND i.id = in_invitation AND i.accepted_at IS NULL
    ) THEN
        RETURN 'taken';
    END IF;
    UPDATE invitations AS i SET accepted_at = in_at
    WHERE i.tenant = in_tenant AND i.id = in_invitation
        AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > in_at;
    IF NOT interlock_act(FOUND, in_tenant, in_at, in_act) THEN
        RETURN 'stale';
    END IF;
    INSERT INTO users (tenant, id, email, name, role, password, subject, created_at)
    SELECT in_tenant, in_id, i.email, in_name, i.role, in_password, in_subject, in_at
    FROM invitations AS i WHERE i.tenant = in_tenant AND i.id = in_invitation;
    RETURN 'done';
END $$;

-- Keeps a session, or a login link.
CREATE FUNCTION interlock_add_session(
    in_tenant TEXT, in_id TEXT, in_person TEXT, in_at BIGINT, in_expires_at BIGINT, in_hash TEXT,
    in_is_link BOOLEAN, in_act TEXT[]
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    IF in_is_link THEN
        INSERT INTO logins (tenant, id, hash, person, created_at, expires_at)
        VALUES (in_tenant, in_id, in_hash, in_person, in_at, in_expires_at);
    ELSE
        INSERT INTO sessions (tenant, id, hash, person, created_at, seen_at, expires_at)
        VALUES (in_tenant, in_id, in_hash, in_person, in_at, in_at, in_expires_at);
    END IF;
    RETURN interlock_act(true, in_tenant, in_at, in_act);
END $$;

-- One session, or those that have not ended.
CREATE FUNCTION interlock_sessions(in_tenant TEXT, in_id TEXT) RETURNS SETOF sessions
LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY SELECT s.* FROM sessions AS s WHERE s.tenant = in_tenant
        AND (s.id = in_id OR (in_id IS NULL AND s.ended_at IS NULL)) ORDER BY s.created_at, s.id;
END $$;

-- Notes that a session was seen, or ends it.
CREATE FUNCTION interlock_change_session(
    in_tenant TEXT, in_id TEXT, in_seen_at BIGINT, in_expires_at BIGINT, in_ended_at BIGINT,
    in_act TEXT[]
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE sessions AS s
    SET seen_at = COALESCE(in_seen_at, s.seen_at),
        expires_at = COALESCE(in_expires_at, s.expires_at), ended_at = in_ended_at
    WHERE s.tenant = in_tenant AND s.id = in_id AND s.ended_at IS NULL;
    RETURN interlock_act(FOUND, in_tenant, in_ended_at, in_act);
END $$;

-- Uses a login link up; says whether it was still good.
CREATE FUNCTION interlock_use_login(in_tenant TEXT, in_id TEXT, in_at BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE logins AS l SET used_at = in_at
    WHERE l.tenant = in_tenant AND l.id = in_id AND l.used_at IS NULL AND l.expires_at > in_at;
    RETURN FOUND;
END $$;

-- The functions are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname LIKE 'interlock\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END $$;
