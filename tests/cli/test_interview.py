"""``interlock ticket answer`` and the like: from options, from a file, one by one at a terminal."""

from pathlib import Path
from unittest.mock import patch

import pytest

from interlock.cli.interview import understood
from tests.cli.brought import brought
from tests.cli.home import Home

CHOICE = {
    "id": "Q02", "question": "Which?", "answer_type": "multiple_choice",
    "options": [{"id": "opt1", "label": "Red"}, {"id": "opt2", "label": "Green"}],
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty data folder."""
    return Home(tmp_path)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1", {"selected": ["opt1"]}),
        ("2, 1", {"selected": ["opt2", "opt1"]}),
        ("green", {"selected": ["opt2"]}),
        ("opt1", {"selected": ["opt1"]}),
        ("1 or 2", {"text": "1 or 2"}),
        ("3", {"text": "3"}),
    ],
)
def test_options_are_named_by_number_by_label_or_by_id(said: str, meant: object) -> None:
    assert understood(CHOICE, said) == meant


def test_without_options_a_number_is_an_answer_in_words() -> None:
    assert understood({"id": "Q1", "answer_type": "free_text"}, "1") == {"text": "1"}


def test_answers_come_in_options(home: Home) -> None:
    given = brought(home, "answer_batch")
    ticket, question = given["ticket_id"], given["question_id"]

    said = home.ask("ticket", "answer", ticket, "--say", f"{question}=No, nothing.")

    assert (said.code, "1 answered" in said.out) == (0, True), said


def test_answers_come_in_a_file_and_those_that_do_not_fit_are_told_by_place(home: Home) -> None:
    given = brought(home, "answer_batch")
    ticket, question = given["ticket_id"], given["question_id"]
    file = home.folder / "answers.yaml"
    file.write_text(f"{question}: {{selected: [red]}}\nQ99: what?\n", encoding="utf-8")

    no = home.ask("ticket", "answer", ticket, str(file))

    assert no.code == 2
    assert "ANSWER_INVALID This does not fit:" in no.err
    assert f"$.answers.{question}.selected_option_ids[0]  expected nothing" in no.err
    assert "$.answers.Q99  expected one of" in no.err
    file.write_text(f"{question}: Nothing else.\n", encoding="utf-8")
    assert home.ask("ticket", "answer", ticket, str(file)).code == 0


def test_at_a_terminal_each_question_is_asked(home: Home) -> None:
    given = brought(home, "answer_batch")

    with (
        patch("sys.stdin.isatty", return_value=True),
        patch("typer.prompt", return_value="  ") as prompt,
    ):
        said = home.ask("ticket", "answer", given["ticket_id"])

    assert prompt.call_count == 1
    assert f"1/1 {given['question_id']}" in said.out
    assert "in your words; empty skips it" in said.out
    assert "0 answered, 1 skipped" in said.out


def test_without_a_terminal_and_without_answers_that_is_said(home: Home) -> None:
    given = brought(home, "answer_batch")

    no = home.ask("ticket", "answer", given["ticket_id"])

    assert (no.code, "--say Q01=WORDS" in no.err) == (2, True)
    assert home.ask("ticket", "answer", given["ticket_id"], "--say", "words").code == 2


def test_where_nothing_is_asked_that_is_said(home: Home) -> None:
    given = brought(home, "start")

    no = home.ask("ticket", "answer", given["ticket_id"], "--say", "Q01=x")

    assert "No question waits: the ticket is DRAFT." in no.err


def test_one_question_or_all_are_left_to_the_council(home: Home) -> None:
    given = brought(home, "skip_question")

    one = home.ask("ticket", "skip", given["ticket_id"], given["question_id"], "-m", "who knows")
    rest = home.ask("ticket", "skip-all", given["ticket_id"])

    assert f"{given['question_id']} is left to the council" in one.out
    assert "the interview is over: WAITING_INTERVIEW_APPROVAL" in rest.out


def test_an_earlier_answer_is_corrected(home: Home) -> None:
    given = brought(home, "edit_answer")

    said = home.ask("ticket", "correct", given["ticket_id"], "Q01", "--say", "Otherwise.")

    assert (said.code, "Q01 is changed" in said.out) == (0, True), said
