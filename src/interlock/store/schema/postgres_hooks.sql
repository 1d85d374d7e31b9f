-- What goes out, as it is today, for PostgreSQL; it goes with postgres.sql and its neighbours. What
-- the columns mean is said in sqlite_gates.sql.

CREATE TABLE link_keys (
    tenant  TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    secret  TEXT             NOT NULL,
    made_at BIGINT           NOT NULL,
    PRIMARY KEY (tenant)
);

CREATE TABLE hooks (
    tenant        TEXT COLLATE "C" NOT NULL REFERENCES tenants (id),
    id            TEXT COLLATE "C" NOT NULL,
    url           TEXT             NOT NULL,
    secret        TEXT             NOT NULL,
    events        TEXT             NOT NULL,
    workflow      TEXT             NOT NULL,
    created_by    TEXT             NOT NULL,
    created_at    BIGINT           NOT NULL,
    position      TEXT             NOT NULL,
    failing_since BIGINT,
    disabled_at   BIGINT,
    disabled_why  TEXT             NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE deliveries (
    tenant       TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    hook         TEXT COLLATE "C" NOT NULL,
    event        TEXT COLLATE "C" NOT NULL,
    about        TEXT COLLATE "C" NOT NULL,
    body         TEXT             NOT NULL,
    at           BIGINT           NOT NULL,
    due          BIGINT           NOT NULL,
    attempts     BIGINT           NOT NULL,
    status       TEXT             NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    code         BIGINT,
    error        TEXT             NOT NULL,
    delivered_at BIGINT,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, hook, event, about),
    FOREIGN KEY (tenant, hook) REFERENCES hooks (tenant, id)
);
CREATE INDEX deliveries_by_due ON deliveries (due) WHERE status = 'pending';
CREATE INDEX deliveries_by_hook ON deliveries (tenant, hook, at, id);

GRANT SELECT, INSERT ON link_keys, hooks, deliveries TO interlock_app;
GRANT UPDATE (secret, made_at) ON link_keys TO interlock_app;
GRANT UPDATE (position, failing_since, disabled_at, disabled_why) ON hooks TO interlock_app;
GRANT UPDATE (due, attempts, status, code, error, delivered_at) ON deliveries TO interlock_app;
GRANT DELETE ON hooks, deliveries TO interlock_app;

