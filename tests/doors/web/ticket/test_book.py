"""The book of a ticket: attempts, and how it stood in each."""

from dataclasses import replace

import pytest

from interlock.doors.web.ticket.book import read_book
from interlock.doors.web.ticket.trouble import occurrences
from interlock.service.errors import CorruptState, NotFound
from interlock.service.read import read_unit
from tests.doors.web.ticket.scenes import asking, blocked, guest_of
from tests.stage import PAT, Stage, staged


@staged
async def test_each_time_in_a_phase_is_an_attempt_and_stands_as_it_was_left(stage: Stage) -> None:
    guest, name = await guest_of(stage), await asking(stage)
    book = await read_book(guest, name)
    drafting, voting, refining = book.attempts[2:5]

    assert [one.phase for one in book.attempts] == [
        "DRAFT", "SCANNING_RELEVANT_FILES", "COUNCIL_DELIBERATING", "COUNCIL_VOTING_INTERVIEW",
        "COMPILING_INTERVIEW", "WAITING_INTERVIEW_ANSWERS",
    ]  # fmt: skip
    assert book.named(None).is_current
    assert book.stood(drafting).unit.status == drafting.phase
    assert all(part.status == "submitted" for part in book.stood(voting).parts)
    # What the winner wrote is there only once the commit is done that leaves its phase.
    assert "session" not in (book.stood(refining).unit.fields["documents"] or {})  # type: ignore[operator]  # by name
    assert "session" in book.after(refining)["documents"]  # type: ignore[operator]  # by name
    assert book.latest(("COUNCIL_VOTING_INTERVIEW",), drafting) is None
    assert book.latest(("COUNCIL_DELIBERATING",), refining) == drafting
    assert book.latest(("COUNCIL_DELIBERATING",), refining, drafting.number) is None


@staged
async def test_the_past_ends_where_it_is_asked_to_and_unknown_attempts_are_none(
    stage: Stage,
) -> None:
    guest, name = await guest_of(stage), await blocked(stage)
    await stage.call("retry", PAT, ticket_id=name)
    book = await read_book(guest, name)
    again = book.attempts[-1]

    assert (again.phase, again.time) == ("COUNCIL_DELIBERATING", 2)
    assert (book.attempts[-2].label, book.attempts[-2].by) == ("Error", "RETRY")
    earlier = await read_book(guest, name, 6)
    assert [one.phase for one in earlier.attempts] == ["DRAFT", "SCANNING_RELEVANT_FILES"]
    assert earlier.named(None).is_current
    for number in (0, len(book.attempts) + 1):
        with pytest.raises(NotFound):
            book.named(number)


@staged
async def test_of_a_damaged_past_the_present_is_still_told(stage: Stage) -> None:
    guest, name = await guest_of(stage), await blocked(stage)
    whole = await read_book(
        guest, name, live=(await read_unit(stage.engine, "home", name)).snapshot
    )
    torn = whole.rows[3]._replace(link=whole.rows[3].link._replace(body="no entry"))
    book = replace(whole, rows=[*whole.rows[:3], torn, *whole.rows[4:]])

    with pytest.raises(CorruptState):
        book.stood(book.attempts[1])
    assert book.stood(book.named(None)).unit.status == "BLOCKED_ERROR"
    (only,) = occurrences(book, book.named(None))
    assert only.code == "QUORUM_NOT_MET"
    assert occurrences(replace(book, live=None), book.named(None)) == ()
