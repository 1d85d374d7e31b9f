"""Tokens are remembered as long as nobody can have changed one, and not an instant longer."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from interlock.store.people import Act, UserRow
from interlock.store.port import TokenRow
from interlock.store.script import Committed
from interlock.store.sqlite import pace, read
from interlock.store.sqlite.store import SqliteStore
from interlock.store.sqlite.tokens import TOKENS_MAX, Tokens
from tests.still import START
from tests.store.sqlite.opened import HOME, opened
from tests.store.sqlite.scripts import make

ROW = TokenRow(HOME, "tok-1", "laptop", "agent", "work", "il_1", START, None, None)
NOW = (3, 1)


@pytest.mark.parametrize("since", [None, (4, 1), (3, 2)])
def test_what_may_have_changed_is_not_found(since: tuple[int, int] | None) -> None:
    tokens = Tokens()
    tokens.keep("hash", ROW, NOW)

    assert tokens.find("hash", NOW) == ROW
    assert tokens.find("other", NOW) is None
    assert tokens.find("hash", since) is None


def test_where_it_cannot_be_told_how_things_stand_nothing_is_kept() -> None:
    tokens = Tokens()
    tokens.keep("hash", ROW, None)

    assert tokens.find("hash", None) is None


def test_what_was_kept_before_a_change_is_forgotten_with_the_first_after_it() -> None:
    tokens = Tokens()
    tokens.keep("old", ROW, NOW)
    tokens.keep("new", ROW, (4, 1))

    assert (tokens.find("old", (4, 1)), tokens.find("new", (4, 1))) == (None, ROW)


def test_no_more_are_kept_than_there_is_room_for() -> None:
    tokens = Tokens()
    for number in range(TOKENS_MAX + 1):
        tokens.keep(str(number), ROW, NOW)

    assert tokens.find(str(TOKENS_MAX), NOW) == ROW
    assert tokens.find("0", NOW) is None


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is looked up in the file."""
    asked: list[str] = []
    real: Callable[..., TokenRow | None] = read.find_token

    def find(session: object, digest: str) -> TokenRow | None:
        asked.append(digest)
        return real(session, digest)

    monkeypatch.setattr(read, "find_token", find)
    return asked


def test_a_token_is_looked_up_once_however_many_commands_come(
    tmp_path: Path, looks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # On the event loop the pen is free again when a command is answered.
    monkeypatch.setattr(pace, "QUICK_S", 1_000.0)

    async def story() -> None:
        async with opened(tmp_path) as store:
            await store.add_token(ROW, "hash")
            with store._writer._pen:
                """The thread has let go of it, too."""
            for name in ("a", "b", "c"):
                assert await store.find_token("hash") == ROW
                assert await store.run(HOME, make(name)) == Committed("made")

    asyncio.run(story())

    assert looks == ["hash"]


Acts = Callable[[SqliteStore], Awaitable[None]]


async def _revoke(store: SqliteStore) -> None:
    assert await store.revoke_token(HOME, ROW.id, START + 1)


async def _shut_out(store: SqliteStore) -> None:
    (owner,) = await store.people.users(HOME)
    act = Act("act-1", "user", "user-2", "", "", "disabled", owner.id, "{}")
    assert await store.people.change_user(owner, "member", START + 1, START + 1, act) == "done"


@pytest.mark.parametrize("act", [_revoke, _shut_out])
@pytest.mark.parametrize("who", ["this process", "another one"])
def test_what_is_taken_away_is_seen_with_the_next_look(tmp_path: Path, act: Acts, who: str) -> None:
    owner = UserRow(HOME, "user-1", "ada@example.org", "Ada", "member", None, START, None)

    async def story() -> TokenRow | None:
        async with opened(tmp_path) as store, opened(tmp_path) as other:
            await store.people.add_first(owner)
            await store.add_token(ROW._replace(owner=owner.id), "hash")
            for _ in range(3):
                known = await store.find_token("hash")
                assert known is not None
                assert (known.revoked_at, known.owner_disabled_at) == (None, None)
            await act(store if who == "this process" else other)
            return await store.find_token("hash")

    found = asyncio.run(story())

    assert found is not None
    assert START + 1 in (found.revoked_at, found.owner_disabled_at)


def test_nobody_waits_for_the_pen_to_find_a_token(tmp_path: Path, looks: list[str]) -> None:
    async def story() -> None:
        async with opened(tmp_path) as store:
            await store.add_token(ROW, "hash")
            await store.find_token("hash")
            with store._writer._pen:
                assert await store.find_token("hash") == ROW

    asyncio.run(story())

    assert looks == ["hash", "hash"]
