"""Row security holds for every table: no tenant, no rows; another tenant, no rows; no way round."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha256

import asyncpg
import pytest

from interlock.clock import SystemClock
from interlock.store.board import Card
from interlock.store.gates import Opened
from interlock.store.hooks import HookRow, NewDelivery
from interlock.store.library import Chunk, DueJob, UsageRow
from interlock.store.logs import Line
from interlock.store.people import Act, InvitationRow, LoginRow, SessionRow, UserRow
from interlock.store.port import CallRow, FeedbackRow, SkillRow, TokenRow
from interlock.store.postgres.store import PostgresStore
from interlock.store.projects import ProjectRow
from interlock.store.script import Artifact, Condition, Document, Key
from tests.store.postgres.made import (
    ACME,
    NOW,
    OPTIONS,
    OTHER,
    UNIT,
    begin,
    connected,
    database,
    job,
    opened,
    saying,
)
from tools.postgres.server import Server

DIGEST = sha256(b"x").hexdigest()
MADE = Act("a0", "user", "me", "", "", "webhook_made", "h1", "{}")
App = Callable[["asyncpg.Connection[asyncpg.Record]"], Awaitable[None]]
GUARDED = (
    "acts", "artifacts", "audit", "calls", "cards", "chunks", "conditions", "contents", "deliveries",
    "documents", "feedback", "gates", "hooks", "invitations", "jobs", "link_keys", "links", "logins",
    "logs", "parts", "projects", "replies", "sessions", "skills",
    "tags", "tenants", "tokens", "units", "usage", "users",
)  # fmt: skip
CROSSING = [
    "interlock_count_try", "interlock_count_waiting", "interlock_find_invitation",
    "interlock_find_login",
    "interlock_find_people", "interlock_find_session", "interlock_find_token",
    "interlock_find_words", "interlock_list_deliveries", "interlock_list_due", "interlock_list_hooks",
    "interlock_list_jobs", "interlock_list_tenants",
    "interlock_prune_calls", "interlock_prune_contents", "interlock_prune_deliveries",
    "interlock_prune_invitations", "interlock_prune_logins", "interlock_prune_logs",
    "interlock_prune_replies", "interlock_prune_sessions",
]  # fmt: skip


@pytest.fixture(scope="module")
def url(each_postgres_server: Server) -> Iterator[str]:
    """A database with a row of one tenant in every table, on every server; nobody changes it."""
    with database(each_postgres_server) as found:
        asyncio.run(fill(found))
        yield found


async def fill(url: str) -> None:
    async with opened(url) as store:
        change = begin(
            job(1, "held", holder="me", fence=1), job(2),
            links=((2, 1, 1),), conditions=(Condition(1, 1, "true", "skip", "{}", 2),),
            tags=("red",), key=Key("me", "r1", "x"), reply="{}", leases={1: -1000},
            artifacts=(Artifact(1, "result", DIGEST, b"x"),),
            opened=(
                Opened("g1", 1, "job", "held", "", "human", "", NOW, "agent", "me", "", 1),
            ),
            card=Card("A name", "a name"),
            documents=tuple(
                Document(name, 1, "result", "output", "notes", "Notes", "[]", DIGEST, "text/plain", "me")
                for name in ("doc-1", "doc-2")
            ),
        )  # fmt: skip
        await store.run(ACME, lambda: saying(change))
        await store.hooks.add(
            ACME, HookRow("h1", "https://a.example/", "", "", "me", NOW), "s", MADE
        )
        hook = await store.hooks.find(ACME, "h1")
        assert hook is not None
        told = NewDelivery("d1", "finished", "u:1", "{}")
        assert await store.hooks.add_deliveries(ACME, hook, "p", NOW, (told,))
        await store.hooks.link_key(ACME, "k", NOW)
        taken = await store.library.take_job(DueJob(ACME, "index", "doc-1"), 1000)
        assert taken is not None
        assert await store.library.finish_job(taken, "m", [Chunk(0, "a b", ("a", "b"), b"1234")])
        await store.library.spend(ACME, UsageRow("u1", "me", "extract", "m", 1, 2, NOW), None, "")
        row = TokenRow(ACME, "t1", "Token", "agent", "read", "il_1", NOW, None, None)
        await store.add_token(row, "hash-1")
        skill = SkillRow(ACME, "skill-1", "s1", "me", "scan", "started", "{}", None, NOW, None)
        await store.add_skill(skill, None, "{}")
        await store.add_feedback(FeedbackRow(ACME, "f1", UNIT, 5, "good", "me", NOW), None, "{}")
        made = CallRow(ACME, NOW, "c1", "ping", "agent", "me", "s1", "stdio", "{}", "{}", 1, 0)
        await store.add_calls(ACME, (made,))
        await store.logs.append(ACME, UNIT, 1, "", (Line(NOW, "out", "begun"),), 10)
        project = ProjectRow("p1", "Shop", "/srv/shop", "main", "{}", 1, "me", NOW, NOW)
        await store.projects.add(ACME, project, MADE._replace(id="a3"))
        await people(store)


async def people(store: PostgresStore) -> None:
    act = Act("a1", "user", "me", "", "", "invited", "i1", "{}")
    await store.people.add_first(UserRow(ACME, "u1", "a@b.c", "Ada", "owner", None, NOW, None))
    invitation = InvitationRow(ACME, "i1", "b@b.c", "member", "u1", NOW, NOW + 1)
    await store.people.add_invitation(invitation, "hash-i", act)
    session = SessionRow(ACME, "s1", "u1", NOW, NOW, NOW + 1)
    await store.people.add_session(session, "hash-s", None)
    login = LoginRow(ACME, "l1", "u1", NOW, NOW + 1)
    await store.people.add_login(login, "hash-l", act._replace(id="a2"))


def as_app(url: str, play: App, tenant: str = "") -> None:
    async def main() -> None:
        async with connected(url, "interlock_app") as app, app.transaction():
            if tenant:
                await app.execute("SELECT set_config('interlock.tenant', $1, true)", tenant)
            await play(app)

    asyncio.run(main())


def test_every_table_with_a_tenant_is_among_those_tried_here(url: str) -> None:
    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        rows = await app.fetch(
            "SELECT relname::TEXT FROM pg_class WHERE relkind = 'r' AND relrowsecurity"
            " AND relforcerowsecurity AND relnamespace = 'public'::REGNAMESPACE ORDER BY 1"
        )
        assert tuple(row[0] for row in rows) == GUARDED

    as_app(url, play)


@pytest.mark.parametrize(("tenant", "sees"), [("", False), (OTHER, False), (ACME, True)])
def test_a_tenant_sees_its_own_rows_and_no_others(url: str, tenant: str, *, sees: bool) -> None:
    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        for table in GUARDED:
            column = "id" if table == "tenants" else "tenant"
            rows = await app.fetch(f"SELECT DISTINCT {column} FROM {table}")  # noqa: S608 (above)
            own = [ACME] if sees else [OTHER] if tenant and table == "tenants" else []
            assert (table, [row[0] for row in rows]) == (table, own)

    as_app(url, play, tenant)


@pytest.mark.parametrize("tenant", ["", OTHER])
@pytest.mark.parametrize("table", GUARDED)
def test_nobody_writes_rows_of_another_tenant(url: str, table: str, tenant: str) -> None:
    async def row() -> str:
        async with connected(url) as owner:
            sql = f"SELECT row_to_json(t) FROM {table} AS t LIMIT 1"  # noqa: S608 (above)
            return str(await owner.fetchval(sql))

    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
            await app.execute(
                f"INSERT INTO {table} SELECT (json_populate_record(NULL::{table}, $1::JSON)).*",
                text,
            )

    text = asyncio.run(row())
    as_app(url, play, tenant)


def test_without_a_tenant_updates_and_deletes_touch_nothing(url: str) -> None:
    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        assert await app.execute("UPDATE units SET status = 'taken'") == "UPDATE 0"
        assert await app.execute("UPDATE parts SET status = 'taken'") == "UPDATE 0"
        assert await app.execute("UPDATE tokens SET revoked_at = 1") == "UPDATE 0"
        assert await app.execute("UPDATE skills SET status = 'failed'") == "UPDATE 0"
        assert await app.execute("UPDATE users SET role = 'owner'") == "UPDATE 0"
        assert await app.execute("UPDATE logins SET used_at = NULL") == "UPDATE 0"
        assert await app.execute("DELETE FROM links") == "DELETE 0"

    as_app(url, play)


def test_a_tenant_is_forgotten_with_the_end_of_the_call(url: str) -> None:
    async def main() -> None:
        async with connected(url, "interlock_app") as app:
            sql = "SELECT unit FROM interlock_load($1, $2, NULL, NULL, NULL, NULL, NULL)"
            assert await app.fetchval(sql, ACME, UNIT) == UNIT
            assert await app.fetchval(sql, OTHER, UNIT) is None
            assert await app.fetchval(sql, "", UNIT) is None
            assert await app.fetchval("SELECT count(*) FROM units") == 0

    asyncio.run(main())


WAYS = [
    "UPDATE audit SET body = ''",
    "UPDATE audit SET body = '' WHERE false",
    "DELETE FROM audit",
    "TRUNCATE audit",
    "TRUNCATE units CASCADE",
]
RECORDS = [
    "UPDATE feedback SET rating = 1",
    "DELETE FROM feedback",
    "TRUNCATE feedback",
    "UPDATE calls SET request = ''",
    "TRUNCATE calls",
    "UPDATE acts SET told = ''",
    "DELETE FROM acts",
    "TRUNCATE acts",
]


@pytest.mark.parametrize("statement", [*WAYS, *RECORDS, "DELETE FROM calls"])
def test_the_app_cannot_change_what_is_append_only(url: str, statement: str) -> None:
    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="permission denied"):
            await app.execute(statement)

    as_app(url, play, ACME)


@pytest.mark.parametrize("mode", ["origin", "replica"])
@pytest.mark.parametrize("statement", [*WAYS, *RECORDS])
def test_not_even_a_superuser_changes_it_by_accident(url: str, statement: str, mode: str) -> None:
    async def main() -> None:
        async with connected(url) as owner:
            await owner.execute(f"SET session_replication_role = {mode}")
            with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
                await owner.execute(statement)

    asyncio.run(main())


def test_few_functions_cross_tenants_and_their_names_cannot_be_bent(url: str) -> None:
    async def play(app: "asyncpg.Connection[asyncpg.Record]") -> None:
        rows = await app.fetch(
            "SELECT proname::TEXT, proconfig FROM pg_proc WHERE prosecdef"
            " AND pronamespace = 'public'::REGNAMESPACE ORDER BY 1"
        )
        assert [tuple(row) for row in rows] == [(name, ['search_path=""']) for name in CROSSING]

    as_app(url, play)


def test_strangers_may_call_nothing(each_postgres_server: Server, url: str) -> None:
    async def main() -> None:
        async with connected(url, "stranger") as stranger:
            for call in ("interlock_list_tenants()", "interlock_find_token('x')"):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await stranger.fetch(f"SELECT {call}")

    each_postgres_server.sql("CREATE ROLE stranger")
    try:
        asyncio.run(main())
    finally:
        each_postgres_server.sql("DROP ROLE stranger")


def test_an_owner_without_further_rights_is_enough(each_postgres_server: Server) -> None:
    async def main(url: str) -> None:
        mine = url.replace("postgres@", "steward@")
        assert await PostgresStore.migrate(mine, NOW)
        await fill(mine)
        async with await PostgresStore.open(mine, SystemClock(), OPTIONS) as store:
            assert await store.tenants() == (ACME, OTHER)
            assert [due.unit for due in await store.due(10)] == [UNIT]
            found = await store.find_token("hash-1")
            assert (found is not None and found.tenant) == ACME
        async with connected(mine) as owner:
            assert await owner.fetchval("SELECT count(*) FROM audit") == 0

    each_postgres_server.sql("CREATE ROLE steward LOGIN CREATEROLE")
    try:
        with database(each_postgres_server, is_empty=True) as url:
            name = url.partition("@/")[2].partition("?")[0]
            each_postgres_server.sql(f"ALTER DATABASE {name} OWNER TO steward")
            each_postgres_server.sql("GRANT interlock_app TO steward WITH ADMIN OPTION")
            asyncio.run(main(url))
    finally:
        each_postgres_server.sql("REVOKE interlock_app FROM steward CASCADE; DROP ROLE steward")
