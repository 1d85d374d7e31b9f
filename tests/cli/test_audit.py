"""``interlock audit``: what happened can be proved and written out, and what was changed is found."""

import json
from pathlib import Path

import pytest

from interlock.store.chain import genesis, linked
from tests.cli.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A data folder with a plan whose first step was claimed."""
    home = Home(tmp_path)
    home.claim(home.plan())
    return home


def only(home: Home) -> str:
    return home.ask("list").out.split()[0]


def test_what_holds_is_said_with_its_numbers(home: Home) -> None:
    said = home.ask("audit", "verify")

    held = "chains, edges, states, tallies and pairs hold"
    assert (said.code, said.out) == (0, f"✓ 1 units, 5 entries: {held}\n")
    told = home.told("audit", "verify", "--unit", only(home))
    assert told == {"units": 1, "entries": 5, "erased": 0, "findings": []}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE units SET status = 'completed'", "the log and the rows differ about"),
        ("UPDATE parts SET holder = 'me' WHERE number = 1", "the log and the rows differ about"),
        ("DROP TRIGGER audit_keeps_entries; UPDATE audit SET body = replace(body, 'owner', 'other')",
         "the hash does not fit"),
        ("DROP TRIGGER audit_loses_nothing; DELETE FROM audit WHERE sequence = 2",
         "an entry is missing"),
    ],
)  # fmt: skip
def test_what_was_changed_behind_our_back_is_found(home: Home, change: str, what: str) -> None:
    home.sql(change)

    said = home.ask("audit", "verify")
    told = home.ask("audit", "verify", "--json")

    assert (said.code, told.code) == (1, 1)
    assert said.out.startswith("✕ plan-")
    assert what in said.out
    (finding,) = json.loads(told.out)["findings"]
    assert what in finding["what"]


def test_the_audit_is_written_out_as_it_was_hashed(home: Home) -> None:
    lines = home.ask("audit", "export").out.splitlines()

    entries = [json.loads(line) for line in lines]
    head = genesis("local", only(home))
    for number, entry in enumerate(entries, 1):
        head = linked(head, entry["body"])
        assert (entry["unit"], entry["sequence"]) == (only(home), number)
        assert entry["hash"] == head
    assert len(entries) == 5


def test_it_can_be_written_to_a_file(home: Home) -> None:
    file = home.folder / "audit.jsonl"

    said = home.ask("audit", "export", "--unit", only(home), "--out", str(file))

    assert (said.code, said.out, said.err) == (0, "", f"wrote {file}\n")
    assert file.read_text(encoding="utf-8") == home.ask("audit", "export").out


def test_a_checkpoint_is_appended_and_compared_with(home: Home) -> None:
    first = home.told("audit", "checkpoint")
    file = str(first["file"])
    said = home.ask("audit", "checkpoint")
    assert said.out.startswith("✓ checkpoint 2: 1 units, 0 new heads, in ")
    assert str(first["public_key"]) in said.out
    assert (first["checkpoint"], first["units"], first["heads"]) == (1, 1, 1)

    fine = home.ask("audit", "verify", "--checkpoint", file)
    assert (fine.code, "and so do 1 heads of checkpoints" in fine.out) == (0, True)
    told = home.told("audit", "verify", "--checkpoint", file, "--key", str(first["public_key"]))
    assert told == {"units": 1, "entries": 5, "erased": 0, "heads": 1, "findings": [], "notes": []}
    status = home.ask("db", "status").out
    assert "checkpoint   last: 2, as of " in status
    assert ": heads of 1 units, in " in status
    assert "warning" not in status


def test_a_checkpoint_in_a_file_of_its_own_is_known_to_status(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "c.jsonl"
    assert home.ask("audit", "checkpoint").code == 0
    home.told("audit", "checkpoint", "--file", str(file))

    said, told = home.ask("db", "status").out, home.told("db", "status")

    assert f"heads of 1 units, in {file}" in said
    assert told["warnings"] == []
    file.rename(tmp_path / "away")
    assert (
        f"warning      The file of the last checkpoint is not there: {file}"
        in home.ask("db", "status").out
    )


def test_what_was_cut_off_is_found_with_a_checkpoint(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere" / "c.jsonl"
    assert home.ask("audit", "checkpoint", "--file", str(file)).code == 0
    # Whoever owns the database takes everything away, and leaves no trace in it.
    home.sql(
        "DROP TRIGGER audit_loses_nothing; PRAGMA foreign_keys = off; DELETE FROM audit;"
        " DELETE FROM parts; DELETE FROM cards; DELETE FROM units"
    )

    assert home.ask("audit", "verify").code == 0
    said = home.ask("audit", "verify", "--checkpoint", str(file))

    assert said.code == 1
    assert "the unit is gone, and stands in checkpoint 1" in said.out


def test_a_restore_is_told_by_verify_and_accepted_by_the_next_checkpoint(home: Home) -> None:
    backup, file = str(home.folder / "b"), str(home.folder / "checkpoints.jsonl")
    assert home.ask("db", "backup", backup).code == 0
    home.plan("later")
    assert home.ask("audit", "checkpoint").code == 0
    assert home.ask("db", "restore", backup, "--force").code == 0

    early = home.ask("audit", "verify", "--checkpoint", file)
    assert home.ask("audit", "checkpoint").code == 0
    late = home.ask("audit", "verify", "--checkpoint", file)

    assert (early.code, late.code) == (1, 0)
    assert "✕ database, entry 0: restored from a backup of " in early.out
    assert late.out.startswith("! restored from a backup of ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--checkpoint", "{}/none.jsonl"), "CHECKPOINT_REFUSED"),
        (("--checkpoint", "{}/interlock.db", "--key", "zz"), "CHECKPOINT_REFUSED"),
    ],
)
def test_checkpoints_that_cannot_be_read_are_told(
    home: Home, words: tuple[str, ...], code: str
) -> None:
    said = home.ask("audit", "verify", *(word.format(home.folder) for word in words))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"{code} ")


@pytest.mark.parametrize("verb", ["verify", "export"])
@pytest.mark.parametrize("unit", ["plan-000000000000", "x", "plan-\udcff", "plan-000000000000.1"])
def test_a_unit_that_is_not_there_is_told(home: Home, verb: str, unit: str) -> None:
    said = home.ask("audit", verb, "--unit", unit)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"NOT_FOUND There is no {unit!r}.\nCheck the id; list what there is.\n"


def test_reading_the_audit_needs_the_scope(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = str(home.told("token", "create", "w", "--scope", "work")["token"])
    monkeypatch.setenv("INTERLOCK_TOKEN", secret)

    for verb in ("verify", "export"):
        said = home.ask("audit", verb)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("NOT_ALLOWED Reading the audit needs the scope 'read'")
