"""What went wrong with a ticket: each occurrence with its code, members and end."""

from interlock.doors.web.ticket.book import read_book
from interlock.doors.web.ticket.trouble import occurrences
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import blocked, guest_of
from tests.stage import PAT, Stage, staged
from tests.tickets import NAMES, claim, phase_of


async def _again(stage: Stage) -> str:
    """Return a ticket that was blocked, retried and blocked again."""
    name = await blocked(stage)
    await stage.call("retry", PAT, ticket_id=name, note="There is credit now.")
    for member in NAMES[1:]:
        part = await claim(stage, name, member)
        lease = part["lease"]["token"]
        await stage.call("fail_work", part_id=part["part_id"], lease=lease, reason="asleep")
    assert await phase_of(stage, name) == "BLOCKED_ERROR"
    return name


@staged
async def test_every_occurrence_is_told_the_last_one_first(stage: Stage) -> None:
    guest, name = await guest_of(stage), await _again(stage)
    book = await read_book(guest, name)
    second, first = occurrences(book, book.named(None))

    assert (second.number, second.code, second.previous) == (
        2, "QUORUM_NOT_MET", "Council Drafting Questions",
    )  # fmt: skip
    assert [seat.chip.label for seat in second.seats] == ["Withdrawn", "Failed", "Failed"]
    assert (first.number, first.way, second.way) == (1, "retry", "")
    assert "ann has no credit left" in first.seats[0].message
    assert occurrences(book, book.named(first.attempt)) == (first,)


@staged
async def test_a_person_retries_with_a_note_and_sees_what_was_before(stage: Stage) -> None:
    name = await _again(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    assert "What went wrong: occurrence 2" in browser.text
    assert 'id="occurrence-1"' in browser.text
    assert f"/units/{name}/act/cancel" in browser.text
    await browser.send(note="Try once more.")

    assert await phase_of(stage, name) == "COUNCIL_DELIBERATING"
    assert (await stage.whole(name)).row.unit.fields["note"] == "Try once more."
