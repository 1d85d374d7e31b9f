"""Tokens: what they look like, what is kept of them, whom they let in, and what they may do."""

import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import apsw
import asyncpg
import pytest

from interlock.errors import InterlockError
from interlock.service.access import (
    ENDS_MAX,
    as_agent,
    authenticate,
    create_token,
    digest,
    list_tokens,
    require,
    revoke_token,
)
from interlock.service.engine import Principal
from interlock.service.errors import InvalidInput, NotAllowed, NotFound, Unauthenticated
from tests.stage import ADA, EVE, HOME, PAT, Stage, staged

ADMIN_AGENT = replace(ADA, scopes=frozenset({"read", "work", "admin"}))


async def made(stage: Stage, **told: object) -> tuple[str, str]:
    """Make a token; return the secret and the id."""
    given = {"name": "for tests", **told}
    secret, row = await create_token(stage.engine, PAT, **given)  # type: ignore[arg-type]
    return secret, row.id


@staged
async def test_a_secret_is_il_and_forty_hexadecimal_characters(stage: Stage) -> None:
    secret, row = await create_token(stage.engine, PAT, "laptop")

    assert re.fullmatch(r"il_[0-9a-f]{40}", secret)
    assert row.prefix == secret[:11]
    assert (row.tenant, row.name, row.kind) == (HOME, "laptop", "agent")
    assert (row.scopes, row.expires_at, row.revoked_at) == ("read work", None, None)


@staged
async def test_the_database_keeps_the_hash_and_nothing_else_of_a_secret(stage: Stage) -> None:
    secret, _ = await made(stage)
    kept = await dumped(stage)

    assert digest(secret) == sha256(secret.encode()).hexdigest()
    assert digest(secret).encode() in kept
    assert secret.encode() not in kept
    assert secret.removeprefix("il_").encode() not in kept


async def dumped(stage: Stage) -> bytes:
    """Return everything that the database holds, byte for byte where that is possible."""
    if isinstance(stage.where, Path):
        parts = stage.where.parent.glob(f"{stage.where.name}*")
        return b"".join(path.read_bytes() for path in sorted(parts))
    connection = await asyncpg.connect(stage.where)
    try:
        rows = await connection.fetch("SELECT t::text FROM tokens AS t")
        return "\n".join(str(row[0]) for row in rows).encode()
    finally:
        await connection.close()


@staged
async def test_a_token_says_who_is_behind_it(stage: Stage) -> None:
    secret, name = await made(stage, kind="worker")

    found = await authenticate(stage.engine, secret, "s1")

    assert found == Principal(HOME, "worker", name, frozenset({"read", "work"}), "s1")


@staged
async def test_expired_revoked_and_unknown_tokens_look_the_same(stage: Stage) -> None:
    ends = stage.engine.store.now() + 60_000
    expired, _ = await made(stage, expires_at=ends)
    revoked, name = await made(stage)
    assert (await authenticate(stage.engine, expired)).tenant == HOME
    await revoke_token(stage.engine, PAT, name)
    await stage.pass_ms(60_000)

    told = set()
    for secret in (expired, revoked, "il_" + "0" * 40, "", "il_", "Bearer x", "il_\udcff", "il_é"):
        with pytest.raises(Unauthenticated) as no:
            await authenticate(stage.engine, secret)
        told.add((no.value.code, no.value.message, no.value.fix))

    assert len(told) == 1


@staged
async def test_a_token_is_revoked_once_and_only_by_its_own_tenant(stage: Stage) -> None:
    secret, name = await made(stage)

    with pytest.raises(NotFound) as foreign:
        await revoke_token(stage.engine, EVE, name)
    assert (await authenticate(stage.engine, secret)).id == name
    await revoke_token(stage.engine, PAT, name)
    with pytest.raises(NotFound) as again:
        await revoke_token(stage.engine, PAT, name)

    assert foreign.value.message == again.value.message == f"There is no '{name}'."


@staged
async def test_what_names_no_token_revokes_none(stage: Stage) -> None:
    for name in ("token-000000000000", "", "\udcff", "a\0b", "x" * 300):
        with pytest.raises(NotFound):
            await revoke_token(stage.engine, PAT, name)


@staged
async def test_each_tenant_sees_its_own_tokens(stage: Stage) -> None:
    _, name = await made(stage)

    assert [row.id for row in await list_tokens(stage.engine, PAT)] == [name]
    assert await list_tokens(stage.engine, EVE) == ()


SCOPED: list[tuple[str, tuple[str, ...], str]] = [
    ("user", (), "read work decide"),
    ("agent", (), "read work"),
    ("worker", (), "read work"),
    ("agent", ("read",), "read"),
    ("user", ("admin", "decide", "decide", "read"), "read decide admin"),
]


