"""The page of the audit: what happened last, proved by a button, and taken along as a file."""

import html
import json
import re
from dataclasses import replace

import pytest

from interlock.doors.web import audit
from interlock.service.rate import Rates
from tests.doors.web.browser import Browser
from tests.doors.web.test_account import entered
from tests.stage import EVE, Stage, staged


async def _worked(stage: Stage, plans: int = 1) -> list[str]:
    made = [await stage.plan() for _ in range(plans)]
    for plan in made:
        await stage.claim(plan)
    return made


@staged
async def test_what_happened_last_is_listed_with_its_units(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/audit")
    assert "Nothing has happened yet." in browser.text
    first, second = await _worked(stage, 2)
    foreign = await stage.plan(2, EVE)
    await browser.get("/audit")

    for plan in (first, second):
        assert f'href="/units/{plan}"' in browser.text
    assert foreign not in browser.text
    assert "by agent" in browser.text
    await browser.get(f"/audit?unit={first}")
    assert f"The last entries of {first}" in browser.text
    assert second not in browser.text


@staged
async def test_one_click_proves_everything_or_one_unit(stage: Stage) -> None:
    (plan,) = await _worked(stage)
    browser = await entered(stage)
    await browser.get("/audit?verify=1")
    assert "Everything holds." in browser.text
    assert "1 unit and" in browser.text
    await browser.get(f"/audit?verify=1&unit={plan}")
    assert "Everything holds." in browser.text
    await stage.sql("UPDATE units SET status = 'completed'")
    await browser.get("/audit?verify=1")

    assert re.search(r"\d+ things? (does|do) not hold\.", browser.text)
    assert f'<td><a href="/units/{plan}">' in browser.text


@staged
async def test_proving_stops_in_time_and_goes_on_by_a_button(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _worked(stage, 2)
    monkeypatch.setattr(audit, "LOOK_S", 0.0)
    monkeypatch.setattr(audit, "PAGE", 1)
    browser = await entered(stage)
    await browser.get("/audit?verify=1")
    assert "So far everything holds." in browser.text
    assert "1 unit and" in browser.text
    for _ in range(2):
        more = re.search(r'class="btn main" href="([^"]*)">Go on', browser.text)
        if more is not None:
            await browser.get(html.unescape(more[1]))

    assert "Everything holds." in browser.text
    assert "2 units and" in browser.text


@staged
async def test_who_is_too_fast_sees_how_far_it_got(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _worked(stage, 2)
    monkeypatch.setattr(audit, "PAGE", 1)
    # As many calls as one proof costs, and no more come back while the clock stands still.
    rates = Rates(lambda: 0, principal=1, tenant=0)
    browser = await entered(replace(stage, engine=replace(stage.engine, rates=rates)))
    await browser.get("/audit?verify=1")

    assert (browser.status, "So far everything holds." in browser.text) == (200, True)
    await browser.get("/audit?verify=1")
    assert browser.status == 429


@staged
async def test_a_unit_that_is_not_there_is_told_beside_the_field(stage: Stage) -> None:
    foreign = await stage.plan(2, EVE)
    browser = await entered(stage)
    for name in ("plan-nothing", foreign, "<script>"):
        await browser.get(f"/audit?unit={name}&verify=1")
        assert (browser.status, 'id="unit-wrong"' in browser.text) == (404, True)
        assert "<script>" not in browser.text.replace("<script src", "")
    await browser.get(f"/audit/export?unit={foreign}")
    assert browser.status == 404


@staged
async def test_the_audit_is_taken_along_as_a_file(stage: Stage) -> None:
    first, second = await _worked(stage, 2)
    await stage.plan(2, EVE)
    browser = await entered(stage)
    await browser.get("/audit/export")
    assert browser.page is not None
    rows = [json.loads(line) for line in browser.text.splitlines()]
    assert {row["unit"] for row in rows} == {first, second}
    assert browser.page.headers["content-disposition"] == 'attachment; filename="audit.jsonl"'
    assert browser.page.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in browser.page.headers["content-security-policy"]
    await browser.get(f"/audit/export?unit={first}")
    only = [json.loads(line) for line in browser.text.splitlines()]

    assert only == [row for row in rows if row["unit"] == first]
    assert [row["sequence"] for row in only] == list(range(1, len(only) + 1))
    stranger = Browser.on(stage.engine)
    await stranger.get("/audit/export")
    assert stranger.visited[-1].startswith("/login")
