-- What PostgreSQL knows of its own tables, one line of text for each thing, to be compared.
-- Left out everywhere: the system's schemas, what an extension brought, the table of migrations.

-- name: describe_columns
-- Their order is left out: it depends on when they were added.
SELECT concat_ws(' ',
    format('column %I.%I.%I', n.nspname, c.relname, a.attname),
    format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'not null' END,
    CASE WHEN a.attcollation <> t.typcollation THEN 'collate ' || l.collname END,
    CASE WHEN a.attidentity <> '' THEN 'identity ' || a.attidentity::text END,
    CASE WHEN a.attgenerated <> '' THEN 'generated ' || a.attgenerated::text END,
    'default ' || pg_get_expr(d.adbin, d.adrelid)
) AS line
FROM pg_attribute AS a
JOIN pg_class AS c ON c.oid = a.attrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_collation AS l ON l.oid = a.attcollation
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0
    AND NOT a.attisdropped
    AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c')
    AND n.nspname !~ '^(pg_|information_schema$)'
    AND c.relname <> 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = c.oid AND x.deptype = 'e');

-- name: describe_constraints
-- Keys, checks and references; that a column is not null stands with the column.
SELECT concat_ws(' ',
    format('constraint %I.%I.%I', n.nspname, coalesce(c.relname, t.typname), k.conname),
    pg_get_constraintdef(k.oid)
) AS line
FROM pg_constraint AS k
JOIN pg_namespace AS n ON n.oid = k.connamespace
LEFT JOIN pg_class AS c ON c.oid = k.conrelid
LEFT JOIN pg_type AS t ON t.oid = k.contypid
WHERE k.contype <> 'n'
    AND n.nspname !~ '^(pg_|information_schema$)'
    AND c.relname IS DISTINCT FROM 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = k.oid AND x.deptype = 'e');

-- name: describe_default_grants
-- What is granted on things that are made later.
SELECT concat_ws(' ',
    'default grant',
    e.privilege_type,
    format('on %s in %s', d.defaclobjtype, coalesce(n.nspname, 'every schema')),
    format('by %s to %s', pg_get_userbyid(d.defaclrole), coalesce(r.rolname, 'PUBLIC')),
    CASE WHEN e.is_grantable THEN 'with grant option' END
) AS line
FROM pg_default_acl AS d
CROSS JOIN LATERAL aclexplode(d.defaclacl) AS e
LEFT JOIN pg_namespace AS n ON n.oid = d.defaclnamespace
LEFT JOIN pg_roles AS r ON r.oid = e.grantee;

-- name: describe_extensions
-- Their versions are left out: they come with the server.
SELECT format('extension %I in %I', e.extname, n.nspname) AS line
FROM pg_extension AS e
JOIN pg_namespace AS n ON n.oid = e.extnamespace;

-- name: describe_functions
-- With their bodies, letter by letter.
SELECT format('function %s', pg_get_functiondef(p.oid)) AS line
FROM pg_proc AS p
JOIN pg_namespace AS n ON n.oid = p.pronamespace
WHERE p.prokind IN ('f', 'p')
    AND n.nspname !~ '^(pg_|information_schema$)'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = p.oid AND x.deptype = 'e');

-- name: describe_grants
-- Who may do what; a thing without a list of grants has those that PostgreSQL gives by default.
SELECT concat_ws(' ',
    'grant',
    e.privilege_type,
    format('on %s to %s', g.thing, coalesce(r.rolname, 'PUBLIC')),
    CASE WHEN e.is_grantable THEN 'with grant option' END
) AS line
FROM (
    SELECT
        format('schema %I', n.nspname) AS thing,
        coalesce(n.nspacl, acldefault('n', n.nspowner)) AS acl
    FROM pg_namespace AS n
    WHERE n.nspname !~ '^(pg_|information_schema$)'
    UNION ALL
    SELECT
        format('%I.%I', n.nspname, c.relname),
        coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r'::"char" END, c.relowner))
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND n.nspname !~ '^(pg_|information_schema$)'
        AND c.relname <> 'migrations'
        AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = c.oid AND x.deptype = 'e')
    UNION ALL
    SELECT format('%I.%I.%I', n.nspname, c.relname, a.attname), a.attacl
    FROM pg_attribute AS a
    JOIN pg_class AS c ON c.oid = a.attrelid
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE a.attacl IS NOT NULL
        AND n.nspname !~ '^(pg_|information_schema$)'
        AND c.relname <> 'migrations'
    UNION ALL
    SELECT
        format('function %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
        coalesce(p.proacl, acldefault('f', p.proowner))
    FROM pg_proc AS p
    JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname !~ '^(pg_|information_schema$)'
        AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = p.oid AND x.deptype = 'e')
) AS g
CROSS JOIN LATERAL aclexplode(g.acl) AS e
LEFT JOIN pg_roles AS r ON r.oid = e.grantee;

