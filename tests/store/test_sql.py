"""Every hand-written statement is read by its database, keeps to its tenant, and is used."""

import re
from pathlib import Path

import apsw
import pytest

import interlock.store
from interlock.store.migrate import migrate_sqlite
from interlock.store.statements import statements

STORE = Path(interlock.store.__file__).parent
SQLITE = statements("sqlite")

# What crosses tenants, and why there is no other way.
ACROSS = {
    "applied_migrations": "the schema belongs to nobody",
    "count_waiting": "who runs the server sees how much waits; it returns numbers only",
    "due_deliveries": "whoever sends serves everyone; it returns ids only",
    "due_jobs": "whoever indexes serves everyone; it returns ids only",
    "end_all_sessions": "a restore is one of everybody",
    "end_leases": "as end_all_sessions",
    "forget_link_keys": "as end_all_sessions",
    "use_all_logins": "as end_all_sessions",
    "void_replies": "as end_all_sessions",
    "withdraw_all_invitations": "as end_all_sessions",
    "rename_incarnation": "the database itself",
    "due_parts": "a sweeper serves everyone; it returns ids only",
    "count_held": "as count_waiting",
    "count_try": "who logs in has not said which tenant",
    "find_invitation": "as find_token",
    "find_login": "as find_token",
    "find_session": "as find_token",
    "find_token": "this is how a tenant is found out",
    "find_users": "as find_token",
    "feed_end": "a place in everyone's feed, found by nothing but positions; told sealed",
    "forget_tries": "as count_try",
    "hooks_on": "as due_deliveries",
    "insert_incarnation": "the database itself",
    "insert_tenant": "makes one",
    "list_positions": "who copies everything asks where hooks stand; it returns positions only",
    "list_tenants": "ids only",
    "load_incarnation": "the database itself",
    "merge_words": "the index is written anew for everyone; it returns nothing",
    "prune_calls": "a log grows old for everyone; it returns nothing",
}
TENANT_TABLES = (
    "acts", "artifacts", "audit", "calls", "cards", "chunk_words", "chunks", "conditions", "contents",
    "deliveries", "documents", "feedback", "gates", "hooks", "invitations", "jobs", "link_keys",
    "links", "logins", "parts", "replies", "sessions",
    "skills", "tags", "tokens", "units", "usage", "users",
)  # fmt: skip


@pytest.fixture
def connection() -> apsw.Connection:
    opened = apsw.Connection(":memory:")
    migrate_sqlite(opened, 0)
    return opened


def _tables(sql: str) -> set[str]:
    found = re.findall(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)", sql)
    return {table for table in found if table in TENANT_TABLES}


@pytest.mark.parametrize("name", sorted(SQLITE))
def test_sqlite_can_read_the_statement(name: str, connection: apsw.Connection) -> None:
    one = SQLITE[name]
    for _ in connection.execute(f"EXPLAIN {one.sql}", dict.fromkeys(one.parameters)):
        pass


@pytest.mark.parametrize("name", sorted(SQLITE))
def test_a_statement_about_a_tenant_s_rows_is_told_which_tenant(name: str) -> None:
    one = SQLITE[name]

    if name in ACROSS:
        assert "tenant = :tenant" not in one.sql, f"{name} need not be in the list"
    elif _tables(one.sql):
        assert "tenant" in one.parameters


def test_every_read_and_change_filters_by_the_tenant_it_was_told() -> None:
    loose = [
        name
        for name, one in SQLITE.items()
        if name not in ACROSS
        and _tables(one.sql)
        and not one.sql.lstrip().startswith("INSERT")
        and not re.search(r"\btenant = :tenant", one.sql)
    ]

    assert loose == []


@pytest.mark.parametrize("name", ["feed_audit", "feed_end"])
def test_reading_on_in_the_feed_costs_the_same_however_long_it_is(
    name: str, connection: apsw.Connection
) -> None:
    one = SQLITE[name]
    asked = f"EXPLAIN QUERY PLAN {one.sql}"
    told = [str(row[3]) for row in connection.execute(asked, dict.fromkeys(one.parameters))]

    assert told[0].startswith("SEARCH audit"), told
    assert not [line for line in told if "TEMP B-TREE" in line]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_no_statement_looks_into_a_body(dialect: str) -> None:
    looks = re.compile(r"json_extract|jsonb?_|->|#>|@>", re.IGNORECASE)
    bodies = r"(?:fields|tally|params|body|text)"
    found = []
    for path in [*STORE.rglob(f"sql/{dialect}/*.sql"), *STORE.rglob(f"migrations/{dialect}/*.sql")]:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            said = line.partition("--")[0]
            if looks.search(said) and re.search(bodies, said):
                found.append(f"{path.name}:{number}: {line.strip()}")

    assert found == []


def test_every_statement_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in STORE.rglob("*.py"))
    unused = [
        f"{dialect} {name}"
        for dialect in ("sqlite", "postgres")
        for name in statements(dialect)
        # Those that describe a schema are run all together.
        if f'"{name}"' not in code and not name.startswith("describe_")
    ]

    assert unused == []


def test_the_same_migrations_exist_for_both_databases() -> None:
    numbers = {
        dialect: sorted(path.name for path in (STORE / "migrations" / dialect).glob("*.sql"))
        for dialect in ("sqlite", "postgres")
    }

    assert numbers["sqlite"] == numbers["postgres"]
