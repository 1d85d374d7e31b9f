"""Whole answers about PRD and blueprint: documents come out, or every mistake by its path."""

import pytest

from interlock.ticketing import blueprint
from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.coverage import Turn
from interlock.ticketing.full_answers import skipped
from interlock.ticketing.interview_document import document
from interlock.ticketing.taken import (
    Origin,
    beads_audit,
    beads_draft,
    beads_refine,
    prd_audit,
    prd_draft,
    prd_refine,
)
from tests.ticketing.papers import (
    BEADS,
    DIGEST,
    EXPANSION,
    PRD,
    REFERENCES,
    a_bead,
    a_prd,
    an_entry,
)
from tests.ticketing.talks import AT, a_whole_talk, words

TALK = document(a_whole_talk(), "ticket-1", "ada")
ORIGIN = Origin("ticket-1", DIGEST)
BLUEPRINT = blueprint.document(BEADS, "ticket-1", DIGEST, REFERENCES)
FILL: Json = {"id": "Q04", "answer": words("Low.")}
GAPS: Json = {"status": "gaps", "gaps": ["Errors are missing."]}
CLEAN: Json = {"status": "clean", "gaps": []}
FIRST, LAST = Turn(1, 5), Turn(5, 5)


def test_a_draft_of_the_prd_brings_the_full_answers_along() -> None:
    found = prd_draft({"full_answers": [FILL], "prd": a_prd()}, TALK, ORIGIN, AT)

    assert skipped(found.full_answers) == ()
    assert found.prd["source_interview"] == {"content_sha256": DIGEST}


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({"full_answers": [], "prd": a_prd()}, "$.full_answers"),
        ({"full_answers": [FILL], "prd": a_prd(epics=[])}, "$.prd.epics"),
        ({"prd": a_prd()}, "$.full_answers"),
        ({"full_answers": [FILL]}, "$.prd"),
        ({"full_answers": [{"id": "Q04"}], "prd": a_prd()}, "$.full_answers[0].answer"),
    ],
)
def test_mistakes_of_a_draft_are_told_by_their_path(answer: Json, path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        prd_draft(answer, TALK, ORIGIN, AT)

    assert [one.path for one in caught.value.wrong] == [path]


def test_a_refinement_of_the_prd_is_compared_with_the_draft() -> None:
    answer = {"prd": {**a_prd(risks=["Many."]), "epics": PRD["epics"]}, "changes": []}

    found = prd_refine(answer, PRD, {})
    assert [(one.item, one.is_declared) for one in found.changes] == [("risks", False)]
    with pytest.raises(AnswerInvalid, match=r"\$\.changes"):
        prd_refine({"prd": answer["prd"]}, PRD, {})


def test_an_audit_of_the_prd_brings_a_revision_or_nothing() -> None:
    revision = {**a_prd(risks=["Errors."]), "epics": PRD["epics"]}

    found = prd_audit({**GAPS, "prd": revision, "changes": []}, PRD, FIRST)
    assert found.verdict.outcome == "GAPS_FOUND"
    assert found.revised is not None
    assert found.revised.document["risks"] == ["Errors."]
    assert prd_audit(CLEAN, PRD, FIRST).revised is None
    assert prd_audit({**GAPS, "prd": revision}, PRD, LAST).revised is None


def test_a_draft_of_the_blueprint_refers_to_the_prd() -> None:
    assert beads_draft({"beads": BEADS}, ORIGIN, REFERENCES) == BLUEPRINT
    with pytest.raises(AnswerInvalid, match=r"\$\.beads\[0\]\.prd_refs\[0\]"):
        beads_draft({"beads": BEADS}, ORIGIN, {"US-9-9"})


def test_a_refinement_of_the_blueprint_is_compared_with_the_draft() -> None:
    answer = {"beads": BEADS[:2], "changes": [{"type": "removed", "item": "page"}]}

    found = beads_refine(answer, BLUEPRINT, {}, REFERENCES)
    assert [(one.type, one.item, one.is_declared) for one in found.changes] == [
        ("removed", "page", True)
    ]


@pytest.mark.parametrize(("result", "turn"), [(CLEAN, FIRST), (CLEAN, LAST), (GAPS, LAST)])
def test_an_audit_that_ends_the_blueprint_brings_the_beads(result: Json, turn: Turn) -> None:
    found = beads_audit({**result, "expansion": EXPANSION}, BLUEPRINT, turn, REFERENCES)

    assert found.revised is None
    assert found.beads is not None
    assert [row["id"] for row in rows(found.beads, "beads")] == ["schema", "form", "page"]


def test_an_audit_with_gaps_brings_a_revised_blueprint() -> None:
    more = [*BEADS, a_bead("errors")]

    found = beads_audit({**GAPS, "beads": more}, BLUEPRINT, FIRST, REFERENCES)
    assert found.beads is None
    assert found.revised is not None
    assert [one.item for one in found.revised.changes] == ["errors"]


def test_an_expansion_of_something_else_is_refused() -> None:
    with pytest.raises(AnswerInvalid) as caught:
        beads_audit({**CLEAN, "expansion": [an_entry("schema")]}, BLUEPRINT, FIRST, REFERENCES)

    assert [one.path for one in caught.value.wrong] == ["$.expansion"]
