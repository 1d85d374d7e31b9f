"""``interlock user`` and ``interlock login-link``: who is here, and how they come in."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from interlock.app import open_app
from interlock.config import Settings
from interlock.service.sessions import use_login
from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_the_owner_of_the_folder_is_its_first_person(home: Home) -> None:
    said = home.ask("user", "list")

    assert said.out == "owner              owner   owner@localhost  Owner\n"
    no = home.ask("user", "disable", "owner")
    assert (no.code, no.err.startswith("LAST_OWNER ")) == (2, True)
    assert home.ask("user", "role", "owner@localhost", "viewer").err.startswith("LAST_OWNER ")


def test_links_are_printed_once_and_kept_nowhere(home: Home) -> None:
    invited = home.ask("user", "invite", "nell@example.org", "--role", "admin").out
    entry = home.ask("login-link").out

    assert re.match(r"http://127\.0\.0\.1:7400/invitation/il_[0-9a-f]{40}\n", invited)
    assert re.match(r"http://127\.0\.0\.1:7400/login/il_[0-9a-f]{40}\n", entry)
    kept = b"".join(path.read_bytes() for path in home.folder.iterdir())
    for link in (invited, entry):
        assert link.partition("il_")[2][:40].encode() not in kept
    acts = home.ask("user", "acts").out
    assert "user owner  invited" in acts
    assert "email=nell@example.org role=admin" in acts
    assert "login_link_made  owner" in acts


def test_everything_can_be_had_as_one_document(home: Home) -> None:
    for words in (("user", "list"), ("user", "invite", "a@b.c"), ("login-link",), ("user", "acts")):
        told = json.loads(home.ask(*words, "--json").out)
        assert told["status"] == "ok", words


@pytest.mark.parametrize(
    "words",
    [
        ("user", "invite", "x"),
        ("user", "invite", "a@b.c", "--role", "king"),
        ("user", "role", "nobody", "viewer"),
        ("user", "disable", "nobody"),
        ("user", "enable", ""),
        ("login-link", "--user", "nobody"),
        ("user", "acts", "--cursor", "x"),
    ],
)
def test_what_makes_no_sense_is_refused(home: Home, words: tuple[str, ...]) -> None:
    said = home.ask(*words)

    assert (said.code, said.out) == (2, "")
    assert said.err.split()[0] in ("INVALID_INPUT", "NOT_FOUND")


def test_an_agent_s_token_administers_nobody(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    scopes = [word for one in ("read", "work", "admin") for word in ("--scope", one)]
    made = home.told("token", "create", "agent", *scopes)
    monkeypatch.setenv("INTERLOCK_TOKEN", str(made["token"]))
    for words in (("user", "invite", "a@b.c"), ("login-link",), ("user", "disable", "owner")):
        said = home.ask(*words)
        assert (said.code, said.err.split()[0]) == (2, "NOT_ALLOWED"), words


def test_an_invitation_is_listed_until_it_is_withdrawn(home: Home) -> None:
    assert "Nobody is invited" in home.ask("user", "invitations").out
    home.ask("user", "invite", "nell@example.org")
    listed = home.ask("user", "invitations").out
    name = listed.split()[0]

    assert "member  nell@example.org  until 20" in listed
    assert f"{name} is withdrawn" in home.ask("user", "withdraw", name).out
    assert "Nobody is invited" in home.ask("user", "invitations").out
    assert home.ask("user", "withdraw", name).code == 2


def test_who_is_logged_in_is_listed_and_logged_out(home: Home) -> None:
    assert home.ask("user", "sessions").out == "Nobody is logged in.\n"
    secret = home.ask("login-link").out.partition("/login/")[2][:43]

    async def story() -> None:
        async with open_app(Settings(home.folder)) as app:
            await use_login(app.engine, secret, "web")

    asyncio.run(story())
    listed = home.ask("user", "sessions", "--user", "owner").out
    name = listed.split()[0]

    assert "owner  since 20" in listed
    assert f"{name} has ended" in home.ask("user", "log-out", name).out
    assert home.ask("user", "sessions").out == "Nobody is logged in.\n"
