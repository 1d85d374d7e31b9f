"""A ticket is written down on a page."""

from tests.doors.web.test_account import entered
from tests.stage import Stage, staged
from tests.tickets import project


@staged
async def test_a_ticket_is_written_down_in_the_project_that_was_chosen(stage: Stage) -> None:
    await project(stage)
    other = await project(stage, name="Garden")
    browser = await entered(stage)
    await browser.get(f"/tickets/new?project={other}")
    assert f'value="{other}" selected' in browser.text
    form = {"project_id": other, "policy": "human", "tags": "fruit, 2026,"}
    await browser.send(**form, title="", description="Kept.")
    assert browser.status == 422
    assert 'id="title-wrong"' in browser.text
    assert "Kept." in browser.text
    await browser.send(**form, title="Plant pears", description="Many.")

    assert "Plant pears" in browser.text
    assert "Garden ·" in browser.text
    await browser.get("/board/ticket")
    todo = browser.text.partition('id="column-todo"')[2].partition("</section>")[0]
    assert "Plant pears" in todo
    assert "#fruit" in todo


@staged
async def test_without_a_project_the_page_leads_to_where_one_is_made(stage: Stage) -> None:
    browser = await entered(stage)
    await browser.get("/tickets/new")

    assert 'href="/projects">Make a project' in browser.text
    assert 'id="new-ticket"' not in browser.text
