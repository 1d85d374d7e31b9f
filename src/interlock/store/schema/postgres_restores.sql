-- Restores and heads of today, for PostgreSQL; it goes with postgres.sql and its neighbours. What the
-- columns mean is said in sqlite_restores.sql.

CREATE TABLE restores (
    name        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    former      TEXT             NOT NULL,
    taken_at    BIGINT           NOT NULL,
    restored_at BIGINT           NOT NULL,
    digest      TEXT             NOT NULL
);
CREATE TRIGGER restores_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON restores
    FOR EACH STATEMENT EXECUTE FUNCTION interlock_refuse_rewrite();
ALTER TABLE restores ENABLE ALWAYS TRIGGER restores_are_kept;
GRANT SELECT ON restores TO interlock_app;

-- Where the audits of a tenant's units end, in the order of their ids; of deleted ones, too.
CREATE FUNCTION interlock_audit_heads(in_tenant TEXT, in_after TEXT, in_limit BIGINT)
RETURNS TABLE (unit TEXT, version BIGINT, head TEXT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    PERFORM set_config('interlock.deleted', 'seen', true);
    RETURN QUERY
    SELECT u.id, u.version, u.head
    FROM units AS u
    WHERE u.tenant = in_tenant AND u.id > in_after
    ORDER BY u.id
    LIMIT in_limit;
    PERFORM set_config('interlock.deleted', '', true);
END
$$;
REVOKE ALL ON FUNCTION interlock_audit_heads(TEXT, TEXT, BIGINT) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_audit_heads(TEXT, TEXT, BIGINT) TO interlock_app;
