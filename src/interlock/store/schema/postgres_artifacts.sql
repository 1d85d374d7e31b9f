-- Artifacts and their content, one function and one trip each; postgres_reads.sql, which comes after
-- it, lets the app call them.

-- Keeps an artifact beside a unit that does not change, the same one only once.
CREATE FUNCTION interlock_keep(
    in_tenant TEXT, in_unit TEXT, in_part BIGINT, in_name TEXT, in_digest TEXT, in_content BYTEA,
    in_media_type TEXT, in_mark TEXT, in_author TEXT
)
RETURNS TABLE (version BIGINT)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    PERFORM FROM units AS u WHERE u.tenant = in_tenant AND u.id = in_unit FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF NOT EXISTS (
        SELECT FROM artifacts AS a
        WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.part = in_part
            AND a.name = in_name AND a.digest = in_digest AND a.mark = in_mark
    ) THEN
        PERFORM interlock_write_beside(
            in_tenant, in_unit, interlock_clock(), NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, ARRAY[in_part], ARRAY[in_name], ARRAY[in_digest],
            ARRAY[in_content], ARRAY[in_media_type], ARRAY[in_mark], ARRAY[in_author]
        );
    END IF;
    RETURN QUERY
    SELECT min(a.version)
    FROM artifacts AS a
    WHERE a.tenant = in_tenant AND a.unit = in_unit AND a.part = in_part
        AND a.name = in_name AND a.digest = in_digest AND a.mark = in_mark;
END
$$;

-- What is kept for a unit, without the content.
CREATE FUNCTION interlock_artifacts(in_tenant TEXT, in_unit TEXT)
RETURNS TABLE (
    unit TEXT, part BIGINT, name TEXT, version BIGINT, digest TEXT, size BIGINT, media_type TEXT,
    mark TEXT, author TEXT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        a.unit, a.part, a.name, a.version, a.digest, c.size, a.media_type, a.mark, a.author, a.at
    FROM artifacts AS a
    JOIN contents AS c ON c.tenant = in_tenant AND c.digest = a.digest
    WHERE a.tenant = in_tenant AND a.unit = in_unit
        AND EXISTS (
            SELECT FROM units AS u
            WHERE u.tenant = in_tenant AND u.id = a.unit
        )
    ORDER BY a.part, a.name, a.version;
END
$$;

-- Content by its SHA-256, and since when it is gone.
CREATE FUNCTION interlock_content(in_tenant TEXT, in_digest TEXT)
RETURNS TABLE (bytes BYTEA, pruned_at BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT c.bytes, c.pruned_at FROM contents AS c
    WHERE c.tenant = in_tenant AND c.digest = in_digest;
END
$$;
