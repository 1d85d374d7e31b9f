"""The log of calls on a page: page by page, as text, for admins alone."""

import json

from interlock.doors.web.calls import PAGE, TEXT_MAX, short
from interlock.store.port import CallRow
from tests.doors.web.test_account import entered
from tests.service.folk import first
from tests.stage import AWAY, HOME, Stage, staged


def _row(number: int, request: object, tenant: str = HOME) -> CallRow:
    return CallRow(
        tenant, 1_000 + number, f"call-{number:03}", "get_next_step", "agent", "ada", "s", "mcp",
        json.dumps(request), json.dumps({"status": "<i>ok"}), 3, number % 2,
    )  # fmt: skip


@staged
async def test_calls_are_shown_page_by_page_the_newest_first(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/calls")
    assert "Nobody has called yet." in browser.text
    rows = [_row(n, {"plan_id": "plan-0001.3"}) for n in range(PAGE + 2)]
    foreign = _row(999, {"secret": "of others"}, AWAY)
    await stage.engine.store.add_calls(HOME, rows)
    await stage.engine.store.add_calls(AWAY, [foreign])
    await browser.get("/calls")
    assert 'id="call-call-026"' in browser.text
    assert 'id="call-call-001"' not in browser.text
    assert "of others" not in browser.text
    assert 'href="/units/plan-0001"' in browser.text
    assert "&lt;i&gt;ok" in browser.text
    older = browser.text.partition('href="/calls?after=')[2].partition('"')[0]
    await browser.get(f"/calls?after={older}")

    assert 'id="call-call-001"' in browser.text
    assert 'id="call-call-002"' not in browser.text
    await browser.get("/calls?after=nonsense")
    assert browser.status == 422


@staged
async def test_what_a_call_says_is_text_and_names_only_units(stage: Stage) -> None:
    said = {"id": "javascript:alert(1)", "note": "<script>alert(1)</script>\u202e"}
    await stage.engine.store.add_calls(HOME, [_row(1, said), _row(2, ["plan-1"])])
    browser = await entered(stage)
    await browser.get("/calls")

    assert "<script>alert" not in browser.text
    assert "⟨U+202E⟩" in browser.text
    assert 'href="javascript' not in browser.text
    assert "/units/" not in browser.text


@staged
async def test_only_admins_see_calls(stage: Stage) -> None:
    await first(stage, "vic", "member")
    browser = await entered(stage, "vic")
    assert 'href="/calls"' not in browser.text
    await browser.get("/calls")
    assert browser.status == 403


def test_a_long_call_is_cut() -> None:
    told = short("x" * (TEXT_MAX + 8))

    assert told.endswith("… 10 more characters")
    assert short({"a": 1}) == '{\n  "a": 1\n}'


@staged
async def test_calls_are_filtered_by_what_they_are_about(stage: Stage) -> None:
    browser = await entered(stage)
    rows = [_row(n, {"plan_id": f"plan-{n}"}) for n in range(4)]
    await stage.engine.store.add_calls(HOME, rows)
    for query, shown in (("unit=plan-2", {2}), ("failed=1", {1, 3}), ("command=ping", set()),
                         ("command=get_next_step&unit=plan-3&failed=1", {3})):  # fmt: skip
        await browser.get(f"/calls?{query}")
        found = {n for n in range(4) if f'id="call-call-00{n}"' in browser.text}
        assert (browser.status, found) == (200, shown)

    assert "Nothing fits." not in browser.text
