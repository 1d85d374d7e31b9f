"""Gates on PostgreSQL: those that stood open before there were rows are opened once."""

import asyncio

import asyncpg

from interlock.store.migrate import migrate_postgres, read_migrations
from tests.store.made import NOW
from tests.store.sqlite.test_gates import BEFORE, ROW
from tools.postgres.server import Server

APP = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'interlock_app') THEN
        CREATE ROLE interlock_app NOLOGIN;
    END IF;
END
$$
"""


def test_what_stood_at_a_gate_before_there_were_rows_gets_one(postgres_server: Server) -> None:
    known = read_migrations("postgres")
    place = next(n for n, one in enumerate(known) if one.name == "open_gates")

    async def main(url: str) -> None:
        connection = await asyncpg.connect(url)
        try:
            # Not a superuser: row security is forced upon this owner like upon everybody.
            await connection.execute("SET ROLE gate_owner")
            await migrate_postgres(connection, NOW, known[:place])
            await connection.execute("SET interlock.tenant = 't'")
            await connection.execute(BEFORE.replace("x'61'", "'a'").replace("x'62'", "'b'"))
            await connection.execute("RESET interlock.tenant")
            await migrate_postgres(connection, NOW, known)
            await connection.execute("SET interlock.tenant = 't'")
            rows = await connection.fetch(
                "SELECT id, unit, part, kind, status, digest, policy, opened_at, opened_by,"
                " decision FROM gates"
            )
            assert [tuple(row) for row in rows] == [ROW]
        finally:
            await connection.close()

    postgres_server.create_database("gated")
    postgres_server.sql("CREATE ROLE gate_owner CREATEROLE", "postgres")
    postgres_server.sql(APP, "postgres")
    postgres_server.sql("GRANT interlock_app TO gate_owner WITH ADMIN OPTION", "postgres")
    postgres_server.sql("ALTER DATABASE gated OWNER TO gate_owner", "postgres")
    postgres_server.sql("ALTER SCHEMA public OWNER TO gate_owner", "gated")
    try:
        asyncio.run(main(postgres_server.url("gated")))
    finally:
        postgres_server.drop_database("gated")
        postgres_server.sql("DROP ROLE gate_owner", "postgres")
