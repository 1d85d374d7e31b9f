"""``interlock tenant``: what everything here is called."""

from pathlib import Path

from tests.cli.home import Home


def test_a_tenant_is_shown_and_renamed(tmp_path: Path) -> None:
    home = Home(tmp_path)

    assert home.ask("tenant", "show").out == "local  This machine\n"
    assert "it is called Home" in home.ask("tenant", "rename", "Home").out
    assert home.told("tenant", "show")["data"]["name"] == "Home"  # type: ignore[index]  # a tenant
    assert home.ask("tenant", "rename", "").code == 2


def test_an_owner_erases_everything_by_its_name_and_nobody_works_there_again(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    home.plan("only", name="A name that is to go")
    wrong = home.ask("tenant", "erase", "local", "--yes", "locale")
    assert (wrong.code, wrong.err.partition(" ")[0]) == (2, "NOT_NAMED")
    assert home.ask("tenant", "erase", "other", "--yes", "other").err.startswith("NOT_NAMED")
    assert home.told("audit", "verify")["units"] == 1

    erased = home.told("tenant", "erase", "local", "--yes", "local")
    assert erased["entries"] == 2
    assert b"A name that is to go" not in (tmp_path / "interlock.db").read_bytes()
    verified = home.told("audit", "verify")
    assert (verified["erased"], verified["units"], verified["findings"]) == (1, 0, [])
    assert "1 units were erased; 2 hashes" in home.ask("audit", "verify").out
    for words in (("list",), ("plan", "create", "n", "--question", "q", "--step", "s")):
        said = home.ask(*words)
        assert (said.code, said.err.partition(" ")[0]) == (2, "TENANT_ERASED")


def test_the_name_is_asked_for_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.plan("only")
    said = home.ask("tenant", "erase", "This machine")

    assert (said.code, "Nobody can bring it back" in said.err) == (2, True)
    assert home.told("audit", "verify")["units"] == 1


def test_a_backup_does_not_bring_back_what_was_erased_since(tmp_path: Path) -> None:
    home, new, file = Home(tmp_path / "a"), Home(tmp_path / "b"), tmp_path / "it.interlock"
    home.plan("only", name="A name that is to go")
    assert home.ask("db", "backup", str(file)).code == 0
    assert home.ask("tenant", "erase", "local", "--yes", "local").code == 0

    told = home.told("db", "restore", str(file), "--force")
    assert told["erased"] == ["local"]
    assert b"A name that is to go" not in (home.folder / "interlock.db").read_bytes()
    assert home.told("audit", "verify")["erased"] == 1
    assert home.ask("list").err.startswith("TENANT_ERASED ")

    # Elsewhere nobody knows of it but by the file.
    lines = home.folder / "erasures.jsonl"
    said = new.ask("db", "restore", str(file), "--erasures", str(lines))
    assert "Erased since the backup, and erased again: local" in said.out
    assert new.ask("list").err.startswith("TENANT_ERASED ")


def test_a_backup_of_another_database_has_nothing_to_do_with_an_erasure(tmp_path: Path) -> None:
    home, other, file = Home(tmp_path / "a"), Home(tmp_path / "b"), tmp_path / "it.interlock"
    other.plan("only", name="A name that stays")
    assert other.ask("db", "backup", str(file)).code == 0
    home.plan("only")
    assert home.ask("tenant", "erase", "local", "--yes", "local").code == 0

    assert home.told("db", "restore", str(file), "--force")["erased"] == []
    assert "A name that stays" in home.ask("list").out


def test_a_file_of_erasures_that_is_named_must_be_there(tmp_path: Path) -> None:
    home, file = Home(tmp_path / "a"), tmp_path / "it.interlock"
    home.plan("only")
    assert home.ask("db", "backup", str(file)).code == 0

    said = home.ask("db", "restore", str(file), "--force", "--erasures", str(tmp_path / "none"))

    assert (said.code, said.err.startswith("ERASURES_UNREADABLE ")) == (2, True)
