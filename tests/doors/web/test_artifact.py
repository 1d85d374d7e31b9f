"""What is kept: rendered by us, compared with the version before, downloaded as nothing active."""

from interlock.doors.web.artifact import BYTES_SHOWN, shown
from tests.doors.web.test_account import entered
from tests.stage import Stage, staged


@staged
async def test_versions_are_listed_shown_and_compared(stage: Stage) -> None:
    plan = await stage.plan(1)
    for text in ("one\ntwo", "one\nthree"):
        await stage.call("store_research_output", plan_id=plan, title="notes.md", content=text)
    browser = await entered(stage)
    await browser.get(f"/units/{plan}/artifacts")
    assert browser.text.count("notes.md") == 2
    digest = browser.text.split(f"/units/{plan}/artifacts/")[-1].partition('"')[0]
    await browser.get(f"/units/{plan}/artifacts/{digest}")

    assert "two</del>" in browser.text
    assert "three</ins>" in browser.text
    answer = await browser.client.get(f"/units/{plan}/artifacts/{digest}/file")
    assert answer.text == "one\nthree"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["content-security-policy"]
    await browser.get(f"/units/{plan}/artifacts/{'0' * 64}")
    assert browser.status == 404


def test_content_is_shown_by_what_it_is() -> None:
    assert shown(b'{"a": 1}')["kind"] == "tree"
    assert shown(b"# text")["kind"] == "prose"
    assert shown(b"\xff\xfe")["kind"] == "bytes"

    assert shown(b"x" * (BYTES_SHOWN + 1))["kind"] == "text"
