"""The council on a page: drafts, votes once they are over, winner and why, changes, coverage."""

from typing import Any

from interlock.doors.web.ticket.book import read_book
from interlock.doors.web.ticket.council import Council, council_of, read_document, shelf_of
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import approving, asking, drafting, guest_of, voting
from tests.stage import Stage, staged
from tests.tickets import NAMES, claim, vote, work
from tests.tickets import answer as hand_in


async def _council(stage: Stage, name: str, number: int | None = None) -> Council:
    guest = await guest_of(stage)
    book = await read_book(guest, name)
    found = await council_of(book, await shelf_of(guest, name), book.named(number))
    assert found is not None
    return found


@staged
async def test_votes_are_shown_only_once_the_vote_is_over(stage: Stage) -> None:
    name = await voting(stage)
    part = await claim(stage, name, "ann")
    await hand_in(stage, part, vote(part["task"], [20, 0, 0]))
    found = await _council(stage, name)

    assert found.vote is None
    assert [seat.chip.label for seat in found.voters] == ["Answered", "Not begun", "Not begun"]
    browser = await entered(stage, "olga")
    await browser.get(f"/units/{name}")
    assert 'id="votes"' not in browser.text
    assert 'id="voting"' in browser.text
    assert "totals" not in browser.text.lower()


@staged
async def test_points_are_a_table_with_sums_and_the_winner_has_most(stage: Stage) -> None:
    name = await asking(stage)
    found = await _council(stage, name)
    assert found.vote is not None
    best = max(found.vote.totals)

    assert found.vote.drafts == NAMES
    assert [ballot.voter for ballot in found.vote.ballots] == list(NAMES)
    assert found.vote.totals == tuple(
        sum(ballot.cells[place].points or 0 for ballot in found.vote.ballots) for place in range(3)
    )
    assert found.vote.winner == NAMES[found.vote.totals.index(best)] == found.winner
    assert {cell.heat for ballot in found.vote.ballots for cell in ballot.cells} >= {0, 5}
    assert [seat.name for seat in found.seats if seat.is_winner] == [found.winner]


@staged
async def test_of_equal_sums_the_first_wins_and_the_page_says_so(stage: Stage) -> None:
    name = await approving(stage, "prd")
    found = await _council(stage, name)
    assert found.vote is not None
    assert (found.vote.is_tie, found.vote.winner, found.domain) == (True, "ann", "prd")
    browser = await entered(stage, "olga")
    await browser.get(f"/units/{name}")

    assert "of equal ones the first in the council wins" in browser.text
    assert found.coverage is not None
    assert found.coverage["audits_max"] == 5
    assert "Check 1 of at most 5" in browser.text


@staged
async def test_a_change_names_the_member_whose_idea_it_was(stage: Stage) -> None:
    name = await asking(stage)
    found = await _council(stage, name)
    (change,) = found.changes or ()
    others = [one for one in NAMES if one != found.winner]

    assert (change.kind, change.item, change.whose, change.item_there) == (
        "added", "Q04", others[0], "Q03",
    )  # fmt: skip
    earlier = await _council(stage, name, 4)
    assert earlier.changes is None
    assert earlier.vote is not None
    assert [seat.draft is not None for seat in earlier.seats] == [True] * 3


@staged
async def test_members_who_failed_are_shown_with_why_and_how_often_they_were_refused(
    stage: Stage,
) -> None:
    name = await drafting(stage)
    part = await claim(stage, name, "ann")
    lease = part["lease"]["token"]
    said: dict[str, Any] = {"part_id": part["part_id"], "lease": lease}
    await stage.refused("submit_work", **said, answer={"questions": "none"})
    ben = await claim(stage, name, "ben")
    token = ben["lease"]["token"]
    await stage.call("fail_work", part_id=ben["part_id"], lease=token, reason="timed_out: too slow")
    seats = (await _council(stage, name)).seats

    assert [(seat.chip.label, seat.rejected) for seat in seats] == [
        ("At work", 1), ("Out of time", 0), ("Not begun", 0),
    ]  # fmt: skip
    assert "too slow" in seats[1].message
    assert seats[0].model == "scripted ann-1"


@staged
async def test_before_the_council_the_files_that_matter_are_shown(stage: Stage) -> None:
    name = await drafting(stage)
    found = await _council(stage, name, 2)

    assert found.files is not None
    assert [one["path"] for one in found.files["files"]] == ["shop.py"]  # type: ignore[attr-defined]  # rows
    assert [seat.name for seat in found.others] == ["ann"]


@staged
async def test_a_council_of_one_has_no_vote(stage: Stage) -> None:
    name = await drafting(stage, members=("solo",))
    await work(stage, name)
    found = await _council(stage, name)

    assert (found.vote, found.winner) == (None, "solo")


def test_what_cannot_be_read_is_no_document() -> None:
    assert read_document("") is None
    assert read_document("{no json") is None
    assert read_document("a: [b") is None
    assert read_document("a: b") == {"a": "b"}
    assert read_document('{"a": 1}') == {"a": 1}
