"""Whatever is stored stays text: nothing of it is executed, fetched, hidden, or slow to show."""

from functools import partial

from tests.browser.corpus import CORPUS
from tests.browser.desk import Desk, browsed
from tests.browser.harm import harmed
from tests.browser.pages import places
from tests.browser.watch import Watch

BUILT = (
    "ticket_setup", "ticket_setup_editor", "ticket_coding", "ticket_stuck", "ticket_review",
    "ticket_delivered", "ticket_net", "units_unit_beads_number", "units_unit_diff",
)  # fmt: skip
"""Pages of tickets that are built, on which the corpus must be seen."""

LARGE_BODY = {"INTERLOCK_BODY_BYTES_MAX": str(32 * 2**20)}


@partial(browsed, around=LARGE_BODY)
async def test_nothing_that_is_stored_does_anything_on_any_page(desk: Desk) -> None:
    assert len(CORPUS) >= 60
    names = await harmed(desk)
    inside = await desk.owner()
    outside = await (await desk.browser()).new_page()
    watch = await Watch.over(inside.context, desk.url)
    other = await Watch.over(outside.context, desk.url)
    read = {}
    for place in places(names):
        if place.is_inside:
            read[place.name] = await watch.open(inside, place.address)
        else:
            read[place.name] = await other.open(outside, place.address)

    assert watch.noted + other.noted == []
    for name in ("gates_gate_id", "gate_decided", "decide_signed", "units_unit"):
        assert "canary(20)" in read[name]
        assert "⟨U+202E⟩" in read[name]
    for name in ("ticket_answers", "ticket_approval", "units_unit_documents_name", "ticket_error"):
        assert "canary(20)" in read[name], name
    for name in BUILT:
        assert "canary(20)" in read[name], name
