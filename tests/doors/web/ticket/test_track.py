"""The way of a ticket: what is done, where it stands, what is to come."""

from interlock.doors.web.ticket.book import Attempt
from interlock.doors.web.ticket.track import track
from interlock.workflows.ticket.phases import BY_NAME, GROUPS, PHASES


def _attempts(*phases: str) -> tuple[Attempt, ...]:
    return tuple(
        Attempt(
            number, name, BY_NAME[name].label, BY_NAME[name].group, 1, number, number, 0, 0, ""
        )._replace(last=None if number == len(phases) else number)
        for number, name in enumerate(phases, 1)
    )


def _states(*phases: str) -> dict[str, str]:
    return {group.name: group.state for group in track(_attempts(*phases), {})}


def test_ten_groups_hold_every_phase_of_the_inventory_once() -> None:
    groups = track(_attempts("DRAFT"), {})

    assert [group.label for group in groups] == list(GROUPS.values())
    assert len(groups) == 10
    assert sum(len(group.stops) for group in groups) == len(PHASES)
    assert groups[0].state == "now"
    assert {group.state for group in groups[1:]} == {"to come"}


def test_what_lies_behind_is_done_and_leads_to_its_last_attempt() -> None:
    way = ("DRAFT", "SCANNING_RELEVANT_FILES", "COUNCIL_DELIBERATING")
    states = _states(*way)
    assert (states["todo"], states["discovery"], states["interview"]) == ("done", "done", "now")
    groups = {group.name: group for group in track(_attempts(*way), {})}

    found = groups["discovery"].link
    assert found is not None
    assert found.number == 2
    assert groups["prd"].link is None


def test_a_blocked_ticket_has_stopped_where_it_was() -> None:
    states = _states("DRAFT", "SCANNING_RELEVANT_FILES", "BLOCKED_ERROR")

    assert (states["discovery"], states["errors"]) == ("trouble", "trouble")
    assert states["todo"] == "done"
    again = _states("DRAFT", "SCANNING_RELEVANT_FILES", "BLOCKED_ERROR", "SCANNING_RELEVANT_FILES")
    assert (again["discovery"], again["errors"]) == ("now", "to come")


def test_one_that_was_given_up_has_not_gone_the_rest_of_the_way() -> None:
    states = _states("DRAFT", "SCANNING_RELEVANT_FILES", "CANCELED")

    assert (states["todo"], states["prd"], states["done"]) == ("done", "to come", "now")


def test_the_current_phase_is_told_in_its_own_words() -> None:
    (group,) = (
        one
        for one in track(_attempts("DRAFT", "BLOCKED_ERROR"), {"BLOCKED_ERROR": "Error (NO_DISK)"})
        if one.name == "errors"
    )

    assert group.stops[0].label == "Error (NO_DISK)"
