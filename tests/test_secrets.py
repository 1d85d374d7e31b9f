"""Canaries: no password, token, cookie, link or client secret is seen anywhere after it was used.

A story that uses each of them is played through the pages and the commands; then everything that
was logged, kept, answered or can be printed is searched for them.
"""

import logging
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from interlock.errors import InterlockError
from interlock.service.access import authenticate
from interlock.service.calls import CallLog, ToolCall
from interlock.service.people import accept
from interlock.service.roles import as_person
from interlock.service.sessions import log_in, resume, use_login
from tests.doors.web.browser import Browser
from tests.service.folk import first
from tests.service.issuer import SECRET, issuing
from tests.stage import HOME, Stage, staged

PASSWORD = "canary of a password"  # noqa: S105 (that is what it is)


async def used(stage: Stage, client: str) -> tuple[set[str], list[str]]:
    """Use a secret of each sort, rightly and wrongly; return them, and what was said meanwhile."""
    owner = as_person(await first(stage, "pam", "owner"))
    log = CallLog(stage.engine.store, stage.clock, 30)
    made = []
    asked: list[tuple[str, dict[str, object]]] = [
        ("create_token", {"name": "t"}), ("invite_user", {"email": "n@example.org"}),
        ("create_login_link", {}),
    ]  # fmt: skip
    for name, told in asked:
        answer = await stage.call(name, owner, **told)
        log.put(ToolCall(name, told, answer.model_dump(), 1, is_error=False, principal=owner))
        made.append(str(answer.data.get("token") or answer.data["link"]).rpartition("/")[2])
    await log.close()
    token, invitation, entry = made
    engine = stage.engine
    visits = [
        await accept(engine, invitation, "Nell", PASSWORD), await use_login(engine, entry),
        await log_in(engine, "n@example.org", PASSWORD),
    ]  # fmt: skip
    said = [repr(one) for one in (*visits, engine, await authenticate(engine, token))]
    for attempt in (
        accept(engine, invitation, "Nell", PASSWORD), use_login(engine, entry),
        log_in(engine, "n@example.org", PASSWORD + "x"), authenticate(engine, token + "x"),
        resume(engine, visits[0].secret + "x"),
    ):  # fmt: skip
        with pytest.raises(InterlockError) as no:
            await attempt
        said += [repr(no.value), no.value.message, no.value.fix]
    return {client, PASSWORD, *made, *(visit.secret for visit in visits)}, said


@staged
async def test_what_is_secret_is_seen_nowhere(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with issuing(stage.engine.store.now()) as issuer:
        stage = replace(stage, engine=replace(stage.engine, provider=issuer.provider()))
        secrets, said = await used(stage, SECRET)
        browser = Browser.on(stage.engine)
        await browser.get("/login")
        await browser.send(email="n@example.org", password=PASSWORD + " and more")
        said.append(browser.text)
    store = stage.engine.store
    said += [record.getMessage() for record in caplog.records]
    said += [str(row) for row in await store.people.acts(HOME, None, 100)]
    said += [str(row) for row in await store.calls(HOME, None, 100)]
    kept = await dumped(stage)

    assert len(await store.calls(HOME, None, 100)) == 3
    assert b"n@example.org" in kept
    for secret in secrets:
        bare = secret.removeprefix("il_")[8:]
        assert [text[:200] for text in said if bare in text] == []
        assert bare.encode() not in kept


async def dumped(stage: Stage) -> bytes:
    """Return everything that the database holds."""
    if isinstance(stage.where, Path):
        parts = stage.where.parent.glob(f"{stage.where.name}*")
        return b"".join(path.read_bytes() for path in sorted(parts))
    connection = await asyncpg.connect(stage.where)
    try:
        found = []
        for table in (
            "users",
            "invitations",
            "sessions",
            "logins",
            "tokens",
            "acts",
            "calls",
            "replies",
        ):
            rows = await connection.fetch(f"SELECT t::text FROM {table} AS t")  # noqa: S608 (above)
            found += [str(row[0]) for row in rows]
        return "\n".join(found).encode()
    finally:
        await connection.close()
