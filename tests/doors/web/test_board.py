"""The board: where work stands, by workflow, filtered, searched, page by page."""

import re

from interlock.doors.web.board import SHOWN, progress
from interlock.workflows.built_in import WORKFLOWS
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import coding
from tests.service.test_links import _gate
from tests.stage import Stage, staged


@staged
async def test_work_stands_in_the_column_it_belongs_to(stage: Stage) -> None:
    gate = await _gate(stage)
    waiting = await stage.plan(1, name="A plan to begin")
    begun = await stage.plan(1, name="Begun")
    await stage.claim(begun)
    browser = await entered(stage)
    await browser.get("/board")

    columns = dict(zip(("todo", "doing", "needs_you", "done"),
                       browser.text.split('<section id="column-')[1:], strict=True))  # fmt: skip
    assert f'href="/units/{waiting}"' in columns["todo"]
    assert f'href="/units/{begun}"' in columns["doing"]
    assert f'href="/units/{gate.unit}"' in columns["needs_you"]
    assert "Nothing has ended yet." in columns["done"]
    assert "3 open" in browser.text


@staged
async def test_it_is_searched_and_filtered_and_says_when_nothing_fits(stage: Stage) -> None:
    found = await stage.plan(1, name="Needle 100%", tags=("red",))
    other = await stage.plan(1, name="Hay")
    browser = await entered(stage)
    for query in ("q=needle", "q=100%25", "tag=red", f"q={found}"):
        await browser.get(f"/board/plan?{query}")
        assert (f'href="/units/{found}"' in browser.text, other in browser.text) == (True, False)
    await browser.get("/board/ticket")
    assert found not in browser.text
    await browser.get("/board?q=nothing-like-it")

    assert browser.text.count("Nothing fits.") == 4
    await browser.get("/board/nothing")
    assert browser.status == 404


@staged
async def test_a_column_alone_goes_on_from_page_to_page(stage: Stage) -> None:
    names = [await stage.plan(1, name=f"n{number}") for number in range(SHOWN + 1)]
    browser = await entered(stage)
    await browser.get("/board")
    first = set(re.findall(r'href="/units/([^"]+)"', browser.text))
    link = browser.text.partition('<a class="btn" href="?')[2].partition('"')[0]
    await browser.get(f"/board?{link.replace('&amp;', '&')}")

    rest = set(re.findall(r'href="/units/([^"]+)"', browser.text))
    assert (len(first), len(rest), first | rest) == (SHOWN, 1, set(names))
    await browser.get("/board?after=1.x")
    assert browser.status == 422


def test_progress_counts_what_work_is_handed_out_by() -> None:
    tally = {"step": {"completed": 2, "skipped": 1, "failed": 1, "pending": 4}}

    assert progress(WORKFLOWS["plan"], tally) == (3, 1, 8)
    assert progress(WORKFLOWS["plan"], {}) is None


@staged
async def test_a_ticket_that_is_built_says_how_many_beads_are_done(stage: Stage) -> None:
    await coding(stage)
    browser = await entered(stage)
    await browser.get("/board/ticket")

    assert "Implementing (Bead 1/2)" in browser.text
