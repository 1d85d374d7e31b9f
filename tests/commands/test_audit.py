"""The command that proves the audit: its pages, what it finds, and whose it is."""

from typing import Any

from tests.stage import EVE, Stage, staged


@staged
async def test_all_units_are_verified_page_by_page(stage: Stage) -> None:
    for _ in range(3):
        await stage.plan(2)
    await stage.plan(2, EVE)
    seen: list[Any] = []
    asked: dict[str, object] = {"limit": 2}
    while True:
        data = (await stage.call("verify_audit", **asked)).data
        seen.append((data["units"], data["entries"], data["findings"]))
        if "cursor" not in data:
            break
        asked["cursor"] = data["cursor"]

    assert seen == [(2, 6, []), (1, 3, [])]
    whole = await stage.call("verify_audit")
    assert whole.data == {"units": 3, "entries": 9, "findings": []}


@staged
async def test_what_was_changed_behind_our_back_is_found_in_its_unit(stage: Stage) -> None:
    sound, broken = await stage.plan(1), await stage.plan(1)
    await stage.sql(f"UPDATE units SET status = 'completed' WHERE id = '{broken}'")  # noqa: S608  our own words
    found = (await stage.call("verify_audit")).data
    one = (await stage.call("verify_audit", unit=broken)).data
    other = (await stage.call("verify_audit", unit=sound)).data
    findings: Any = one["findings"]
    (finding,) = findings

    assert (found["units"], found["findings"]) == (2, one["findings"])
    assert finding == {
        "unit": broken, "sequence": 2, "what": "the log and the rows differ about the unit's status",
        "expected": "planning", "found": "completed",
    }  # fmt: skip
    assert other == {"units": 1, "entries": 2, "findings": []}


@staged
async def test_a_row_that_cannot_be_read_is_a_finding_and_no_absence(stage: Stage) -> None:
    plan = await stage.plan(1)
    await stage.sql("UPDATE units SET fields = 'no json'")
    one: Any = (await stage.call("verify_audit", unit=plan)).data["findings"]
    every: Any = (await stage.call("verify_audit")).data["findings"]

    assert "its rows cannot be read" in one[0]["what"]
    assert every == one


@staged
async def test_what_is_not_there_and_what_is_another_s_are_told_alike(stage: Stage) -> None:
    theirs, ours = await stage.plan(1, EVE), await stage.plan(1)
    for name in (theirs, "plan-000000000000", f"{ours}.1", "x"):
        no = await stage.refused("verify_audit", unit=name)
        assert (no.code, no.message) == ("NOT_FOUND", f"There is no {name!r}.")
