"""``interlock token``: made once, shown once, listed without secrets, revoked for good."""

import re
from pathlib import Path

import pytest

from tests.cli.home import Home

ALL = [word for scope in ("read", "work", "decide", "admin") for word in ("--scope", scope)]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def make(home: Home, *words: str) -> tuple[str, str]:
    """Make a token; return the secret and the id."""
    told = home.told("token", "create", "one", *words)
    return str(told["token"]), str(told["token_id"])


def test_a_token_is_shown_once(home: Home) -> None:
    said = home.ask("token", "create", "laptop", "--expires-in", "30d")

    secret, line = said.out.splitlines()
    assert re.fullmatch(r"il_[0-9a-f]{40}", secret)
    assert re.fullmatch(
        r"agent, read work, until \d{4}-\d\d-\d\d \d\d:\d\d UTC; shown only this once", line
    )
    files = home.folder.glob("interlock.db*")
    assert not any(secret.encode() in path.read_bytes() for path in files)


def test_what_is_listed_has_no_secret(home: Home) -> None:
    assert home.ask("token", "list").out.startswith("There are no tokens yet.")
    secret, name = make(home, "--kind", "user", "--scope", "read", "--scope", "decide")

    said = home.ask("token", "list")
    told = home.ask("token", "list", "--json").out

    assert said.out == f"{name}  {secret[:11]}…  user   read decide      does not expire  one\n"
    assert secret not in said.out + told
    assert '"scopes": [\n      "read",\n      "decide"\n    ]' in told


def test_a_revoked_token_is_good_for_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, name = make(home)
    assert home.ask("token", "revoke", name).out == f"✓ {name} is revoked\n"
    assert "  revoked  one" in home.ask("token", "list").out

    monkeypatch.setenv("INTERLOCK_TOKEN", secret)
    said = home.ask("list")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("UNAUTHENTICATED The token is unknown, expired or revoked.")
    assert secret not in said.err


def test_a_secret_that_is_used_is_never_seen_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = home.plan()
    secret, name = make(home, "--kind", "user", *ALL)
    monkeypatch.setenv("INTERLOCK_TOKEN", secret)
    said = [
        home.ask(*words)
        for words in (
            ("plan", "next", plan), ("plan", "status", plan, "--json"), ("plan", "next", "x"),
            ("plan", "submit", f"{plan}.1", "-m", ""), ("list", "--json"), ("explain", f"{plan}.1"),
            ("token", "list"), ("token", "list", "--json"), ("token", "create", ""), ("doctor",),
            ("doctor", "--json"), ("audit", "export"), ("audit", "verify", "--json"),
            ("token", "revoke", name), ("list",),
        )
    ]  # fmt: skip

    assert [one.code for one in said] == [0, 0, 2, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2]
    kept = [path.read_bytes() for path in home.folder.iterdir()]
    seen = [*kept, *(f"{one.out}{one.err}".encode() for one in said)]
    assert [text for text in seen if secret[11:].encode() in text] == []


def test_without_admin_no_token_is_made_listed_or_revoked(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, name = make(home)
    monkeypatch.setenv("INTERLOCK_TOKEN", secret)

    for words in (("create", "more"), ("list",), ("revoke", name)):
        said = home.ask("token", *words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("NOT_ALLOWED ")
        assert "needs the scope 'admin'" in said.err


def test_an_agent_that_is_an_admin_cannot_make_itself_a_person(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, _ = make(home, "--scope", "admin", "--scope", "work", "--scope", "read")
    monkeypatch.setenv("INTERLOCK_TOKEN", secret)

    for words in (("--scope", "decide"), ("--scope", "work"), ()):
        said = home.ask("token", "create", "me", "--kind", "user", *words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("NOT_ALLOWED ")


@pytest.mark.parametrize(
    "words",
    [
        ("create", ""),
        ("create", "x" * 101),
        ("create", "\udcff"),
        ("create", "n", "--kind", "robot"),
        ("create", "n", "--kind", "agent", "--scope", "decide"),
        ("create", "n", "--kind", "worker", "--scope", "decide"),
        ("create", "n", "--scope", "\udcff"),
        ("create", "n", "--expires-in", "soon"),
        ("create", "n", "--expires-in", "d"),
        ("create", "n", "--expires-in", "0d"),
        ("create", "n", "--expires-in", "-1d"),
        ("create", "n", "--expires-in", "1.5h"),
        ("create", "n", "--expires-in", "\uff11d"),
        ("create", "n", "--expires-in", "9" * 5_000 + "d"),
    ],
)
def test_a_token_that_makes_no_sense_is_refused(home: Home, words: tuple[str, ...]) -> None:
    said = home.ask("token", *words)

    told, _, fix = said.err.partition("\n")
    assert (said.code, said.out) == (2, "")
    assert told.startswith("INVALID_INPUT ")
    assert len(told) < 300
    assert fix
    assert home.ask("token", "list", "--json").out == "[]\n"


@pytest.mark.parametrize("name", ["token-000000000000", "' OR 1=1 --"])
def test_what_names_no_token_revokes_none(home: Home, name: str) -> None:
    make(home)

    said = home.ask("token", "revoke", name)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"NOT_FOUND There is no {name!r}.\nCheck the id; list what there is.\n"
    assert "revoked" not in home.ask("token", "list").out
