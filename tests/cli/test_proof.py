"""``interlock ticket diff`` and ``ticket evidence``: what was built, and the proof of it."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.cli.brought import brought, built
from tests.cli.home import Home
from tests.doors.web.ticket.built import coding, delivered


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def test_changes_are_printed_by_bead_until_there_is_a_final_commit(home: Home) -> None:
    ticket = built(home, coding)
    said = home.ask("ticket", "diff", ticket)

    assert "attempt 2" in said.out
    assert "+def test_sell():" in said.out
    assert said.out.count("diff --git a/shop.py") == 1
    assert "nothing was built yet" in home.ask("ticket", "diff", ticket, "--bead", "2").out
    no = home.ask("ticket", "diff", ticket, "--bead", "3")
    assert (no.code, "There are 2" in no.err) == (2, True)
    (one,) = json.loads(home.ask("ticket", "diff", ticket, "--bead", "1", "--json").out)
    assert (one["status"], one["files"][0]["path"]) == ("done", "shop.py")


def test_the_final_commit_is_printed_once_there_is_one(home: Home) -> None:
    ticket = built(home, delivered)
    said = home.ask("ticket", "diff", ticket)

    assert said.out.count("diff --git a/shop.py") == 1
    assert "attempt" not in said.out
    (one,) = json.loads(home.ask("ticket", "diff", ticket, "--json").out)
    assert len(one["candidate"]) == 40


def test_everything_that_was_filed_is_listed_and_written_down(home: Home, tmp_path: Path) -> None:
    ticket = built(home, delivered)
    folder = tmp_path / "proof"
    said = home.ask("ticket", "evidence", ticket, "-o", str(folder))

    assert "merge_report.1" in said.out
    assert said.out.count("/answer.") == 3
    assert f"interlock audit verify --unit {ticket}" in said.out
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    for digest in index.values():
        assert hashlib.sha256((folder / digest).read_bytes()).hexdigest() == digest
    rows = home.told("ticket", "evidence", ticket)["data"]
    assert isinstance(rows, dict)
    assert len(rows["artifacts"]) == len(index)


def test_a_folder_that_cannot_be_written_is_said_so(home: Home, tmp_path: Path) -> None:
    ticket = brought(home, "approve")["ticket_id"]
    (tmp_path / "file").write_text("x", encoding="utf-8")
    no = home.ask("ticket", "evidence", ticket, "-o", str(tmp_path / "file" / "in it"))

    assert (no.code, "NOT_READABLE" in no.err) == (2, True)
