"""The logs of a ticket: the last lines, by member, followed while somebody works."""

from interlock.doors.web.ticket import logs
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import drafting
from tests.stage import Stage, staged
from tests.tickets import claim


async def _tell(stage: Stage, part: dict[str, object], *texts: str) -> None:
    lease = part["lease"]["token"]  # type: ignore[index]  # as it was handed out
    lines = [{"at": 5, "stream": "out", "text": text} for text in texts]
    await stage.call("append_log", part_id=part["part_id"], lease=lease, lines=lines)


@staged
async def test_lines_are_shown_by_member_and_harmless(stage: Stage) -> None:
    name = await drafting(stage)
    for member in ("ann", "ben"):
        part = await claim(stage, name, member)
        await _tell(stage, part, f"{member} reads", "<script>\u202e")
    browser = await entered(stage)
    await browser.get(f"/units/{name}/logs")
    assert "ann reads" in browser.text
    assert "ben reads" in browser.text
    assert "&lt;script&gt;" in browser.text
    assert "⟨U+202E⟩" in browser.text
    assert f'data-watch="{logs.AGAIN_S}"' in browser.text
    await browser.get(f"/units/{name}/logs?member=ben")

    assert "ann reads" not in browser.text
    assert "ben reads" in browser.text


@staged
async def test_of_many_lines_the_last_are_shown(stage: Stage) -> None:
    name = await drafting(stage)
    part = await claim(stage, name, "ann")
    for start in range(0, 1_200, 400):
        await _tell(stage, part, *(f"line {number}." for number in range(start, start + 400)))
    browser = await entered(stage)
    await browser.get(f"/units/{name}/logs")

    assert "The last 500 of 1200 lines." in browser.text
    assert "line 1199." in browser.text
    assert "line 700." in browser.text
    assert "line 699." not in browser.text


@staged
async def test_without_lines_the_page_says_where_they_come_from(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get(f"/units/{await drafting(stage)}/logs")

    assert "Nothing was told yet." in browser.text
    assert "interlock worker --agents" in browser.text
    assert "data-watch" not in browser.text
