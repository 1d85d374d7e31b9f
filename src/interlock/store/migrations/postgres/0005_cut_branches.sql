-- A part can be given other branches: one at the place 0 takes away those it had.

-- What belongs to a unit beside its parts; few commands have any of it.
CREATE OR REPLACE FUNCTION interlock_write_beside(
    in_tenant TEXT, in_unit TEXT, in_at BIGINT,
    in_link_parts BIGINT[], in_link_needs BIGINT[], in_link_places BIGINT[],
    in_condition_parts BIGINT[], in_condition_places BIGINT[], in_expressions TEXT[],
    in_actions TEXT[], in_params TEXT[], in_targets BIGINT[],
    in_tags TEXT[],
    in_artifact_parts BIGINT[], in_names TEXT[], in_digests TEXT[], in_contents BYTEA[],
    in_media_types TEXT[], in_marks TEXT[], in_authors TEXT[]
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF in_link_parts IS NOT NULL THEN
        INSERT INTO links (tenant, unit, part, need, place)
        SELECT in_tenant, in_unit, l.part, l.need, l.place
        FROM unnest(in_link_parts, in_link_needs, in_link_places) AS l (part, need, place);
    END IF;
    IF in_condition_parts IS NOT NULL THEN
        DELETE FROM conditions AS old
        USING unnest(in_condition_parts, in_condition_places) AS c (part, place)
        WHERE old.tenant = in_tenant AND old.unit = in_unit AND old.part = c.part AND c.place = 0;
        INSERT INTO conditions (tenant, unit, part, place, expression, action, params, target)
        SELECT in_tenant, in_unit, c.part, c.place, c.expression, c.action, c.params, c.target
        FROM unnest(
            in_condition_parts, in_condition_places, in_expressions, in_actions, in_params,
            in_targets
        ) AS c (part, place, expression, action, params, target)
        WHERE c.place > 0;
    END IF;
    IF in_tags IS NOT NULL THEN
        INSERT INTO tags (tenant, unit, tag)
        SELECT in_tenant, in_unit, t.tag
        FROM unnest(in_tags) AS t (tag)
        ON CONFLICT DO NOTHING;
    END IF;
    -- The unit is locked, so nobody else counts the versions of these names now.
    FOR i IN 1 .. COALESCE(cardinality(in_names), 0) LOOP
        INSERT INTO contents (tenant, digest, size, bytes)
        VALUES (in_tenant, in_digests[i], octet_length(in_contents[i]), in_contents[i])
        ON CONFLICT DO NOTHING;
        INSERT INTO artifacts (
            tenant, unit, part, name, version, digest, media_type, mark, author, at
        )
        VALUES (
            in_tenant, in_unit, in_artifact_parts[i], in_names[i],
            (
                SELECT COALESCE(max(a.version), 0) + 1
                FROM artifacts AS a
                WHERE a.tenant = in_tenant AND a.unit = in_unit
                    AND a.part = in_artifact_parts[i] AND a.name = in_names[i]
            ),
            in_digests[i], in_media_types[i], in_marks[i], in_authors[i], in_at
        );
    END LOOP;
END
$$;
