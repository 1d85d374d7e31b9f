"""A document field by field, and put back."""

from interlock.doors.web.ticket.leaves import branches, filled

DOCUMENT = {
    "artifact": "prd",
    "product": {"problem_statement": "No apples.", "target_users": ["people", "shops"]},
    "epics": [
        {"id": "EPIC-1", "title": "Sell", "user_stories": [{"id": "US-1-1", "title": "Buy"}]},
        {"id": "EPIC-2", "title": "Count", "user_stories": []},
    ],
    "notes": ["one\ntwo", "three"],
    "priority": 3,
}


def test_fields_belong_to_what_they_are_part_of_and_what_is_ours_is_none() -> None:
    found = {branch.label: [leaf.label for leaf in branch.leaves] for branch in branches(DOCUMENT)}

    assert found == {
        "Product": ["Problem statement", "Target users"],
        "Epics 1": ["Title"],
        "Epics 1, user stories 1": ["Title"],
        "Epics 2": ["Title"],
        "Notes 1": ["Notes 1"],
        "Notes 2": ["Notes 2"],
    }
    (product, epic, *_) = branches(DOCUMENT)
    assert (product.at, product.acts) == ("$.product", ())
    assert (epic.at, [act.word for act in epic.acts]) == (
        "$.epics[0]", ["Down", "Remove", "Add a story"],
    )  # fmt: skip
    statement, users = product.leaves
    assert (users.name, users.text, users.is_list) == (
        "at:$.product.target_users", "people\nshops", True,
    )  # fmt: skip
    assert (statement.is_line, statement.is_list) == (False, False)


def test_what_is_written_is_put_back_in_its_place_and_nothing_else_changes() -> None:
    form = {
        "at:$.product.target_users": " shops \r\n\r\nfarms",
        "at:$.epics[0].user_stories[0].title": "Buy two",
        "at:$.epics[0].id": "EPIC-9",
        "at:$.notes[0]": "one\r\ntwo and a half",
        "at:$.nowhere": "x",
    }
    after = filled(DOCUMENT, form)

    assert after == {
        **DOCUMENT,
        "product": {"problem_statement": "No apples.", "target_users": ["shops", "farms"]},
        "epics": [
            {
                "id": "EPIC-1",
                "title": "Sell",
                "user_stories": [{"id": "US-1-1", "title": "Buy two"}],
            },
            DOCUMENT["epics"][1],  # type: ignore[index]  # a list
        ],
        "notes": ["one\ntwo and a half", "three"],
    }
    assert filled(DOCUMENT, {}) == DOCUMENT