DO $$
DECLARE
    own CONSTANT TEXT := '= NULLIF(current_setting(''interlock.tenant'', true), '''')';
    one TEXT;
BEGIN
    FOREACH one IN ARRAY ARRAY['link_keys', 'hooks', 'deliveries'] LOOP
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
CREATE POLICY owner_finds ON hooks FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY owner_finds ON deliveries FOR SELECT TO CURRENT_USER USING (true);

-- -- links -----------------------------------------------------------------------------------

-- The key of a tenant's links; the one that is given (none is empty) is kept if there is none, or
-- if it is to be another one.
CREATE FUNCTION interlock_link_key(
    in_tenant TEXT, in_fresh TEXT, in_at BIGINT, in_is_other BOOLEAN, in_act TEXT[]
)
RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO link_keys (tenant, secret, made_at)
    SELECT in_tenant, in_fresh, in_at
    WHERE in_fresh <> ''
    ON CONFLICT DO NOTHING;
    UPDATE link_keys SET secret = in_fresh, made_at = in_at
    WHERE tenant = in_tenant AND in_is_other;
    PERFORM interlock_act(in_is_other, in_tenant, in_at, in_act);
    RETURN COALESCE((SELECT k.secret FROM link_keys AS k WHERE k.tenant = in_tenant), '');
END
$$;

-- -- hooks -----------------------------------------------------------------------------------

-- Keeps a hook; it is told what happens from now on.
CREATE FUNCTION interlock_add_hook(
    in_tenant TEXT, in_id TEXT, in_url TEXT, in_secret TEXT, in_events TEXT, in_workflow TEXT,
    in_created_by TEXT, in_created_at BIGINT, in_act TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO hooks (
        tenant, id, url, secret, events, workflow, created_by, created_at, position, disabled_why
    )
    SELECT
        in_tenant, in_id, in_url, in_secret, in_events, in_workflow, in_created_by, in_created_at,
        i.name || ':' || pg_snapshot_xmin(pg_current_snapshot())::TEXT || '::0', ''
    FROM incarnations AS i
    WHERE i.id = 1;
    RETURN interlock_act(true, in_tenant, in_created_at, in_act);
END
$$;

-- The hooks of a tenant, the oldest first, or the one with an id.
CREATE FUNCTION interlock_hooks(in_tenant TEXT, in_id TEXT)
RETURNS TABLE (
    id TEXT, url TEXT, events TEXT, workflow TEXT, created_by TEXT, created_at BIGINT,
    hook_position TEXT, failing_since BIGINT, disabled_at BIGINT, disabled_why TEXT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        h.id, h.url, h.events, h.workflow, h.created_by, h.created_at,
        h.position, h.failing_since, h.disabled_at, h.disabled_why
    FROM hooks AS h
    WHERE h.tenant = in_tenant AND (in_id IS NULL OR h.id = in_id)
    ORDER BY h.created_at, h.id;
END
$$;

-- What a hook's deliveries are signed with.
CREATE FUNCTION interlock_hook_secret(in_tenant TEXT, in_id TEXT)
RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN (SELECT h.secret FROM hooks AS h WHERE h.tenant = in_tenant AND h.id = in_id);
END
$$;

-- Switches a hook off (with an instant and a reason) or on again.
CREATE FUNCTION interlock_switch_hook(
    in_tenant TEXT, in_id TEXT, in_off_at BIGINT, in_why TEXT, in_at BIGINT, in_act TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE hooks
    SET disabled_at = in_off_at, disabled_why = in_why, failing_since = NULL
    WHERE tenant = in_tenant AND id = in_id;
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END
$$;

-- Takes a hook away, with all that was or is to be sent.
CREATE FUNCTION interlock_remove_hook(in_tenant TEXT, in_id TEXT, in_at BIGINT, in_act TEXT[])
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    -- Locked first, so that nobody adds a delivery meanwhile.
    PERFORM FROM hooks WHERE tenant = in_tenant AND id = in_id FOR UPDATE;
    DELETE FROM deliveries WHERE tenant = in_tenant AND hook = in_id;
    DELETE FROM hooks WHERE tenant = in_tenant AND id = in_id;
    RETURN interlock_act(FOUND, in_tenant, in_at, in_act);
END
$$;

-- Which hooks of any tenant are on.
CREATE FUNCTION interlock_list_hooks()
RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT h.tenant, h.id FROM public.hooks AS h WHERE h.disabled_at IS NULL ORDER BY h.tenant, h.id
$$;

-- -- deliveries ------------------------------------------------------------------------------

-- Writes down what is to be sent of a piece of the feed, if the hook still stands where it was read.
CREATE FUNCTION interlock_add_deliveries(
    in_tenant TEXT, in_hook TEXT, in_before TEXT, in_after TEXT, in_at BIGINT,
    in_ids TEXT[], in_events TEXT[], in_abouts TEXT[], in_bodies TEXT[]
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE hooks AS h SET position = in_after
    WHERE h.tenant = in_tenant AND h.id = in_hook AND h.position = in_before;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO deliveries (
        tenant, id, hook, event, about, body, at, due, attempts, status, error
    )
    SELECT
        in_tenant, d.id, in_hook, d.event, d.about, d.body, in_at, interlock_clock(), 0,
        'pending', ''
    FROM unnest(in_ids, in_events, in_abouts, in_bodies) AS d (id, event, about, body)
    ON CONFLICT DO NOTHING;
    RETURN true;
END
$$;

-- Deliveries of any tenant that are due, of hooks that are on.
CREATE FUNCTION interlock_list_deliveries(in_limit BIGINT)
RETURNS TABLE (tenant TEXT, id TEXT)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT d.tenant, d.id
    FROM public.deliveries AS d
    JOIN public.hooks AS h ON h.tenant = d.tenant AND h.id = d.hook
    WHERE d.status = 'pending' AND d.due <= (SELECT public.interlock_clock())
        AND h.disabled_at IS NULL
    ORDER BY d.due
    LIMIT in_limit
$$;

-- Takes a delivery for a while; returns which attempt this is, or NULL where somebody else has it.
CREATE FUNCTION interlock_take_delivery(in_tenant TEXT, in_id TEXT, in_lease_ms BIGINT)
RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    attempt BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE deliveries
    SET due = interlock_clock() + in_lease_ms, attempts = attempts + 1
    WHERE tenant = in_tenant AND id = in_id AND status = 'pending' AND due <= interlock_clock()
    RETURNING attempts INTO attempt;
    RETURN attempt;
END
$$;

-- Writes down how an attempt has ended, if it is still the caller's, and what the hook makes of it:
-- one that has failed since before an instant is switched off.
CREATE FUNCTION interlock_end_delivery(
    in_tenant TEXT, in_id TEXT, in_attempt BIGINT, in_status TEXT, in_code BIGINT, in_error TEXT,
    in_delay_ms BIGINT, in_at BIGINT, in_off_before BIGINT, in_why TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    of_hook TEXT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE deliveries
    SET status = in_status, code = in_code, error = in_error,
        due = interlock_clock() + in_delay_ms,
        delivered_at = CASE WHEN in_status = 'delivered' THEN in_at END
    WHERE tenant = in_tenant AND id = in_id AND attempts = in_attempt AND status = 'pending'
    RETURNING hook INTO of_hook;
    IF of_hook IS NULL THEN
        RETURN false;
    END IF;
    IF in_status = 'delivered' THEN
        UPDATE hooks SET failing_since = NULL
        WHERE tenant = in_tenant AND id = of_hook AND failing_since IS NOT NULL;
        RETURN true;
    END IF;
    UPDATE hooks SET failing_since = in_at
    WHERE tenant = in_tenant AND id = of_hook AND failing_since IS NULL;
    UPDATE hooks SET disabled_at = in_at, disabled_why = in_why
    WHERE tenant = in_tenant AND id = of_hook AND failing_since <= in_off_before
        AND disabled_at IS NULL;
    RETURN true;
END
$$;

-- Has a delivery sent again, as if it never was.
CREATE FUNCTION interlock_replay_delivery(in_tenant TEXT, in_id TEXT)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    UPDATE deliveries
    SET status = 'pending', due = interlock_clock(), attempts = 0, delivered_at = NULL
    WHERE tenant = in_tenant AND id = in_id;
    RETURN FOUND;
END
$$;

-- Deliveries of a hook (or of all), the newest first, from a place in that order on; or the one
-- with an id.
CREATE FUNCTION interlock_deliveries(
    in_tenant TEXT, in_id TEXT, in_hook TEXT, in_status TEXT, in_at BIGINT, in_before TEXT,
    in_limit BIGINT
)
RETURNS TABLE (
    id TEXT, hook TEXT, event TEXT, about TEXT, body TEXT, at BIGINT, due BIGINT,
    attempts BIGINT, status TEXT, code BIGINT, error TEXT, delivered_at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        d.id, d.hook, d.event, d.about, d.body, d.at, d.due,
        d.attempts, d.status, d.code, d.error, d.delivered_at
    FROM deliveries AS d
    WHERE d.tenant = in_tenant AND (in_id = '' OR d.id = in_id)
        AND (in_hook = '' OR d.hook = in_hook) AND (in_status = '' OR d.status = in_status)
        AND (in_at IS NULL OR (d.at, d.id) < (in_at, in_before))
    ORDER BY d.at DESC, d.id DESC
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
            'interlock_link_key', 'interlock_add_hook', 'interlock_hooks', 'interlock_hook_secret',
            'interlock_switch_hook', 'interlock_remove_hook', 'interlock_list_hooks',
            'interlock_add_deliveries', 'interlock_list_deliveries', 'interlock_take_delivery',
            'interlock_end_delivery', 'interlock_replay_delivery', 'interlock_deliveries'
        )
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
