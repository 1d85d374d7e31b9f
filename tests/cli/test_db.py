"""``interlock db`` and databases that cannot be used: told in words, and nothing is touched."""

from pathlib import Path

import pytest

from tests.cli.home import Home
from tests.cli.terminal import ask
from tests.serving.farm import Base
from tools.postgres.server import Server


def test_a_new_file_is_made_and_a_whole_one_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)

    assert home.ask("db", "migrate").out.startswith("✓ applied: 0001")
    assert home.ask("db", "migrate").out == "✓ applied: nothing was missing\n"


def test_a_postgresql_database_is_migrated_when_it_is_told_to(
    postgres_server: Server, tmp_path: Path
) -> None:
    postgres_server.drop_database("migrated_by_hand")
    postgres_server.create_database("migrated_by_hand")
    words = ("--data", str(tmp_path), "--database", postgres_server.url("migrated_by_hand"))

    early = ask(*words, "list")
    assert (early.code, early.out) == (2, "")
    assert early.err.startswith("SCHEMA_TOO_OLD ")
    assert early.err.endswith("interlock db migrate\n")

    assert ask(*words, "db", "migrate").out.startswith("✓ applied: 0001, 0002")
    assert ask(*words, "db", "migrate").out == "✓ applied: nothing was missing\n"
    assert ask(*words, "list").err.startswith("DURABILITY_REFUSED ")


def test_a_plan_is_worked_through_on_postgresql(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_server.drop_database("worked")
    postgres_server.create_database("worked")
    monkeypatch.setenv("INTERLOCK_DATABASE", postgres_server.url("worked"))
    monkeypatch.setenv("INTERLOCK_ALLOW_DEGRADED", "yes")
    home = Home(tmp_path)
    assert home.ask("db", "migrate").code == 0

    plan = home.plan("only")
    step, lease = home.claim(plan)
    done = home.told("plan", "submit", step, "--lease", lease, "-m", "found")

    assert (done["status"], done["durability"]) == ("completed", "degraded")
    assert home.told("audit", "verify")["findings"] == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_a_newer_program_is_not_touched(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.plan()
    home.sql("INSERT INTO migrations (number, name, sha256, at) VALUES (99, 'n', 'h', 1)")
    before = (tmp_path / "interlock.db").read_bytes()

    for words in (("list",), ("doctor",), ("db", "migrate"), ("audit", "verify")):
        said = home.ask(*words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("SCHEMA_TOO_NEW The database has migration 0099")
        assert said.err.endswith("Install a newer interlock.\n")
    assert (tmp_path / "interlock.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"hello, this is not a database at all " * 9, b"\0" * 4096])
def test_a_file_that_is_no_database_is_not_touched(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "interlock.db"
    file.write_bytes(content)

    for words in (("list",), ("doctor",), ("db", "migrate")):
        said = Home(tmp_path).ask(*words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("NOT_A_DATABASE ")
    assert file.read_bytes() == content


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "interlock.db").mkdir()

    said = Home(tmp_path).ask("list")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("STORE_NOT_WRITABLE ")


@pytest.mark.parametrize("place", ["file/below", "file/below/deep", "/proc/nowhere", "/dev/null/x"])
def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a file", encoding="utf-8")

    said = ask("--data", str(tmp_path / place), "list")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("STORE_NOT_WRITABLE The folder ")
    assert "INTERLOCK_DATA" in said.err


@pytest.mark.parametrize("place", ["", " ", "file", "bad-\udcff"])
def test_what_is_no_folder_is_told(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    folder = str(tmp_path / place) if place.strip() else place

    said = ask("--data", folder, "list")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("CONFIG_ERROR --data: ")


SECRET = "geheim"  # noqa: S105  a canary


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (f"mysql://u:{SECRET}@h/d", "CONFIG_ERROR"),
        (f"postgresql://u:{SECRET}@h", "CONFIG_ERROR"),
        (f"postgresql://u:{SECRET}@h:99999999/d", "CONFIG_ERROR"),
        (SECRET, "CONFIG_ERROR"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/d", "STORE_UNAVAILABLE"),
        (f"postgresql://u:{SECRET}@/d?host=/nowhere", "STORE_UNAVAILABLE"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/d?sslmode=bogus", "STORE_UNAVAILABLE"),
    ],
)
def test_a_wrong_address_is_told_without_its_password(
    tmp_path: Path, address: str, code: str
) -> None:
    for words in (("list",), ("doctor",), ("db", "migrate")):
        said = ask("--data", str(tmp_path), "--database", address, *words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"{code} ")
        assert SECRET not in said.err
        assert "Traceback" not in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_is_not_there_is_told(postgres_server: Server, tmp_path: Path) -> None:
    address = postgres_server.url("never_made")

    said = ask("--data", str(tmp_path), "--database", address, "list")

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("STORE_UNAVAILABLE There is no such database")


def test_documents_are_indexed_anew(tmp_path: Path) -> None:
    assert ask("--data", str(tmp_path), "list").code == 0

    said = ask("--data", str(tmp_path), "db", "reindex")

    assert (said.code, said.err) == (0, "")
    assert "0 to be indexed anew; 0 done" in said.out


def test_everything_is_copied_to_postgresql_and_work_goes_on_there(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres_server.drop_database("copied_by_hand")
    postgres_server.create_database("copied_by_hand")
    url = postgres_server.url("copied_by_hand")
    home = Home(tmp_path)
    plan = home.plan("only")
    before = home.ask("audit", "export").out

    told = home.told("db", "copy", "--to", url)
    tables = told["tables"]
    assert isinstance(tables, dict)
    assert (tables["units"], told["units"], told["resumed"]) == (1, 1, 0)
    again = home.ask("db", "copy", "--to", url)
    assert (again.code, again.err.partition(" ")[0]) == (2, "COPY_REFUSED")

    monkeypatch.setenv("INTERLOCK_DATABASE", url)
    monkeypatch.setenv("INTERLOCK_ALLOW_DEGRADED", "yes")
    assert home.ask("audit", "export").out == before
    step, lease = home.claim(plan)
    done = home.told("plan", "submit", step, "--lease", lease, "-m", "found")
    assert done["status"] == "completed"
    assert home.told("audit", "verify")["findings"] == []


def test_a_copy_is_refused_while_a_server_works_with_the_folder(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.plan("only")
    with Base(tmp_path).serving():
        said = home.ask("db", "copy", "--to", "postgresql://localhost/none")

    assert (said.code, said.err.partition(" ")[0]) == (2, "COPY_REFUSED")
