"""Documents that become longer, shorter, or come in another order."""

from typing import Any

from interlock.doors.web.ticket.shaping import acts_of, adds_of, is_order, named, shaped
from interlock.ticketing import prd
from tests.tickets import bead
from tests.tickets import prd as new_prd

PRD: dict[str, Any] = {
    "epics": [
        {"id": "EPIC-1", "title": "One", "user_stories": [{"id": "US-1-1", "title": "Buy"}]},
        {"id": "EPIC-2", "title": "Two", "user_stories": []},
    ],
    "risks": ["worms"],
}
BEADS: dict[str, Any] = {
    "beads": [
        {"id": "sell", "title": "Sell", "blocked_by": []},
        {"id": "count", "title": "Count", "blocked_by": ["sell"]},
    ]
}


def titles(document: dict[str, Any]) -> list[str]:
    return [epic["title"] for epic in document["epics"]]


def test_what_can_be_done_follows_from_where_something_stands() -> None:
    first, second = acts_of(PRD, ("epics", 0)), acts_of(PRD, ("epics", 1))
    assert [act.word for act in first] == ["Down", "Remove", "Add a story"]
    assert [act.word for act in second] == ["Up", "Remove", "Add a story"]
    assert [act.about for act in second] == ["epic 2", "epic 2", "to epic 2"]
    assert second[2].order == "add $.epics[1].user_stories"
    assert [act.word for act in acts_of(PRD, ("epics", 0, "user_stories", 0))] == ["Remove"]

    assert acts_of(PRD, ("risks",)) == acts_of({"questions": [{}]}, ("questions", 0)) == ()
    assert [(act.order, act.word) for act in adds_of(PRD)] == [("add $.epics", "Add an epic")]
    assert [act.word for act in adds_of(BEADS)] == ["Add a bead"]


def test_entries_are_added_removed_and_moved_and_nothing_else_changes() -> None:
    moved = shaped(PRD, "up $.epics[1]")
    assert (titles(moved.document), moved.at) == (["Two", "One"], "$.epics[0]")
    assert moved.said == "epic 2 is epic 1 now"
    assert shaped(moved.document, "down $.epics[0]").document == PRD

    gone = shaped(PRD, "remove $.epics[1]")
    assert (titles(gone.document), gone.at) == (["One"], "$.epics[0]")
    none = shaped(gone.document, "remove $.epics[0]")
    assert (none.document["epics"], none.at) == ([], "$.epics")

    more = shaped(PRD, "add $.epics[1].user_stories")
    assert (more.at, more.said) == ("$.epics[1].user_stories[0]", "story 1 was added")
    assert more.document["epics"][1]["user_stories"][0]["title"] == ""
    assert PRD["epics"][1]["user_stories"] == []


def test_an_order_about_a_place_that_is_not_there_changes_nothing() -> None:
    for order in ("up $.epics[0]", "down $.epics[1]", "remove $.epics[7]", "add $.risks", "lay $",
                  "remove $.risks[0]", "nonsense"):  # fmt: skip
        assert shaped(PRD, order) == (PRD, "", "", "", ""), order
    assert is_order("lay $")
    assert not is_order("save")


def test_nothing_waits_for_a_bead_that_is_gone() -> None:
    after = shaped(BEADS, "remove $.beads[0]").document

    assert after == {"beads": [{"id": "count", "title": "Count", "blocked_by": []}]}


def test_a_new_bead_is_named_after_what_it_is_called() -> None:
    document = {
        "beads": [
            bead("sell-apples"), {"id": "", "title": "Sell apples!"}, {"id": "", "title": " "},
            {"id": "", "title": "Größe x" * 40}, "no bead",
        ]
    }  # fmt: skip
    names = [one["id"] for one in named(document)["beads"][:4]]

    assert names[:3] == ["sell-apples", "sell-apples-2", "new-bead"]
    assert len(names[3]) <= 60
    assert named(PRD) == PRD


def test_a_new_epic_is_what_a_prd_takes_once_it_is_filled_in() -> None:
    before = prd.document(new_prd(), "ticket-1", "0" * 64)
    after = shaped(before, "add $.epics").document
    epic = after["epics"][1]
    epic |= {"title": "Pears", "objective": "Sell pears."}
    epic["user_stories"][0] |= {"title": "Buy a pear", "acceptance_criteria": ["It is there."]}

    saved: Any = prd.edited(before, after)
    assert [one["id"] for one in saved["epics"]] == ["EPIC-1", "EPIC-2"]
    assert saved["epics"][1]["user_stories"][0]["id"] == "US-2-1"


def test_steps_and_probes_of_a_setup_come_and_go_and_are_named() -> None:
    plan: dict[str, Any] = {"steps": [], "probes": [{"id": "x", "command": "x", "purpose": ""}]}
    assert [act.word for act in adds_of(plan)] == ["Add a step", "Add a probe"]
    longer = shaped(shaped(plan, "add $.steps").document, "add $.probes")
    longer.document["steps"][0]["title"] = "Make a place"
    longer.document["probes"][1]["command"] = "pytest --version"
    found = named(longer.document)

    assert found["steps"][0]["id"] == "make-a-place"
    assert found["steps"][0]["required"] is True
    assert [one["id"] for one in found["probes"]] == ["x", "pytest-version"]
    assert shaped(found, "remove $.probes[0]").document["probes"][0]["id"] == "pytest-version"
    assert named({"steps": [{"title": ""}]})["steps"][0]["id"] == "new-step"
