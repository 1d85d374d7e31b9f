"""The list of proof: everything that was filed, with its digest and a download."""

from tests.doors.web.test_account import entered
from tests.doors.web.ticket.built import delivered
from tests.stage import HOME, Stage, staged


@staged
async def test_everything_that_was_filed_is_listed_and_can_be_downloaded(stage: Stage) -> None:
    name = await delivered(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}/evidence")
    kept = await stage.engine.store.artifacts(HOME, name)
    filed = {row.digest for row in kept if row.name not in ("answer", "rejected", "session")}

    assert all(f"/artifacts/{digest}/file" in browser.text for digest in filed)
    assert browser.text.count("bead 1") == 4  # two attempts, each named twice
    merge = next(row for row in kept if row.name == "merge_report")
    answer = await browser.client.get(f"/units/{name}/artifacts/{merge.digest}/file")
    assert b"merge_commit" in answer.content
    assert "attachment" in answer.headers["content-disposition"]


@staged
async def test_other_units_have_none(stage: Stage) -> None:
    plan = await stage.plan(1)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/evidence")

    assert browser.status == 404
