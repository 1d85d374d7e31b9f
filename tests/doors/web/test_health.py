"""The page about how things go: figures with sentences and plots, and who works on what."""

from typing import Final

from interlock.doors.web.health import figures, trouble, waiting
from tests.doors.web.test_account import entered
from tests.stage import DAY_MS, EVE, Stage, staged

QUIET: Final = {
    "queue": [{"workflow": "plan", "kind": "step", "waiting": 0}],
    "gates": {"open": 0, "oldest": None, "by_workflow": []}, "leases": {"held": 0, "overdue": 0},
    "stalled": 0, "units": {"open": 0, "ended": 0}, "since": 0, "samples": [],
}  # fmt: skip
SAMPLE: Final = {
    "at": 1, "waiting": 3, "gates": 1, "gate_age_ms": 60_000, "held": 2, "stalls": 1, "lapses": 2,
    "commits": 5, "commit_p50_ms": 1.5, "commit_p95_ms": 4.0,
}  # fmt: skip


@staged
async def test_an_idle_server_says_so_and_how_to_begin(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/health")

    assert "All is well." in browser.text
    assert "Nobody works on anything now." in browser.text
    assert "Nothing measured yet" in browser.text
    assert "interlock plan create" in browser.text


@staged
async def test_who_works_on_what_is_listed_without_our_words(stage: Stage) -> None:
    plan = await stage.plan()
    foreign = await stage.plan(2, EVE)
    step, _ = await stage.claim(plan)
    browser = await entered(stage)
    await browser.get("/health")

    assert f'id="held-{step}"' in browser.text
    assert "working on it until" in browser.text
    assert f'href="/units/{plan}"' in browser.text
    assert foreign not in browser.text
    assert "lease" not in browser.text
    await stage.pass_ms(DAY_MS)
    await browser.get("/health")
    assert "should have said something" in browser.text
    assert "heard nothing in time" in browser.text


def test_what_is_wrong_is_said_first() -> None:
    assert trouble(QUIET) == []
    bad = {**QUIET, "stalled": 1, "leases": {"held": 3, "overdue": 2}}

    assert trouble(bad) == ["1 has stalled", "2 have heard nothing in time"]


def test_figures_come_with_sentences_and_plots() -> None:
    queue = [{"workflow": "plan", "kind": "step", "waiting": 2},
             {"workflow": "ticket", "kind": "bead", "waiting": 5}]  # fmt: skip
    found = {**QUIET, "queue": queue, "gates": {"open": 2, "oldest": 1_000, "by_workflow": []},
             "samples": [{**SAMPLE, "commit_p95_ms": None}, SAMPLE]}  # fmt: skip
    told = {one.name: one for one in figures(found, 121_000)}

    assert waiting(found) == [("bead", 5), ("step", 2)]
    assert told["queue"].value == "7"
    assert told["gates"].sentence == "The oldest waits for 2 min."
    assert (told["lapses"].value, told["commits"].value) == ("4", "4 ms")
    assert "half took less than 1.5 ms" in told["commits"].sentence
    assert all("<svg" in one.drawn for one in told.values())
    assert "1 min now" in told["gates"].drawn
    idle = {one.name: one for one in figures(QUIET, 5)}
    assert idle["gates"].sentence == "No decision is open."
    assert idle["commits"].value == "no writes"
