"""The blueprint: beads with ids, references and tests of their own."""

import pytest

from interlock.ticketing.answer import AnswerInvalid
from interlock.ticketing.blueprint import document, revised
from interlock.ticketing.canonical import read, write
from interlock.ticketing.checked import Json, rows
from tests.ticketing.papers import BEADS, DIGEST, REFERENCES, a_bead

BLUEPRINT = document(BEADS, "ticket-1", DIGEST, REFERENCES)


def test_a_blueprint_becomes_a_document_of_a_fixed_form() -> None:
    assert list(BLUEPRINT) == ["schema_version", "ticket_id", "artifact", "source_prd", "beads"]
    assert BLUEPRINT["source_prd"] == {"content_sha256": DIGEST}
    assert rows(BLUEPRINT, "beads")[0] == a_bead("schema")
    assert read(write(BLUEPRINT)) == BLUEPRINT


def test_references_are_written_in_one_way() -> None:
    found = document([a_bead("x", prd_refs=["us-1-2", "EPIC-1"])], "ticket-1", DIGEST, REFERENCES)

    assert rows(found, "beads")[0]["prd_refs"] == ["US-1-2", "EPIC-1"]


@pytest.mark.parametrize(
    ("beads", "path"),
    [
        ([], "$.beads"),
        ([a_bead("x"), a_bead("x")], "$.beads[1].id"),
        ([a_bead("Not Kebab")], "$.beads[0].id"),
        ([a_bead("x", prd_refs=["US-9-9"])], "$.beads[0].prd_refs[0]"),
        ([a_bead("x", prd_refs=[])], "$.beads[0].prd_refs"),
        ([a_bead("x", tests=[])], "$.beads[0].tests"),
        ([a_bead("x", test_commands=[])], "$.beads[0].test_commands"),
        ([a_bead("x", acceptance_criteria=[])], "$.beads[0].acceptance_criteria"),
        ([a_bead("x", blocked_by=[])], "$.beads[0].blocked_by"),
        ([a_bead(f"x{n}") for n in range(501)], "$.beads"),
        ("none", "$.beads"),
    ],
    ids=["none", "twice", "id", "reference", "no reference", "tests", "commands", "criteria", "field", "many", "text"],
)  # fmt: skip
def test_a_blueprint_that_does_not_fit_is_refused_by_place(beads: object, path: str) -> None:
    with pytest.raises(AnswerInvalid) as caught:
        document(beads, "ticket-1", DIGEST, REFERENCES)

    assert [one.path for one in caught.value.wrong] == [path]


def test_five_hundred_beads_are_taken() -> None:
    found = document([a_bead(f"x{n}") for n in range(500)], "ticket-1", DIGEST, REFERENCES)

    assert len(rows(found, "beads")) == 500


def test_a_revision_tells_what_changed() -> None:
    new = [a_bead("form"), a_bead("schema", title="Make it well"), a_bead("logging")]
    declared: list[Json] = [
        {"type": "modified", "item": "schema", "inspiration": {"draft": "Draft 1", "item": "db"}},
        {"type": "modified", "item": "form"},
    ]

    found = revised(new, declared, BLUEPRINT, {"Draft 1": {"db"}}, REFERENCES)
    assert [(one.type, one.item, one.attribution, one.is_declared) for one in found.changes] == [
        ("modified", "schema", "inspired", True),
        ("added", "logging", "unattributed", False),
        ("removed", "page", "unattributed", False),
    ]
    assert found.warnings == ("$.changes[1]: form modified was declared but not made",)
    assert [row["id"] for row in rows(found.document, "beads")] == ["form", "schema", "logging"]
