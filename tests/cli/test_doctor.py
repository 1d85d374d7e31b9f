"""``interlock doctor``: what it looks at, what it says when something is not well."""

from pathlib import Path
from typing import cast

import pytest

import interlock
from interlock.cli.doctor import Check, shown
from tests.cli.home import Document, Home
from tests.cli.terminal import ask
from tools.postgres.server import Server


def checks(told: Document) -> dict[str, Document]:
    return {str(row["name"]): row for row in cast("list[Document]", told["checks"])}


def test_a_sound_house_is_well(tmp_path: Path) -> None:
    home = Home(tmp_path)
    said = home.ask("doctor")
    found = checks(home.told("doctor"))

    assert (said.code, said.err) == (0, "")
    assert [line[0] for line in said.out.splitlines()] == ["✓"] * len(found)
    assert list(found) == [
        "interlock", "database", "engine", "durability", "incarnation", "disk", "clock", "toolsets",
    ]  # fmt: skip
    assert str(found["interlock"]["found"]).startswith(f"{interlock.__version__}, Python 3.")
    assert str(found["toolsets"]["found"]).startswith("research ")
    assert str(found["toolsets"]["found"]).endswith(" tokens (characters / 4)")
    assert found["database"]["found"] == str(tmp_path / "interlock.db")
    assert str(found["durability"]["found"]).startswith("full (journal_mode wal, synchronous full")


def test_weak_durability_is_never_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERLOCK_SYNCHRONOUS", "normal")
    assert Home(tmp_path).ask("doctor").err.startswith("CONFIG_ERROR ")
    monkeypatch.setenv("INTERLOCK_ALLOW_DEGRADED", "yes")

    said = Home(tmp_path).ask("doctor")

    assert said.code == 1
    assert "✕ durability   degraded (journal_mode wal, synchronous normal" in said.out
    assert "Acknowledged work may be lost" in said.out


def test_a_check_that_is_not_well_says_what_to_do() -> None:
    check = Check("disk", "0.1 GiB free in /[data]", is_well=False, fix="Make [room].")

    assert shown(check) == (
        "[red]✕[/red] disk         0.1 GiB free in /\\[data]\n  [dim]Make \\[room].[/dim]"
    )


@pytest.fixture
def database(postgres_server: Server) -> str:
    """The address of an empty database."""
    postgres_server.drop_database("doctored")
    postgres_server.create_database("doctored")
    return postgres_server.url("doctored")


def test_a_postgresql_server_that_may_lose_work_is_refused_or_told(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--data", str(tmp_path / "none"), "--database", database)
    assert ask(*words, "db", "migrate").code == 0

    refused = ask(*words, "doctor")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("DURABILITY_REFUSED ")

    monkeypatch.setenv("INTERLOCK_ALLOW_DEGRADED", "yes")
    said = ask(*words, "doctor")
    assert said.code == 1
    assert "✕ durability   degraded (" in said.out
    assert "disk" not in said.out
    listed = ask(*words, "list")
    assert "durability: degraded" in listed.out
    assert not (tmp_path / "none").exists()