@staged
async def test_scopes_are_kept_in_one_order(stage: Stage) -> None:
    for kind, scopes, kept in SCOPED:
        _, row = await create_token(stage.engine, PAT, "one", kind, scopes)
        assert row.scopes == kept


WRONG: list[tuple[dict[str, object], str]] = [
    ({"name": ""}, "a name has 1 to 100 characters"),
    ({"name": "x" * 101}, "a name has 1 to 100 characters"),
    ({"name": "a\0b"}, "all of them printable"),
    ({"name": "\udcff"}, "all of them printable"),
    ({"name": "two\nlines"}, "all of them printable"),
    ({"kind": "robot"}, "the kind 'robot' is none of user, agent, worker"),
    ({"kind": "system"}, "the kind 'system' is none of"),
    ({"scopes": ("root", "read")}, "'root' is no scope; there are read, work, decide, admin"),
    ({"kind": "agent", "scopes": ("read", "decide")}, "agent tokens can never decide"),
    ({"kind": "worker", "scopes": ("decide",)}, "worker tokens can never decide"),
    ({"expires_at": 0}, "expired already"),
    ({"expires_at": -1}, "expired already"),
    ({"expires_at": ENDS_MAX + 1}, "never expire"),
    ({"expires_at": 2**80}, "never expire"),
]


@staged
async def test_a_token_that_makes_no_sense_is_refused(stage: Stage) -> None:
    for told, said in WRONG:
        with pytest.raises(InvalidInput) as no:
            await made(stage, **told)
        assert said in no.value.message

    assert await list_tokens(stage.engine, PAT) == ()


@staged
@pytest.mark.parametrize("kind", ["agent", "worker"])
async def test_the_database_itself_refuses_an_agent_that_decides(stage: Stage, kind: str) -> None:
    columns = "tenant, id, name, kind, scopes, hash, prefix, created_at"
    values = f"'{HOME}', 't', 'n', '{kind}', 'read decide', 'h', 'p', 1"
    refusals = (apsw.ConstraintError, asyncpg.CheckViolationError)

    with pytest.raises(refusals):
        await stage.sql(f"INSERT INTO tokens ({columns}) VALUES ({values})")  # noqa: S608

    as_a_person = values.replace(kind, "user")
    await stage.sql(f"INSERT INTO tokens ({columns}) VALUES ({as_a_person})")  # noqa: S608


@staged
async def test_only_an_admin_makes_lists_and_revokes_tokens(stage: Stage) -> None:
    _, name = await made(stage)
    nobody = replace(PAT, scopes=PAT.scopes - {"admin"})

    for attempt in (
        create_token(stage.engine, nobody, "mine"),
        list_tokens(stage.engine, nobody),
        revoke_token(stage.engine, nobody, name),
    ):
        with pytest.raises(NotAllowed) as no:
            await attempt
        assert "needs the scope 'admin'" in no.value.message


@staged
async def test_nobody_gives_what_they_do_not_have(stage: Stage) -> None:
    reader = replace(PAT, scopes=frozenset({"read", "admin"}))

    with pytest.raises(NotAllowed, match="do not have: work"):
        await create_token(stage.engine, reader, "more", "agent", ("read", "work"))
    with pytest.raises(NotAllowed, match="do not have: decide"):
        await create_token(stage.engine, ADMIN_AGENT, "myself", "user")
    with pytest.raises(NotAllowed, match="Only a person makes a token for a person"):
        await create_token(stage.engine, ADMIN_AGENT, "myself", "user", ("read", "work"))
    _, row = await create_token(stage.engine, ADMIN_AGENT, "helper", "agent")

    assert row.kind == "agent"


def test_a_scope_that_is_missing_is_named() -> None:
    require(ADA, "work", "Working")
    with pytest.raises(NotAllowed) as no:
        require(ADA, "decide", "submit_user_decision")

    assert no.value.code == "NOT_ALLOWED"
    assert no.value.message == (
        "submit_user_decision needs the scope 'decide', which your token does not have."
    )


@staged
async def test_no_error_and_no_repr_shows_a_secret(stage: Stage) -> None:
    secret, name = await made(stage)
    row = (await list_tokens(stage.engine, PAT))[0]
    told = [repr(row), repr(await authenticate(stage.engine, secret)), repr(stage.engine)]
    await revoke_token(stage.engine, PAT, name)
    with pytest.raises(InterlockError) as no:
        await authenticate(stage.engine, secret)
    told += [repr(no.value), str(no.value), no.value.message, no.value.fix]

    assert [text for text in told if secret[11:] in text] == []


def test_an_ai_client_is_an_agent_whoevers_token_it_has() -> None:
    person = as_agent(PAT)

    assert (person.kind, person.on_behalf_of) == ("agent", "pat")
    assert person.scopes == {"read", "work"}
    assert as_agent(ADA) is ADA
    assert as_agent(replace(PAT, scopes=frozenset({"read", "admin"}))).scopes == {"read"}
