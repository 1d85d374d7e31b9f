"""What people say to a ticket from its page: each form sends one command, or tells what is wrong."""

from tests.doors.web.browser import Browser, hidden
from tests.doors.web.test_account import entered
from tests.doors.web.ticket.scenes import approving, asking
from tests.doors.web.ticket.test_approval import save
from tests.stage import PAT, Stage, staged
from tests.tickets import phase_of, status_of, ticket, work


def _form(browser: Browser, name: str) -> dict[str, str]:
    """Return what a form of the page has filled in itself."""
    return hidden(browser.text.partition(f'id="{name}"')[2].partition("</form>")[0])


@staged
async def test_a_ticket_is_changed_and_started(stage: Stage) -> None:
    name = await ticket(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    await browser.send(title="Sell pears", description="Pears, too.")
    assert "<h1" in browser.text
    assert "Sell pears" in browser.text
    await browser.post(f"/units/{name}/edit", {**_form(browser, "start"), "title": ""})
    assert browser.status == 422
    await browser.get(f"/units/{name}")
    await browser.post(f"/units/{name}/start", _form(browser, "start"))

    assert "It was started" in browser.text
    assert (await stage.whole(name)).row.unit.fields["roster"] == ("ann", "ben", "cleo")


@staged
async def test_answers_of_every_kind_are_sent_and_corrected(stage: Stage) -> None:
    name = await asking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    said = {"pick-Q01": "o2", "pick-Q02-o1": "on", "pick-Q02-o3": "on", "text-Q05": "Cards only."}
    form = {"csrf": _form(browser, "answers")["csrf"], "batch": "1", **said}
    await browser.post(f"/units/{name}/answers", form)
    told = browser.text.partition('id="said"')[2]
    assert "green" in told
    assert "shop; web" in told
    assert "Cards only." in told

    fix = {"csrf": form["csrf"], "pick-Q01": "o1", "text-Q01": "Only ripe ones."}
    await browser.post(f"/units/{name}/answers/Q01", fix)
    assert "red; Only ripe ones." in browser.text
    await browser.post(f"/units/{name}/answers/Q77", fix)
    assert (browser.status, "There is no such answer." in browser.text) == (422, True)


@staged
async def test_a_batch_is_answered_once_and_what_came_late_is_not_lost(stage: Stage) -> None:
    name = await asking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    csrf = _form(browser, "answers")["csrf"]
    form = {"csrf": csrf, "batch": "1", "text-Q01": "Mine."}
    given = {"question_id": "Q01", "text": "Theirs."}
    await stage.call("answer_batch", PAT, ticket_id=name, batch=1, answers=[given])
    await browser.post(f"/units/{name}/answers", form)

    assert browser.status == 409
    assert "Theirs." in browser.text
    lost = browser.text.partition('id="lost"')[2].partition("</div>")[0]
    assert "Q01: Mine." in lost
    assert f'data-here="/units/{name}"' in browser.text


@staged
async def test_one_question_is_left_to_the_council_and_the_rest_stays_filled_in(
    stage: Stage,
) -> None:
    name = await asking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    csrf = _form(browser, "answers")["csrf"]
    form = {"csrf": csrf, "batch": "1", "text-Q01": "Keep me.", "pick-Q02-o1": "on"}
    await browser.post(f"/units/{name}/skip/Q02", form)
    assert browser.status == 200
    assert "Keep me." in browser.text
    question = browser.text.partition('id="question-Q02"')[2].partition("</fieldset>")[0]
    assert "left to the council, unless you answer it" in question
    assert " checked" not in question
    await browser.post(f"/units/{name}/skip/Q77", form)

    assert browser.status == 422
    assert "Keep me." in browser.text


@staged
async def test_the_interview_is_ended_and_its_result_waits(stage: Stage) -> None:
    name = await asking(stage)
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    await browser.send(reason="Enough.")

    assert await phase_of(stage, name) == "WAITING_INTERVIEW_APPROVAL"
    assert "To be approved: the interview" in browser.text


@staged
async def test_what_is_approved_is_what_was_shown(stage: Stage) -> None:
    name = await approving(stage, "prd")
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    form = _form(browser, "approve")
    await save(stage, name, "No apples.", "Too few apples.")
    await browser.post(f"/units/{name}/approve", form)
    assert browser.status == 409
    assert "Nothing was decided." in browser.text
    assert "Changed since you looked" in browser.text
    assert await phase_of(stage, name) == "WAITING_PRD_APPROVAL"
    for digest in ("", "0" * 64):
        await browser.post(f"/units/{name}/approve", {**form, "content_digest": digest})
        assert browser.status == 409
    await browser.get(f"/units/{name}")
    await browser.post(f"/units/{name}/approve", _form(browser, "approve"))

    assert await phase_of(stage, name) == "DRAFTING_BEADS"


@staged
async def test_nothing_is_taken_from_elsewhere_or_from_who_may_not(stage: Stage) -> None:
    name = await approving(stage)
    digest = (await status_of(stage, name))["documents"]["interview"]
    browser = await entered(stage)
    await browser.post(f"/units/{name}/approve", {"csrf": "no", "content_digest": digest})
    assert browser.status == 403
    viewer = await entered(stage, "vic", "viewer")
    csrf = viewer.text.partition('name="csrf" value="')[2].partition('"')[0]
    await viewer.post(f"/units/{name}/approve", {"csrf": csrf, "content_digest": digest})

    assert viewer.status == 403
    assert await phase_of(stage, name) == "WAITING_INTERVIEW_APPROVAL"


@staged
async def test_while_the_winner_prepares_the_page_says_so(stage: Stage) -> None:
    name = await asking(stage)
    await stage.call("answer_batch", PAT, ticket_id=name, batch=1, answers=[])
    browser = await entered(stage)
    await browser.get(f"/units/{name}")
    assert "The winner prepares the next questions." in browser.text
    await work(stage, name)
    await browser.get(f"/units/{name}")

    assert "the last one" in browser.text
