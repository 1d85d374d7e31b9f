-- What a program asks before it begins: as whom it works, and whether that is safe.

-- name: await_standby
-- Wait until a standby that commits wait for has all that can be read here. A commit whose wait was
-- cut short can be read, too, and is lost with this server; a message in a transaction of its own
-- comes after it and is waited for as any commit is.
SELECT pg_logical_emit_message(true, 'interlock', '');

-- name: enter_role
-- Work as the app from here on. Compiling does not pay for statements as short as ours, and
-- they all have their index: what was small when a connection began may have grown since. The
-- head of a queue is found by its index too, not by sorting all that could be handed out; and
-- since the values of parameters change nothing in that, no statement need be thought about twice.
-- Which history of the database this is: another one begins with each standby that takes over.
-- How commits wait stays as it is now, whatever is set for others while we run.
SELECT
    current_setting('synchronous_commit'),
    CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
    set_config('role', :role, false),
    set_config('synchronous_commit', current_setting('synchronous_commit'), false),
    set_config('jit', 'off', false),
    set_config('enable_seqscan', 'off', false),
    set_config('enable_sort', 'off', false),
    set_config('plan_cache_mode', 'force_generic_plan', false);

-- name: read_incarnation
-- The name of this database since it was made or last restored, and its time.
SELECT name, interlock_clock() AS clock
FROM incarnations;

-- name: read_login
-- As whom we came in, and to what kind of server.
SELECT
    session_user AS login,
    current_setting('server_version_num')::INTEGER AS version_number,
    current_setting('server_version') AS version,
    EXISTS (SELECT FROM pg_roles WHERE rolname = :role) AS has_role;

-- name: read_standing
-- What the present role could do beyond what it must, and what the server would lose.
SELECT
    current_user::TEXT AS role,
    r.rolsuper AS is_superuser,
    r.rolbypassrls AS bypasses,
    s.rolsuper OR s.rolbypassrls AS is_login_powerful,
    ARRAY(
        SELECT c.relname::TEXT
        FROM pg_class AS c
        WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind IN ('r', 'p')
            AND pg_has_role(current_user, c.relowner, 'MEMBER')
        ORDER BY c.relname
    ) AS owned,
    ARRAY(
        SELECT p.privilege
        FROM unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS p (privilege)
        WHERE has_table_privilege(current_user, 'audit', p.privilege)
            OR (p.privilege = 'UPDATE' AND has_any_column_privilege(current_user, 'audit', 'UPDATE'))
    ) AS audit_privileges,
    ARRAY(
        SELECT c.relname::TEXT
        FROM pg_class AS c
        WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind IN ('r', 'p')
            AND has_table_privilege(current_user, c.oid, 'TRUNCATE')
        ORDER BY c.relname
    ) AS truncatable,
    ARRAY(
        SELECT c.relname::TEXT
        FROM pg_class AS c
        WHERE c.relnamespace = 'public'::REGNAMESPACE AND c.relkind IN ('r', 'p')
            AND (c.relname = 'tenants' OR EXISTS (
                SELECT FROM pg_attribute AS a
                WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
            ))
            AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
        ORDER BY c.relname
    ) AS unguarded,
    ARRAY(
        SELECT p.tablename || '.' || p.policyname
        FROM pg_policies AS p
        WHERE p.schemaname = 'public' AND p.permissive = 'PERMISSIVE'
            AND EXISTS (
                SELECT FROM unnest(p.roles) AS o (name)
                WHERE o.name = 'public' OR pg_has_role(current_user, o.name, 'MEMBER')
            )
            AND (
                strpos(COALESCE(p.qual, p.with_check), 'interlock.tenant') = 0
                OR strpos(COALESCE(p.with_check, p.qual), 'interlock.tenant') = 0
            )
        ORDER BY p.tablename, p.policyname
    ) AS loose,
    ARRAY(
        SELECT g.name
        FROM pg_settings AS g
        WHERE g.name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND g.setting = 'off'
        ORDER BY g.name
    ) AS lossy
FROM pg_roles AS r
CROSS JOIN pg_roles AS s
WHERE r.rolname = current_user AND s.rolname = session_user;

-- name: read_setup
-- How the server is set up, as it says itself; at last how the commits of a connection would wait
-- that began now.
SELECT
    current_setting('server_version') AS version,
    (SELECT max(number) FROM migrations) AS schema,
    (SELECT name FROM incarnations) AS incarnation,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    session_user::TEXT AS login,
    current_user::TEXT AS role,
    current_database()::TEXT AS database,
    CASE WHEN pg_is_in_recovery() THEN 'yes' ELSE 'no' END AS is_standby,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS commit_of_new;

-- name: see_deleted
-- Find units that were deleted, too, until the transaction ends.
SELECT set_config('interlock.deleted', 'seen', true);

-- name: call_audit_heads
-- Where the audits of a tenant's units end, in the order of their ids; of deleted ones, too.
SELECT unit, version, head
FROM interlock_audit_heads(:tenant, :after, :limit);

-- name: list_restores
-- All restores, the oldest first.
SELECT name, former, taken_at, restored_at, digest
FROM restores
ORDER BY restored_at, name;