-- name: describe_indexes
-- Those behind a key too: the text says how they are made.
SELECT format('index %s', pg_get_indexdef(i.indexrelid)) AS line
FROM pg_index AS i
JOIN pg_class AS c ON c.oid = i.indrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname !~ '^(pg_|information_schema$)'
    AND c.relname <> 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = c.oid AND x.deptype = 'e');

-- name: describe_policies
-- Which rows a role sees and may write.
SELECT concat_ws(' ',
    format('policy %I.%I.%I', p.schemaname, p.tablename, p.policyname),
    p.permissive,
    'for ' || p.cmd,
    'to ' || array_to_string(p.roles, ','),
    'using ' || p.qual,
    'with check ' || p.with_check
) AS line
FROM pg_policies AS p;

-- name: describe_schemas
-- Who owns them is part of what they are.
SELECT format('schema %I of %s', n.nspname, pg_get_userbyid(n.nspowner)) AS line
FROM pg_namespace AS n
WHERE n.nspname !~ '^(pg_|information_schema$)';

-- name: describe_sequences
-- Not where they stand: that is data.
SELECT concat_ws(' ',
    format('sequence %I.%I', s.schemaname, s.sequencename),
    s.data_type,
    format('from %s by %s to %s, at least %s', s.start_value, s.increment_by, s.max_value, s.min_value),
    CASE WHEN s.cycle THEN 'cycle' END
) AS line
FROM pg_sequences AS s;

-- name: describe_tables
-- Tables and views of every sort, with what is switched on for them.
SELECT concat_ws(' ',
    format('table %I.%I of %s, kind %s%s', n.nspname, c.relname, pg_get_userbyid(c.relowner), c.relkind, c.relpersistence),
    CASE WHEN c.relrowsecurity THEN 'row security' END,
    CASE WHEN c.relforcerowsecurity THEN 'forced' END,
    'with ' || array_to_string(c.reloptions, ','),
    CASE WHEN c.relkind = 'p' THEN 'partition by ' || pg_get_partkeydef(c.oid) END,
    CASE WHEN c.relispartition THEN pg_get_expr(c.relpartbound, c.oid) END,
    CASE WHEN c.relkind IN ('v', 'm') THEN 'as ' || pg_get_viewdef(c.oid) END
) AS line
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND n.nspname !~ '^(pg_|information_schema$)'
    AND c.relname <> 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = c.oid AND x.deptype = 'e');

-- name: describe_triggers
-- And whether they are on.
SELECT format('trigger %s, enabled %s', pg_get_triggerdef(t.oid), t.tgenabled) AS line
FROM pg_trigger AS t
JOIN pg_class AS c ON c.oid = t.tgrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE NOT t.tgisinternal
    AND n.nspname !~ '^(pg_|information_schema$)';

-- name: describe_types
-- Types made by hand: lists of words, and names for narrower types.
SELECT concat_ws(' ',
    format('type %I.%I %s', n.nspname, t.typname, t.typtype),
    (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
    FROM pg_enum AS e
    WHERE e.enumtypid = t.oid),
    CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END
) AS line
FROM pg_type AS t
JOIN pg_namespace AS n ON n.oid = t.typnamespace
WHERE t.typtype IN ('d', 'e')
    AND n.nspname !~ '^(pg_|information_schema$)'
    AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.objid = t.oid AND x.deptype = 'e');
