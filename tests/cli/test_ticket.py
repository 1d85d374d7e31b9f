"""``interlock ticket`` from an idea to an approval, and the ways round it."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.cli.brought import brought
from tests.cli.home import Home
from tests.cli.test_project import made


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


def status(home: Home, ticket: str) -> Any:  # noqa: ANN401  a document
    """Read how a ticket stands."""
    return home.told("ticket", "status", ticket)["data"]


def test_a_ticket_is_written_down_changed_and_started(home: Home) -> None:
    file = home.folder / "idea.txt"
    file.write_text("People want apples.", encoding="utf-8")
    data: Any = home.told("ticket", "create", made(home), "Sell apples", "-f", str(file))["data"]
    ticket = data["ticket_id"]
    assert home.ask("ticket", "edit", ticket, "--title", "Sell pears").code == 0

    said = home.ask("ticket", "start", ticket)

    assert "is started" in said.out
    shown = home.ask("ticket", "status", ticket).out
    assert "Sell pears  Backlog (DRAFT)" in shown
    assert "workspace  init  waiting" in shown
    told = home.ask("ticket", "context", ticket).out
    assert "People want apples." in told
    assert f"{ticket}  Backlog" in home.ask("ticket", "list").out


def test_a_list_that_is_empty_says_how_to_begin(home: Home) -> None:
    assert "interlock ticket create" in home.ask("ticket", "list").out


def test_what_waits_is_edited_in_a_file_and_approved_as_it_was_shown(home: Home) -> None:
    ticket = brought(home, "approve")["ticket_id"]
    assert f"interlock ticket approve {ticket}" in home.ask("ticket", "status", ticket).out
    file = home.folder / "interview.yaml"
    assert home.ask("ticket", "document", ticket, "interview", "-o", str(file)).code == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# made of ")
    file.write_text(text.replace("Yes.", "Yes, please."), encoding="utf-8")

    said = home.ask("ticket", "save", ticket, str(file))

    assert "saved; it waits for approval" in said.out, said
    again = home.ask("ticket", "save", ticket, str(file))
    assert (again.code, "STALE_EDIT" in again.err) == (2, True)
    digest = status(home, ticket)["gates"][-1]["content_digest"]
    approved = home.ask("ticket", "approve", ticket, "--digest", digest)
    assert "approved; Council Drafting Specs (DRAFTING_PRD)" in approved.out
    assert "Yes, please." in home.ask("ticket", "document", ticket, "interview").out


def test_at_a_terminal_what_is_approved_is_shown_first(home: Home) -> None:
    ticket = brought(home, "approve")["ticket_id"]

    with patch("sys.stdin.isatty", return_value=True), patch("typer.confirm") as confirm:
        said = home.ask("ticket", "approve", ticket)

    assert confirm.call_count == 1
    assert "schema_version" in said.out
    assert "approved" in said.out


def test_a_file_that_does_not_say_what_it_was_made_of_is_not_saved(home: Home) -> None:
    given = brought(home, "save_artifact")
    file = home.folder / "plain.yaml"
    file.write_text(given["content"], encoding="utf-8")

    no = home.ask("ticket", "save", given["ticket_id"], str(file))

    assert (no.code, "--base DIGEST" in no.err) == (2, True)
    words = ("ticket", "save", given["ticket_id"], str(file), "--base", given["base_digest"])
    assert home.ask(*words).code == 0
    gone = home.ask("ticket", "save", given["ticket_id"], str(home.folder / "none.yaml"))
    assert "NOT_READABLE" in gone.err


def test_what_was_approved_is_reopened_with_an_edit(home: Home) -> None:
    ticket = brought(home, "reopen")["ticket_id"]
    file = home.folder / "interview.yaml"
    home.ask("ticket", "document", ticket, "interview", "-o", str(file))

    said = home.ask("ticket", "reopen", ticket, "interview", str(file), "-m", "It was wrong.")

    assert "reopened; Council Drafting Specs" in said.out, said
    assert "attempt 2" in home.ask("ticket", "context", ticket).out
    no = home.ask("ticket", "document", ticket, "prd")
    assert "There are: " in no.err


def test_a_blocked_ticket_says_why_and_is_retried_or_cancelled(home: Home) -> None:
    ticket = brought(home, "retry")["ticket_id"]
    shown = home.ask("ticket", "status", ticket).out
    assert "occurrence 1, in DRAFT" in shown
    assert f"interlock ticket retry {ticket}" in shown

    said = home.ask("ticket", "retry", ticket, "--note", "There is room now.")

    assert "goes on; Backlog (DRAFT)" in said.out
    assert "is CANCELED" in home.ask("ticket", "cancel", ticket, "-m", "enough").out
    assert ticket not in home.ask("ticket", "list").out
    assert ticket in home.ask("ticket", "list", "--all").out
