-- How far a copy of another database into this one is; see schema/postgres_copies.sql.

CREATE TABLE copies (
    id          BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    source      TEXT   NOT NULL,
    digest      TEXT   NOT NULL,
    relation    TEXT   NOT NULL,
    place       BIGINT NOT NULL,
    begun_at    BIGINT NOT NULL,
    finished_at BIGINT
);

-- The app must see whether it may begin; only who owns the database copies.
GRANT SELECT ON copies TO interlock_app;

-- What is erased with its tenant; see schema/postgres_tenants.sql.

CREATE OR REPLACE FUNCTION interlock_refuse_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    -- What may be done then is asked of each row.
    IF TG_OP = 'UPDATE' AND interlock_is_erased(current_setting('interlock.tenant', true)) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
DROP TRIGGER feedback_is_kept ON feedback;
CREATE TRIGGER feedback_is_kept BEFORE UPDATE OR TRUNCATE ON feedback
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE feedback ENABLE ALWAYS TRIGGER feedback_is_kept;
DROP TRIGGER acts_are_kept ON acts;
CREATE TRIGGER acts_are_kept BEFORE UPDATE OR TRUNCATE ON acts
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE acts ENABLE ALWAYS TRIGGER acts_are_kept;

-- Says whether a tenant is erased.
CREATE FUNCTION interlock_is_erased(in_tenant TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM tenants AS t WHERE t.id = in_tenant AND t.closed_at IS NOT NULL)
$$;

-- The one thing that may be done to an entry: when its tenant is erased its body is, and nothing
-- else. The app has no right to it; only who owns the database does.
CREATE FUNCTION interlock_keep_entry() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.body <> '' OR NOT interlock_is_erased(OLD.tenant)
        OR (NEW.tenant, NEW.unit, NEW.sequence, NEW.at, NEW.hash, NEW.xid)
            IS DISTINCT FROM (OLD.tenant, OLD.unit, OLD.sequence, OLD.at, OLD.hash, OLD.xid)
    THEN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER audit_keeps_entries BEFORE UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION interlock_keep_entry();
ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_keeps_entries;

CREATE FUNCTION interlock_keep_row() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF NOT interlock_is_erased(OLD.tenant) THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER acts_lose_nothing BEFORE DELETE ON acts
    FOR EACH ROW EXECUTE FUNCTION interlock_keep_row();
ALTER TABLE acts ENABLE ALWAYS TRIGGER acts_lose_nothing;
CREATE TRIGGER feedback_loses_nothing BEFORE DELETE ON feedback
    FOR EACH ROW EXECUTE FUNCTION interlock_keep_row();
ALTER TABLE feedback ENABLE ALWAYS TRIGGER feedback_loses_nothing;

-- A tenant with `closed_at` is erased: what is left of it are units with `deleted_at`, the hashes of
-- their audit, and the act that says who did it. Nothing is ever added to it again.
CREATE FUNCTION interlock_refuse_erased() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF interlock_is_erased(NEW.tenant) THEN
        RAISE EXCEPTION 'this tenant is erased' USING ERRCODE = 'IL410';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER units_of_open_tenants BEFORE INSERT ON units
    FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER calls_of_open_tenants BEFORE INSERT ON calls
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER hooks_of_open_tenants BEFORE INSERT ON hooks
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER invitations_of_open_tenants BEFORE INSERT ON invitations
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER projects_of_open_tenants BEFORE INSERT ON projects
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER skills_of_open_tenants BEFORE INSERT ON skills
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER tokens_of_open_tenants BEFORE INSERT ON tokens
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER usage_of_open_tenants BEFORE INSERT ON usage
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();
CREATE TRIGGER users_of_open_tenants BEFORE INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION interlock_refuse_erased();

-- Triggers are nobody's to call; the app is asked only whether a tenant is there.
REVOKE ALL ON FUNCTION
    interlock_is_erased(TEXT), interlock_keep_entry(), interlock_keep_row(), interlock_refuse_erased()
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_is_erased(TEXT) TO interlock_app;

CREATE OR REPLACE FUNCTION interlock_decide_once() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.decided_at IS NULL THEN
        RETURN NEW;
    ELSIF TG_OP = 'DELETE' AND interlock_is_erased(OLD.tenant) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a gate is decided once' USING ERRCODE = 'insufficient_privilege';
END
$$;
