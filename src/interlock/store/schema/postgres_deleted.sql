-- Deleting of today, for PostgreSQL; it goes with postgres.sql and its neighbours, where reads leave
-- out what is deleted.

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
