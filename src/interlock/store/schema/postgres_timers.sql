-- What a timer writes, for PostgreSQL; it goes with postgres.sql and its neighbours.

-- Begins the timer of a unit anew or ends it (0), and ends those of its parts; leases stay. It is
-- called in the statement that commits, once for each row of the outcome: the unit is locked.
CREATE FUNCTION interlock_write_timers(
    in_outcome TEXT, in_clock BIGINT, in_tenant TEXT, in_unit TEXT, in_lasts BIGINT,
    in_stops BOOLEAN
)
RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_outcome IS DISTINCT FROM 'ok' THEN
        RETURN false;
    END IF;
    IF in_lasts IS NOT NULL THEN
        UPDATE units
        SET due = in_clock + NULLIF(in_lasts, 0)
        WHERE tenant = in_tenant AND id = in_unit;
    END IF;
    IF in_stops THEN
        UPDATE parts
        SET due = NULL
        WHERE tenant = in_tenant AND unit = in_unit AND due IS NOT NULL AND holder IS NULL;
    END IF;
    RETURN true;
END
$$;

-- It is for the app alone.
REVOKE ALL ON FUNCTION interlock_write_timers(TEXT, BIGINT, TEXT, TEXT, BIGINT, BOOLEAN)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interlock_write_timers(TEXT, BIGINT, TEXT, TEXT, BIGINT, BOOLEAN)
TO interlock_app;
