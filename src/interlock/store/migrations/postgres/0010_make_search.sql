-- The functions that search, and those about usage; schema/postgres_search.sql has them as they
-- are today.

-- Where words stand, the best place first. Row security would not let the index be used, so this
-- runs as the owner and keeps to the tenant by itself: by a word of the index, and by the column.
CREATE FUNCTION interlock_find_words(
    in_tenant TEXT, in_query TEXT, in_unit TEXT, in_kind TEXT, in_type TEXT, in_author TEXT,
    in_since BIGINT, in_until BIGINT, in_tags TEXT[], in_limit BIGINT
)
RETURNS TABLE (document TEXT, place BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
#variable_conflict use_column
DECLARE
    wanted CONSTANT TSQUERY := in_query::TSQUERY;
    -- As text of the language of queries, whatever characters the name of a tenant has.
    own CONSTANT TSQUERY := (
        '''@' || replace(replace(in_tenant, '\', '\\'), '''', '''''') || ''''
    )::TSQUERY;
BEGIN
    RETURN QUERY
    SELECT c.document, c.place
    FROM public.chunks AS c
    JOIN public.documents AS d ON d.tenant = in_tenant AND d.id = c.document
    WHERE c.words @@ (own && wanted) AND c.tenant = in_tenant
        AND (in_unit = '' OR d.unit = in_unit)
        AND (in_kind = '' OR d.kind = in_kind)
        AND (in_type = '' OR d.type = in_type)
        AND (in_author = '' OR d.author = in_author)
        AND (in_since IS NULL OR d.at >= in_since)
        AND (in_until IS NULL OR d.at <= in_until)
        AND NOT EXISTS (
            SELECT FROM unnest(in_tags) AS w (tag)
            WHERE NOT EXISTS (
                SELECT FROM public.tags AS t
                WHERE t.tenant = in_tenant AND t.unit = d.unit AND t.tag = w.tag
            )
        )
    ORDER BY ts_rank(c.words, wanted) DESC, c.document, c.place
    LIMIT in_limit;
END
$$;

-- The vectors that a model has made, those of the newest documents first.
CREATE FUNCTION interlock_vectors(
    in_tenant TEXT, in_model TEXT, in_unit TEXT, in_kind TEXT, in_type TEXT, in_author TEXT,
    in_since BIGINT, in_until BIGINT, in_tags TEXT[], in_limit BIGINT
)
RETURNS TABLE (document TEXT, place BIGINT, vector BYTEA)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT c.document, c.place, c.vector
    FROM documents AS d
    JOIN chunks AS c ON c.tenant = in_tenant AND c.document = d.id
    WHERE d.tenant = in_tenant AND c.model = in_model AND c.vector IS NOT NULL
        AND (in_unit = '' OR d.unit = in_unit)
        AND (in_kind = '' OR d.kind = in_kind)
        AND (in_type = '' OR d.type = in_type)
        AND (in_author = '' OR d.author = in_author)
        AND (in_since IS NULL OR d.at >= in_since)
        AND (in_until IS NULL OR d.at <= in_until)
        AND NOT EXISTS (
            SELECT FROM unnest(in_tags) AS w (tag)
            WHERE NOT EXISTS (
                SELECT FROM tags AS t
                WHERE t.tenant = in_tenant AND t.unit = d.unit AND t.tag = w.tag
            )
        )
    ORDER BY d.at DESC, d.id DESC, c.place
    LIMIT in_limit;
END
$$;

-- The text of some chunks with the documents they are of, in the order they were named.
CREATE FUNCTION interlock_passages(in_tenant TEXT, in_documents TEXT[], in_places BIGINT[])
RETURNS TABLE (
    text TEXT, place BIGINT,
    id TEXT, unit TEXT, part BIGINT, kind TEXT, type TEXT, title TEXT, urls TEXT, name TEXT,
    version BIGINT, digest TEXT, media_type TEXT, author TEXT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT
        c.text, c.place, d.id, d.unit, d.part, d.kind, d.type, d.title, d.urls, d.name,
        d.version, d.digest, d.media_type, d.author, d.at
    FROM unnest(in_documents, in_places) WITH ORDINALITY AS w (document, place, turn)
    JOIN chunks AS c
        ON c.tenant = in_tenant AND c.document = w.document AND c.place = w.place
    JOIN documents AS d ON d.tenant = in_tenant AND d.id = c.document
    ORDER BY w.turn;
END
$$;

-- Writes down that the documents whose chunks another model has made are to be indexed anew.
CREATE FUNCTION interlock_queue_index(in_tenant TEXT, in_model TEXT) RETURNS BIGINT
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    queued BIGINT;
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO jobs (tenant, kind, about, due, attempts, error, at)
    SELECT DISTINCT in_tenant, 'index', c.document, interlock_clock(), 0, '', interlock_clock()
    FROM chunks AS c
    WHERE c.tenant = in_tenant AND c.model <> in_model
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS queued = ROW_COUNT;
    RETURN queued;
END
$$;

-- -- what a model has cost -------------------------------------------------------------------

-- Keeps what was spent, and the answer to a request id that was spent for.
CREATE FUNCTION interlock_spend(
    in_tenant TEXT, in_id TEXT, in_who TEXT, in_what TEXT, in_model TEXT, in_tokens_in BIGINT,
    in_tokens_out BIGINT, in_at BIGINT,
    in_principal TEXT, in_request TEXT, in_asked TEXT, in_reply TEXT
)
RETURNS VOID LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    INSERT INTO usage (tenant, id, who, what, model, tokens_in, tokens_out, at)
    VALUES (
        in_tenant, in_id, in_who, in_what, in_model, in_tokens_in, in_tokens_out, in_at
    );
    IF in_request IS NOT NULL THEN
        INSERT INTO replies (tenant, principal, request, asked, unit, text, at)
        VALUES (in_tenant, in_principal, in_request, in_asked, '', in_reply, in_at)
        ON CONFLICT DO NOTHING;
    END IF;
END
$$;

-- The answer that was given to a request id.
CREATE FUNCTION interlock_recall(in_tenant TEXT, in_principal TEXT, in_request TEXT)
RETURNS TABLE (asked TEXT, reply TEXT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT r.asked, r.text
    FROM replies AS r
    WHERE r.tenant = in_tenant AND r.principal = in_principal AND r.request = in_request;
END
$$;

-- What was spent, the newest first.
CREATE FUNCTION interlock_usage(in_tenant TEXT, in_limit BIGINT)
RETURNS TABLE (
    id TEXT, who TEXT, what TEXT, model TEXT, tokens_in BIGINT, tokens_out BIGINT, at BIGINT
)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('interlock.tenant', in_tenant, true);
    RETURN QUERY
    SELECT u.id, u.who, u.what, u.model, u.tokens_in, u.tokens_out, u.at
    FROM usage AS u
    WHERE u.tenant = in_tenant
    ORDER BY u.at DESC, u.id DESC
    LIMIT in_limit;
END
$$;

-- The functions are for the app alone.
DO $$
DECLARE
    one REGPROCEDURE;
BEGIN
    FOR one IN
        SELECT p.oid::REGPROCEDURE
        FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::REGNAMESPACE AND p.proname LIKE 'interlock\_%'
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', one);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO interlock_app', one);
    END LOOP;
END
$$;
