"""The second half of a ticket on its page: what is at work, how far it is, what was reported."""

import re

from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import (
    checking,
    coding,
    delivered,
    planned,
    reported,
    reviewing,
    stuck,
    working,
)
from tests.stage import PAT, Stage, staged


def section(browser: Browser, name: str) -> str:
    """Return a section of a page; empty where there is none."""
    inner = browser.text.partition(f'id="{name}"')[2]
    return inner.partition("</section>")[0]


def words(markup: str) -> str:
    """Return what can be read of some markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", markup))


@staged
async def test_what_is_at_work_is_told_with_its_last_lines_and_looks_again(stage: Stage) -> None:
    name = await working(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    live = browser.text.partition('class="card live"')[2].partition("</section>")[0]
    assert "Bead 2: Do count-apples" in live
    assert "attempt 1 of 5" in live
    assert "line 12" in live
    assert "line 4<" not in live
    assert 'data-watch="2"' in live
    now = section(browser, "now")
    assert re.search(r"Bead 2: Do count-apples\. What is left takes about \d+ (s|min), from 1", now)
    assert "Implementing (Bead 1/2)" in browser.text


@staged
async def test_beads_are_a_graph_and_a_list_with_budget_and_estimate(stage: Stage) -> None:
    name = await coding(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    beads = section(browser, "beads")
    assert "1 of 2 done" in beads
    assert 'aria-label="Bead 2: Do count-apples. Pending. Needs 1."' in beads
    assert "2 attempts" in beads
    assert f'href="/units/{name}/beads/1"' in beads
    gauge = words(section(browser, "gauge"))
    assert "90,000 of 100,000 nearly spent" in gauge
    # Only one of the two databases has a clock that stands still.
    assert re.search(r"1 bead is left: about \d+ (s|min), from 1 finished bead\.", gauge)
    assert "data-watch" not in browser.text


@staged
async def test_checks_setup_and_tests_are_listed_as_they_were_reported(stage: Stage) -> None:
    name = await reviewing(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    checks = words(section(browser, "checks"))
    assert "forge forge It is slow. Warning" in checks
    assert "8 of 8 passed" in checks
    assert "approvals server Interview, PRD and blueprint were approved." in checks
    assert "python -m venv .venv" in section(browser, "setup-report")
    test = section(browser, "final-test")
    assert "All of it was tried." in test
    assert "1 passed" in test
    assert "Exit code 0" in test


@staged
async def test_a_pull_request_waits_with_everything_and_its_two_ways(stage: Stage) -> None:
    name = await reviewing(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    assert "The pull request waits for your review." in section(browser, "now")
    pull = section(browser, "pull-request")
    for told in (
        "Sell apples",
        "<strong>apples</strong>",
        "https://forge.example/shop/7",
    ):
        assert told in pull, told
    assert f'href="/units/{name}/act/merge"' in pull
    assert f'href="/units/{name}/act/close_unmerged"' in pull
    viewer = await entered(stage, "vic", "viewer")
    await viewer.get(f"/units/{name}")
    assert "/act/merge" not in viewer.text


@staged
async def test_a_ticket_that_is_done_says_what_it_delivered(stage: Stage) -> None:
    name = await delivered(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    ended = words(section(browser, "ended"))
    assert "2 beads, merged into main as" in ended
    assert "2 files changed, +4" in ended
    assert "Not everything could be cleaned up" in ended
    assert f'href="/units/{name}/evidence"' in section(browser, "ended")
    assert "runtime is busy" in section(browser, "pull-request")


@staged
async def test_one_that_was_given_up_says_what_there_is(stage: Stage) -> None:
    name = await coding(stage)
    await stage.call("cancel", PAT, id=name, reason="no time")
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    assert "1 of 2 beads were built" in words(section(browser, "ended"))


@staged
async def test_nothing_of_it_is_shown_before_it_began_or_of_an_earlier_attempt(
    stage: Stage,
) -> None:
    name = await checking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}?attempt=7")
    assert 'id="gauge"' not in browser.text
    await reported(stage, name)
    await browser.get(f"/units/{name}?attempt=18")

    assert "This is the past." in browser.text
    assert 'id="checks"' in browser.text


@staged
async def test_a_setup_plan_that_is_drafted_is_waited_for(stage: Stage) -> None:
    name = await checking(stage)
    await reported(stage, name)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    assert "It is being drafted." in section(browser, "drafted")
    assert 'id="approve"' not in browser.text


@staged
async def test_a_setup_plan_can_be_read_step_by_step(stage: Stage) -> None:
    name = await planned(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    plan = words(section(browser, "approval"))
    assert "the setup plan, version 1" in plan
    assert "Some things are there already ; something has to be done." in plan
    assert "1 Make an environment venv needed" in plan
    assert "pytest --version" in plan
    assert 'action="/units/' in browser.text.partition('id="approve"')[2][:60]


@staged
async def test_what_stopped_it_is_told_with_the_run_that_failed(stage: Stage) -> None:
    name = await stuck(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")

    failure = section(browser, "failure")
    assert "Bead 1: Do sell-apples, attempt 5" in failure
    assert "Attempt 5 fails." in failure
    assert "FAILED test_shop.py::test_sell" in failure
    assert "ruff check" not in failure
    trouble = section(browser, "trouble")
    assert "puts the working tree back" in trouble
    assert f'href="/units/{name}/act/cancel"' in trouble
    assert "ann" not in words(trouble.partition('id="failure"')[0])
