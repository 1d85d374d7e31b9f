"""The setup plan: a document of ours from what a model drafts or a person edits."""

import pytest

from interlock.ticketing import canonical
from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.execution.setup_plan import document, edited, needed
from tests.ticketing.execution.told import setup_plan


def test_a_draft_becomes_a_document_that_reads_back_as_it_is() -> None:
    made = document(setup_plan(), "ticket-1")

    assert (made["schema_version"], made["ticket_id"]) == (1, "ticket-1")
    assert canonical.read(canonical.write(made)) == made
    assert edited(made, made) == made


def test_an_edit_cannot_change_whose_it_is() -> None:
    made = document(setup_plan(), "ticket-1")

    assert edited(made, {**made, "ticket_id": "ticket-2"})["ticket_id"] == "ticket-1"


def test_no_steps_are_fine() -> None:
    assert needed(document(setup_plan(steps=[], probes=[]), "t")) == ()


def test_what_is_needed_is_what_is_required_and_then_the_probes() -> None:
    assert needed(setup_plan()) == ("pip install .", "python -c 'import shop'")


def test_an_id_is_there_once() -> None:
    step = setup_plan()["steps"][0]
    with pytest.raises(AnswerInvalid) as no:
        document(setup_plan(steps=[step, step]), "t")

    assert no.value.wrong[0].path == "$.steps[1].id"
