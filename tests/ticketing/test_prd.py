"""The PRD: its ids are ours, its contents are checked, its changes are computed."""

from copy import deepcopy

import pytest

from interlock.ticketing.answer import AnswerInvalid, wrong_with
from interlock.ticketing.canonical import read, write
from interlock.ticketing.checked import Json, rows
from interlock.ticketing.prd import DOCUMENT, document, edited, items, references, revised
from tests.ticketing.papers import DIGEST, PRD, a_prd, a_story, an_epic


def ids(found: Json) -> list[str]:
    """Return the ids of a PRD as they stand, stories after their epic."""
    return [
        str(row["id"])
        for epic in rows(found, "epics")
        for row in (epic, *rows(epic, "user_stories"))
    ]


def test_a_prd_becomes_a_document_of_a_fixed_form() -> None:
    found = document(a_prd(), "ticket-1", DIGEST)

    assert list(found) == [
        "schema_version", "ticket_id", "artifact", "source_interview", "product", "scope",
        "technical_requirements", "epics", "risks",
    ]  # fmt: skip
    assert found["source_interview"] == {"content_sha256": DIGEST}
    assert found["epics"] == [{
        "id": "EPIC-1", "title": "Login", "objective": "People come in.",
        "implementation_steps": [],
        "user_stories": [{
            "id": "US-1-1", "title": "Log in", "acceptance_criteria": ["It works."],
            "implementation_steps": [], "verification": {"required_commands": []},
        }],
    }]  # fmt: skip
    assert wrong_with(DOCUMENT, found) == ()
    assert read(write(found)) == found


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ([("", ["", ""]), ("", [""])], ["EPIC-1", "US-1-1", "US-1-2", "EPIC-2", "US-2-1"]),
        ([("epic-4", ["us-4-2", ""])], ["EPIC-4", "US-4-2", "US-4-3"]),
        (
            [("EPIC-1", ["US-1-1"]), ("EPIC-1", ["US-1-1"])],
            ["EPIC-1", "US-1-1", "EPIC-2", "US-2-1"],
        ),
        ([("First", ["S1", "US-9-9"])], ["EPIC-1", "US-1-1", "US-9-9"]),
        ([("", [""]), ("EPIC-1", ["US-1-1"])], ["EPIC-2", "US-2-1", "EPIC-1", "US-1-1"]),
    ],
)
def test_ids_are_filled_and_repeated_ones_replaced(
    said: list[tuple[str, list[str]]], given: list[str]
) -> None:
    epics = [
        an_epic(*(a_story(**({"id": one} if one else {})) for one in stories), **({"id": name} if name else {}))
        for name, stories in said
    ]  # fmt: skip

    found = ids(document(a_prd(*epics), "ticket-1", DIGEST))
    assert found == given
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("prd", "path"),
    [
        (a_prd(epics=[]), "$.epics"),
        (a_prd(an_epic(user_stories=[])), "$.epics[0].user_stories"),
        (a_prd(an_epic(a_story(acceptance_criteria=[]))), "$.epics[0].user_stories[0].acceptance_criteria"),
        (a_prd(an_epic(a_story(acceptance_criteria=[" "]))), "$.epics[0].user_stories[0].acceptance_criteria[0]"),
        (a_prd(product={"target_users": ["x"]}), "$.product.problem_statement"),
        (a_prd(technical_requirements={"charm": []}), "$.technical_requirements.charm"),
        (a_prd(status="approved"), "$.status"),
        ({name: value for name, value in a_prd().items() if name != "risks"}, "$.risks"),
        ("a text", "$"),
    ],
)  # fmt: skip
def test_a_prd_that_does_not_fit_is_refused_by_place(prd: object, path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        document(prd, "ticket-1", DIGEST)

    assert path in [one.path for one in caught.value.wrong]


def test_a_revision_keeps_ids_and_tells_what_changed() -> None:
    kept = a_story("Log in", id="us-1-1", acceptance_criteria=["It works.", "It is fast."])
    new = a_prd(an_epic(kept, a_story("Stay in"), id="EPIC-1"))
    declared: list[Json] = [
        {
            "type": "modified",
            "item": "us-1-1",
            "inspiration": {"draft": "Draft 2", "item": "us-1-1"},
        },
        {"type": "added", "item": "US-1-3", "inspiration": {"draft": "Draft 2", "item": "US-7-7"}},
        {"type": "modified", "item": "risks"},
    ]

    found = revised(new, declared, PRD, {"Draft 2": {"US-1-1"}})
    assert ids(found.document) == ["EPIC-1", "US-1-1", "US-1-3"]
    assert [(one.type, one.item, one.attribution, one.is_declared) for one in found.changes] == [
        ("modified", "US-1-1", "inspired", True),
        ("added", "US-1-3", "invalid", True),
        ("removed", "US-1-2", "unattributed", False),
    ]
    assert found.warnings == ("$.changes[2]: risks modified was declared but not made",)
    assert found.document["source_interview"] == {"content_sha256": DIGEST}


def test_the_sections_can_change_and_inspire_too() -> None:
    new = {**a_prd(risks=["Many."]), "epics": PRD["epics"]}
    declared: list[Json] = [
        {"type": "modified", "item": "risks", "inspiration": {"draft": "Draft 1", "item": "risks"}}
    ]

    found = revised(new, declared, PRD, {"Draft 1": set()})
    assert [(one.item, one.attribution) for one in found.changes] == [("risks", "inspired")]


def test_a_person_edits_the_contents_and_not_the_origin() -> None:
    after = {**deepcopy(PRD), "risks": ["New."], "ticket_id": "ticket-9"}
    after["source_interview"] = {"content_sha256": "b" * 64}

    found = edited(PRD, after)
    assert found == {**PRD, "risks": ["New."]}
    assert edited(PRD, PRD) == PRD


def test_an_edit_of_another_form_is_refused() -> None:
    with pytest.raises(AnswerInvalid) as caught:
        edited(PRD, {**PRD, "artifact": "interview", "mood": "good"})

    assert {one.path for one in caught.value.wrong} == {"$.artifact", "$.mood"}


def test_items_and_references_go_by_id() -> None:
    assert references(PRD) == {"EPIC-1", "US-1-1", "US-1-2"}
    assert items(PRD)["US-1-2"]["epic"] == "EPIC-1"
    assert "user_stories" not in items(PRD)["EPIC-1"]
